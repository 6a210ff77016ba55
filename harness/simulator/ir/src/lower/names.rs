//! Which variables and functions are named where, and their names in PTX.

use std::rc::Rc;

use crate::syntax::{Action, Callee, Constant, Function, Value};

/// A name as PTX allows it.
pub(crate) fn of_symbol(name: &str) -> Rc<str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let starts_well = name.starts_with(|c: char| is_plain(c) && !c.is_ascii_digit());
    if starts_well && name.chars().all(is_plain) {
        return name.into();
    }
    let mut good = String::from(if starts_well || name.starts_with('.') { "" } else { "_" });
    for c in name.chars() {
        match c {
            '.' => good += "_$_",
            c if is_plain(c) => good.push(c),
            _ => good.push('_'),
        }
    }
    good.into()
}

/// The symbols that a function names.
pub(super) fn of_function(function: &Function) -> Vec<Rc<str>> {
    let mut names = Vec::new();
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        for value in values(&instruction.action) {
            if let Value::Constant(constant) = value {
                names.extend(of_constant(constant));
            }
        }
        if let Action::Call(call) = &instruction.action
            && let Callee::Name(name) = &call.callee
        {
            names.push(name.clone());
        }
    }
    names
}

/// The symbols that a constant names.
pub(super) fn of_constant(constant: &Constant) -> Vec<Rc<str>> {
    match constant {
        Constant::Address(name) => vec![name.clone()],
        Constant::Parts(parts) => parts.iter().flat_map(|(_, it)| of_constant(it)).collect(),
        Constant::Splat(part) | Constant::Cast(part) | Constant::Number(part) => {
            of_constant(&part.1)
        }
        Constant::After(base, _) => of_constant(base),
        Constant::Sum(parts, _) => [of_constant(&parts.0), of_constant(&parts.1)].concat(),
        Constant::Bits(_) | Constant::Zero | Constant::Bytes(_) => Vec::new(),
    }
}

/// The values that an instruction uses.
pub(super) fn values(action: &Action) -> Vec<&Value> {
    match action {
        Action::Binary { left, right, .. }
        | Action::Compare { left, right, .. }
        | Action::Shuffle { left, right, .. } => vec![left, right],
        Action::Negate { value, .. }
        | Action::Convert { value, .. }
        | Action::ExtractValue { value, .. }
        | Action::Freeze { value, .. }
        | Action::Switch { value, .. } => vec![value],
        Action::Select { condition, yes, no, .. } => vec![condition, yes, no],
        Action::Phi { incoming, .. } => incoming.iter().map(|(value, _)| value).collect(),
        Action::Element { pointer, indices, .. } => {
            std::iter::once(pointer).chain(indices.iter().map(|(_, value)| value)).collect()
        }
        Action::Load(access) => vec![&access.pointer],
        Action::Store(access, value) | Action::Exchange { access, value, .. } => {
            vec![&access.pointer, value]
        }
        Action::CompareExchange { access, expected, value } => {
            vec![&access.pointer, expected, value]
        }
        Action::Call(call) => call.arguments.iter().map(|(_, value)| value).collect(),
        Action::InsertValue { value, part, .. } => vec![value, part],
        Action::ExtractElement { value, index, .. } => vec![value, index],
        Action::InsertElement { value, element, index, .. } => vec![value, element, index],
        Action::Branch { condition, .. } => vec![condition],
        Action::Return { value, .. } => value.iter().collect(),
        Action::Fence { .. } | Action::Allocate { .. } | Action::Jump(_) | Action::Unreachable => {
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_names_of_ptx() {
        let names = [".str", "_Z1kPf", "a.b@c", "7", "", "k"].map(|it| of_symbol(it).to_string());
        assert_eq!(names, ["_$_str", "_Z1kPf", "a_$_b_c", "_7", "_", "k"]);
    }
}
