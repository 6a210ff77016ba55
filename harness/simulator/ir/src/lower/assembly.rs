//! Inline assembly: its text with registers in their places.

use super::function::Lowerer;
use super::part::Part;
use super::text::Text;
use crate::error::{Problem, problem};
use crate::machine::Operand;
use crate::syntax::Call;
use crate::types::{Class, Scalar, Type};

/// What stands for a number in a template.
#[derive(Clone)]
enum Place {
    Result(usize),
    Operand(usize),
}

pub(super) fn translate(
    lowerer: &mut Lowerer,
    call: &Call,
    template: &str,
    constraints: &str,
    has_effects: bool,
) -> Result<Vec<Part>, Problem> {
    let scalars = call.result.parts()?;
    let mut text = Text::default();
    let mut places = Vec::new();
    let mut arguments = call.arguments.iter();
    let mut classes = Vec::new();
    for constraint in constraints.split(',').filter(|it| !it.is_empty() && !it.starts_with('~')) {
        if let Some(letter) = constraint.strip_prefix('=') {
            let Some(scalar) = scalars.get(classes.len()) else {
                return problem("inline assembly has more outputs than its result has parts");
            };
            let class = class_of(letter.trim_start_matches('&')).unwrap_or_else(|| scalar.class());
            places.push(Place::Result(classes.len()));
            text.results.push(lowerer.code.register(class));
            classes.push((class, *scalar));
            continue;
        }
        let Some((parameter, value)) = arguments.next() else {
            return problem("inline assembly has more inputs than arguments");
        };
        let operand = lowerer.scalar(&parameter.kind, value)?;
        let own = parameter.kind.scalar()?;
        if let Ok(number) = constraint.parse::<usize>() {
            // The same register as a result.
            let Some(Place::Result(result)) = places.get(number).cloned() else {
                return problem("an input of inline assembly is tied to what is no output");
            };
            let operand = fitting(lowerer, operand, own, classes[result].0);
            text.tied.push((result, text.operands.len()));
            text.operands.push(operand);
            places.push(Place::Result(result));
            continue;
        }
        let is_number = matches!(constraint, "n" | "i") && !matches!(operand, Operand::Register(_));
        let operand = match (is_number, class_of(constraint)) {
            (true, _) => operand,
            (false, Some(class)) => {
                let operand = fitting(lowerer, operand, own, class);
                Operand::Register(lowerer.in_register(operand, class))
            }
            (false, None) => Operand::Register(lowerer.in_register(operand, own.class())),
        };
        places.push(Place::Operand(text.operands.len()));
        text.operands.push(operand);
    }
    fill(template, &places, &mut text)?;
    let results = text.results.clone();
    lowerer.push_text(text, has_effects);
    let parts = results.into_iter().zip(classes).map(|(register, (class, scalar))| {
        let operand = Operand::Register(register);
        let operand = match class == scalar.class() {
            true => operand,
            false => lowerer.resized(
                Scalar::Integer(class.bits()),
                operand,
                Scalar::Integer(scalar.bits()),
                false,
            ),
        };
        match scalar {
            Scalar::Pointer(_) => Part::of_pointer(&operand),
            _ => Part::Value(operand),
        }
    });
    match call.result {
        Type::Void => Ok(Vec::new()),
        _ => Ok(parts.collect()),
    }
}

/// An operand in a class of registers.
fn fitting(lowerer: &mut Lowerer, operand: Operand, own: Scalar, class: Class) -> Operand {
    match own.class() == class {
        true => operand,
        false => lowerer.resized(
            Scalar::Integer(own.bits()),
            operand,
            Scalar::Integer(class.bits()),
            false,
        ),
    }
}

fn class_of(letter: &str) -> Option<Class> {
    Some(match letter {
        "b" => Class::Predicate,
        "h" | "c" => Class::B16,
        "r" | "f" => Class::B32,
        "l" | "d" => Class::B64,
        _ => return None,
    })
}

/// A template with what stands for its numbers: `$0`, `${0}`, and `$$` for the sign itself.
fn fill(template: &str, places: &[Place], text: &mut Text) -> Result<(), Problem> {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('$') {
        text.add(before);
        if let Some(after) = after.strip_prefix('$') {
            text.add("$");
            rest = after;
            continue;
        }
        let inner = after.strip_prefix('{').unwrap_or(after);
        let length = inner.find(|c: char| !c.is_ascii_digit()).unwrap_or(inner.len());
        let number: Option<usize> = inner[..length].parse().ok();
        let Some(place) = number.and_then(|number| places.get(number)) else {
            return problem(format!(
                "inline assembly names an operand that it does not have: ${after}"
            ));
        };
        text.pieces.push(match place {
            Place::Result(at) => crate::machine::Piece::Result(*at),
            Place::Operand(at) => crate::machine::Piece::Operand(*at),
        });
        rest = &inner[length..];
        if after.starts_with('{') {
            rest = rest.split_once('}').map_or("", |it| it.1);
        }
    }
    text.add(rest);
    Ok(())
}
