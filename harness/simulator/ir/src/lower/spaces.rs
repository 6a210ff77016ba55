//! Which memory the pointers of a function lead to: their types say so seldom, what they are made of often does.

use super::context::Context;
use super::globals;
use crate::machine::Space;
use crate::syntax::{Action, Callee, Constant, Function, Value};
use crate::types::{Scalar, Type};

/// What is known of a pointer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Origin {
    pub space: Space,
    /// Made of parameters of which each says that nothing is written where it leads to.
    pub is_read_only: bool,
}

const ANYWHERE: Origin = Origin { space: Space::Generic, is_read_only: false };

/// The origins of all locals; of those that are no pointers it says nothing.
pub(super) fn of_function(context: &Context, function: &Function) -> Vec<Origin> {
    let mut origins: Vec<Option<Origin>> = vec![None; function.locals];
    for (parameter, local) in function.parameters.iter().zip(&function.arguments) {
        let attributes = &parameter.attributes;
        origins[*local] = Some(match (function.is_kernel, &attributes.by_value) {
            (_, Some(_)) => in_space(Space::Param),
            (true, None) => Origin {
                space: Space::Global,
                is_read_only: attributes.is_unaliased && attributes.is_read_only,
            },
            (false, None) => declared(&parameter.kind),
        });
    }
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let Some(result) = instruction.result else { continue };
            let new = of_action(context, function, &origins, &instruction.action);
            // Only from unknown to a space, and from there to anywhere: this ends.
            let new = match (origins[result], new) {
                (Some(old), Some(new)) => Some(common(old, new)),
                (old, new) => new.or(old),
            };
            is_changed |= origins[result] != new;
            origins[result] = new;
        }
    }
    origins.into_iter().map(|it| it.unwrap_or(ANYWHERE)).collect()
}

fn in_space(space: Space) -> Origin {
    Origin { space, is_read_only: false }
}

/// What a type says.
fn declared(kind: &Type) -> Origin {
    match kind {
        Type::Scalar(Scalar::Pointer(number)) => {
            in_space(Space::of_number(*number).unwrap_or(Space::Generic))
        }
        _ => ANYWHERE,
    }
}

fn common(one: Origin, other: Origin) -> Origin {
    match one.space == other.space {
        true => Origin { space: one.space, is_read_only: one.is_read_only && other.is_read_only },
        false => ANYWHERE,
    }
}

fn of_action(
    context: &Context,
    function: &Function,
    origins: &[Option<Origin>],
    action: &Action,
) -> Option<Origin> {
    let of = |value: &Value| match value {
        Value::Local(local) => origins.get(*local).copied().flatten(),
        Value::Constant(constant) => Some(in_space(of_constant(context, constant))),
    };
    match action {
        Action::Element { pointer, .. } => of(pointer),
        Action::Freeze { kind: Type::Scalar(Scalar::Pointer(0)), value } => of(value),
        Action::Select { kind: Type::Scalar(Scalar::Pointer(0)), yes, no, .. } => {
            match (of(yes), of(no)) {
                (Some(yes), Some(no)) => Some(common(yes, no)),
                (yes, no) => yes.or(no),
            }
        }
        Action::Phi { kind: Type::Scalar(Scalar::Pointer(0)), incoming } => {
            incoming.iter().filter_map(|(value, _)| of(value)).reduce(common)
        }
        Action::Convert { name: "addrspacecast", value, to, .. } => match to {
            Type::Scalar(Scalar::Pointer(0)) => of(value),
            to => Some(declared(to)),
        },
        Action::Convert {
            name: "bitcast", to: Type::Scalar(Scalar::Pointer(0)), value, ..
        } => of(value),
        Action::Load(access) if access.kind == Type::pointer() => {
            match of(&access.pointer)?.space {
                // The host wrote it, or the launch: it can only lead to global memory.
                Space::Const if !context.has_constant_addresses => Some(in_space(Space::Global)),
                Space::Param if function.is_kernel => Some(in_space(Space::Global)),
                _ => Some(ANYWHERE),
            }
        }
        Action::Allocate { .. } => Some(in_space(Space::Local)),
        Action::Call(call) => match &call.callee {
            Callee::Name(name) if name.as_ref() == "malloc" => Some(in_space(Space::Global)),
            _ => Some(declared(&call.result)),
        },
        Action::Phi { kind, .. } | Action::Select { kind, .. } | Action::Freeze { kind, .. } => {
            Some(declared(kind))
        }
        Action::Load(access) => Some(declared(&access.kind)),
        _ => Some(ANYWHERE),
    }
}

/// Where a constant address leads to.
pub(super) fn of_constant(context: &Context, constant: &Constant) -> Space {
    match constant {
        Constant::Address(name) => match context.globals.get(name.as_ref()) {
            Some(global) => globals::space(global).unwrap_or(Space::Generic),
            None => Space::Generic,
        },
        Constant::Cast(inner) | Constant::Number(inner) => of_constant(context, &inner.1),
        Constant::After(base, _) => of_constant(context, base),
        _ => Space::Generic,
    }
}
