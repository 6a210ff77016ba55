//! The changes of each kind to one instruction.

use super::function::{Function, has_result, sources};
use super::kind::Kind;
use crate::ast::{Instruction, Kind as Sort, Operand, Type};

/// A change: its kind, and the instructions that replace the original.
pub(super) type Change = (Kind, Vec<Instruction>);

/// All changes to an instruction. If a change occurs twice, its first kind counts.
pub(super) fn changes(i: &Instruction, function: &Function) -> Vec<Change> {
    let of = |kind, changed: Vec<Vec<Instruction>>| changed.into_iter().map(move |it| (kind, it));
    let mut all: Vec<Change> = Vec::new();
    all.extend(of(Kind::Barrier, barrier(i)));
    all.extend(of(Kind::Round, round(i, function)));
    all.extend(of(Kind::Shuffle, shuffle(i)));
    all.extend(of(Kind::Drop, left_out(i)));
    all.extend(of(Kind::Predicate, predicate(i)));
    all.extend(of(Kind::Operation, operation(i)));
    all.extend(of(Kind::Swap, swapped(i)));
    all.extend(of(Kind::Constant, operands(i, &|part| constants(part, element(i)))));
    all.extend(of(Kind::Offset, operands(i, &offsets)));
    all.extend(of(Kind::Register, operands(i, &|part| neighbours(part, function))));
    all
}

/// The opcode without modifiers.
fn base(i: &Instruction) -> &str {
    i.opcode.split('.').next().unwrap_or_default()
}

fn has(i: &Instruction, modifier: &str) -> bool {
    i.opcode.split('.').any(|part| part == modifier)
}

/// The type of its sources, which is the last modifier.
fn element(i: &Instruction) -> Option<Type> {
    Type::parse(i.opcode.rsplit('.').next()?)
}

/// Another instruction with the same guard.
fn another(i: &Instruction, opcode: impl Into<String>, operands: Vec<Operand>) -> Instruction {
    Instruction { opcode: opcode.into(), operands, ..i.clone() }
}

/// The instruction with another opcode.
fn renamed(i: &Instruction, opcode: String) -> Vec<Instruction> {
    vec![another(i, opcode, i.operands.clone())]
}

/// The instruction with one modifier replaced.
fn modified(i: &Instruction, from: &str, to: &str) -> Vec<Instruction> {
    let part = |part| if part == from { to } else { part };
    renamed(i, i.opcode.split('.').map(part).collect::<Vec<_>>().join("."))
}

/// The first register of a result such as `%r1|%p1`.
fn result(i: &Instruction) -> Option<Operand> {
    match i.operands.first()? {
        Operand::Pair(first, _) => Some(Operand::Name(first.clone())),
        Operand::Name(name) if name == "_" => None,
        result => Some(result.clone()),
    }
}

/// The instruction replaced by a move of one of its sources.
fn moved(i: &Instruction, source: &Operand) -> Option<Vec<Instruction>> {
    let kind = match element(i) {
        Some(Type { kind: Sort::Predicate, .. }) => "pred".to_string(),
        Some(Type { kind: Sort::Float, bits }) if bits >= 32 => format!("f{bits}"),
        Some(Type { bits, .. }) if bits >= 16 => format!("b{bits}"),
        // `f16x2` and the like
        None => "b32".to_string(),
        Some(_) => return None,
    };
    let one = |to: &Operand, from: &Operand| {
        another(i, format!("mov.{kind}"), vec![to.clone(), from.clone()])
    };
    match (result(i)?, source) {
        (Operand::Vector(to), Operand::Vector(from)) if to.len() == from.len() => {
            Some(to.iter().zip(from).map(|(to, from)| one(to, from)).collect())
        }
        (Operand::Vector(_), _) | (_, Operand::Vector(_) | Operand::Address { .. }) => None,
        (to, from) => Some(vec![one(&to, from)]),
    }
}

fn left_out(i: &Instruction) -> Vec<Vec<Instruction>> {
    let source = |at: usize| i.operands.get(at).and_then(|source| moved(i, source));
    let without = match base(i) {
        "st" | "red" | "stmatrix" => Some(Vec::new()),
        "cp" if !is_wait(i) => Some(Vec::new()),
        "atom" => {
            let kind = i.opcode.rsplit('.').next().unwrap_or_default();
            let space = ["global", "shared"].into_iter().find(|space| has(i, space));
            let opcode =
                format!("ld.{}{kind}", space.map(|it| format!("{it}.")).unwrap_or_default());
            let loads =
                result(i).map(|to| vec![another(i, opcode, vec![to, i.operands[1].clone()])]);
            Some(loads.unwrap_or_default())
        }
        "fma" | "mad" | "mma" if !has(i, "wide") => source(3),
        "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "and" | "or" | "xor" | "not"
        | "shl" | "shr" | "neg" | "abs" | "sqrt" | "rsqrt" | "rcp" | "ex2" | "lg2" | "sin"
        | "cos" | "selp" | "prmt" | "bfe" | "bfi" | "movmatrix" | "popc" | "clz" | "brev"
            if !has(i, "wide") =>
        {
            source(1)
        }
        _ => None,
    };
    without.into_iter().collect()
}

/// Whether it waits for asynchronous copies, or commits a group of them.
fn is_wait(i: &Instruction) -> bool {
    i.opcode.contains("wait") || i.opcode.contains("commit")
}

fn barrier(i: &Instruction) -> Vec<Vec<Instruction>> {
    let waits = match base(i) {
        "bar" | "barrier" | "membar" | "fence" => !has_result(i),
        "cp" => is_wait(i),
        _ => false,
    };
    if waits { vec![Vec::new()] } else { Vec::new() }
}

fn shuffle(i: &Instruction) -> Vec<Vec<Instruction>> {
    let mut all = Vec::new();
    match base(i) {
        "shfl" if i.operands.len() >= 4 => {
            for (from, to) in [("bfly", "up"), ("down", "up"), ("up", "down"), ("idx", "bfly")] {
                if has(i, from) {
                    all.push(modified(i, from, to));
                }
            }
            all.extend(moved(i, &i.operands[1]));
            // One more makes a butterfly that adds up the same lanes in another order.
            let changes: &[i64] = if has(i, "bfly") { &[-1] } else { &[1, -1] };
            // The result holds the changed lane, if nothing else is read from it.
            if let Some(to) = result(i).filter(|to| i.operands[1..].iter().all(|it| it != to)) {
                for change in changes {
                    let change = Operand::Integer(change.cast_unsigned());
                    let lane = vec![to.clone(), i.operands[2].clone(), change];
                    let mut operands = i.operands.clone();
                    operands[2] = to.clone();
                    all.push(vec![another(i, "add.s32", lane), another(i, &*i.opcode, operands)]);
                }
            }
        }
        "vote" if has(i, "any") => all.push(modified(i, "any", "all")),
        "vote" if has(i, "all") => all.push(modified(i, "all", "any")),
        "redux" if has(i, "add") => all.push(modified(i, "add", "max")),
        _ => {}
    }
    all
}

/// Comparisons without and with equality.
const COMPARISONS: [(&str, &str); 7] = [
    ("lt", "le"),
    ("gt", "ge"),
    ("lo", "ls"),
    ("hi", "hs"),
    ("ltu", "leu"),
    ("gtu", "geu"),
    ("eq", "ne"),
];

/// A `setp` whose comparison includes equality instead of excluding it, or the reverse.
fn compared(i: &Instruction) -> Option<Vec<Instruction>> {
    let comparison = i.opcode.strip_prefix("setp.")?.split('.').next()?;
    let (from, to) = COMPARISONS.into_iter().find_map(|(one, other)| match comparison {
        it if it == one => Some((one, other)),
        it if it == other => Some((other, one)),
        _ => None,
    })?;
    Some(modified(i, from, to))
}

fn predicate(i: &Instruction) -> Vec<Vec<Instruction>> {
    let negated = i.guard.as_ref().map(|(predicate, negated)| {
        vec![Instruction { guard: Some((predicate.clone(), !negated)), ..i.clone() }]
    });
    negated.into_iter().chain(compared(i)).collect()
}

fn round(i: &Instruction, function: &Function) -> Vec<Vec<Instruction>> {
    if function.is_backward(i) {
        return vec![Vec::new()];
    }
    let [Operand::Name(guard), counter, bound] = i.operands.as_slice() else { return Vec::new() };
    if base(i) != "setp" || !function.guards_loop(guard) {
        return Vec::new();
    }
    let step = match counter {
        Operand::Name(counter) => function.step_of(counter),
        _ => None,
    };
    let (counter, bound) = match (step, bound) {
        (Some((_, step)), Operand::Integer(bound)) => {
            (counter.clone(), Operand::Integer(bound.wrapping_add(step)))
        }
        (Some((before, _)), bound) if before != counter => (before.clone(), bound.clone()),
        _ => return compared(i).into_iter().collect(),
    };
    vec![vec![another(i, &*i.opcode, vec![i.operands[0].clone(), counter, bound])]]
}

fn operation(i: &Instruction) -> Vec<Vec<Instruction>> {
    const OTHERS: [(&str, &str); 10] = [
        ("add", "sub"),
        ("sub", "add"),
        ("min", "max"),
        ("max", "min"),
        ("and", "or"),
        ("or", "and"),
        ("xor", "or"),
        ("div", "mul"),
        ("rsqrt", "sqrt"),
        ("sqrt", "rsqrt"),
    ];
    let rest = i.opcode.strip_prefix(base(i)).unwrap_or_default();
    let other = OTHERS.into_iter().find(|(from, _)| *from == base(i)).map(|(_, to)| to);
    let bits = element(i).map_or(32, |it| it.bits);
    let change = match base(i) {
        "mul" if has(i, "lo") || element(i).is_none_or(|it| it.kind == Sort::Float) => {
            Some(renamed(i, format!("add{}", rest.replacen(".lo", "", 1))))
        }
        "mul" if has(i, "hi") => Some(modified(i, "hi", "lo")),
        "div" if element(i).is_some_and(|it| it.kind != Sort::Float) => {
            Some(renamed(i, format!("mul.lo{rest}")))
        }
        "shl" => Some(renamed(i, format!("shr.u{bits}"))),
        "shr" => Some(renamed(i, format!("shl.b{bits}"))),
        "atom" if has(i, "add") => element(i).map(|it| {
            let opcode = i.opcode.replacen(".add.", ".exch.", 1);
            let end = opcode.rfind('.').unwrap_or(opcode.len());
            renamed(i, format!("{}.b{}", &opcode[..end], it.bits))
        }),
        "cvt" if has(i, "rmi") => Some(modified(i, "rmi", "rpi")),
        "cvt" if has(i, "rpi") => Some(modified(i, "rpi", "rmi")),
        "fma" | "mad" if !has(i, "wide") => negated_product(i),
        _ => other.map(|other| renamed(i, format!("{other}{rest}"))),
    };
    change.into_iter().collect()
}

/// c − a·b instead of a·b + c, without another register.
fn negated_product(i: &Instruction) -> Option<Vec<Instruction>> {
    let [to, a, b, c] = i.operands.as_slice() else { return None };
    let kind = match element(i)? {
        Type { kind: Sort::Float, bits } => format!("f{bits}"),
        Type { bits, .. } => format!("s{bits}"),
    };
    let opcode = format!("neg.{kind}");
    let negate = |from: &Operand| another(i, &*opcode, vec![to.clone(), from.clone()]);
    let product = |a: &Operand, c: &Operand| {
        another(i, &*i.opcode, vec![to.clone(), a.clone(), b.clone(), c.clone()])
    };
    if to != b && to != c && matches!(a, Operand::Name(_)) {
        return Some(vec![negate(a), product(to, c)]);
    }
    // −(a·b − c)
    (to == c && to != a && to != b).then(|| vec![negate(to), product(a, to), negate(to)])
}

fn swapped(i: &Instruction) -> Vec<Vec<Instruction>> {
    let swap = |one: usize, other: usize| {
        let mut operands = i.operands.clone();
        operands.swap(one, other);
        vec![another(i, &*i.opcode, operands)]
    };
    let mut all = Vec::new();
    match (base(i), i.operands.len()) {
        ("sub" | "div" | "rem" | "shl" | "shr", 3) => all.push(swap(1, 2)),
        ("selp" | "prmt", 4) => all.push(swap(1, 2)),
        ("setp", 3) if !has(i, "eq") && !has(i, "ne") => all.push(swap(1, 2)),
        ("fma" | "mad", 4) if !has(i, "wide") => all.push(swap(2, 3)),
        _ => {}
    }
    // Two elements of a vector: only one of the vectors, or nothing would change.
    let vector =
        i.operands.iter().position(|it| matches!(it, Operand::Vector(parts) if parts.len() > 1));
    if let Some(at) = vector
        && let Operand::Vector(parts) = &i.operands[at]
    {
        let mut operands = i.operands.clone();
        let mut parts = parts.clone();
        parts.swap(0, 1);
        operands[at] = Operand::Vector(parts);
        all.push(vec![another(i, &*i.opcode, operands)]);
    }
    all
}

/// The instruction with each result of `change` for one of its sources.
fn operands(i: &Instruction, change: &dyn Fn(&Operand) -> Vec<Operand>) -> Vec<Vec<Instruction>> {
    // What takes no part in arithmetic: numbers of barriers, masks of lanes, places of parameters.
    let apart = ["call", "bar", "barrier", "vote", "match", "redux", "shfl"];
    if apart.contains(&base(i)) || is_wait(i) || has(i, "param") {
        return Vec::new();
    }
    let mut all = Vec::new();
    for at in sources(i) {
        for new in replaced(&i.operands[at], change) {
            let mut operands = i.operands.clone();
            operands[at] = new;
            all.push(vec![another(i, &*i.opcode, operands)]);
        }
    }
    all
}

fn replaced(operand: &Operand, change: &dyn Fn(&Operand) -> Vec<Operand>) -> Vec<Operand> {
    let Operand::Vector(parts) = operand else { return change(operand) };
    let of_part = |(at, part)| {
        replaced(part, change).into_iter().map(move |new| {
            let mut parts = parts.clone();
            parts[at] = new;
            Operand::Vector(parts)
        })
    };
    parts.iter().enumerate().flat_map(of_part).collect()
}

fn constants(part: &Operand, element: Option<Type>) -> Vec<Operand> {
    match *part {
        Operand::Integer(value) => {
            let value = value.cast_signed();
            let bits = element.map_or(32, |it| it.bits).clamp(8, 64);
            let fits = |it: &i64| bits == 64 || (-1 << (bits - 1)..1 << bits).contains(it);
            let others =
                [value.checked_add(1), value.checked_sub(1), value.checked_mul(2), Some(0)];
            others
                .into_iter()
                .flatten()
                .filter(fits)
                .map(|it| Operand::Integer(it.cast_unsigned()))
                .collect()
        }
        Operand::Single(bits) => match f32::from_bits(bits) {
            0.0 => vec![Operand::Single(1f32.to_bits())],
            value => [2.0 * value, -value, 0.0].map(|it| Operand::Single(it.to_bits())).to_vec(),
        },
        Operand::Double(bits) => match f64::from_bits(bits) {
            0.0 => vec![Operand::Double(1f64.to_bits())],
            value => [2.0 * value, -value, 0.0].map(|it| Operand::Double(it.to_bits())).to_vec(),
        },
        _ => Vec::new(),
    }
}

fn offsets(part: &Operand) -> Vec<Operand> {
    match part {
        Operand::Address { base: Some(base), plus } => [4, -4]
            .into_iter()
            .map(|more| Operand::Address {
                base: Some(base.clone()),
                plus: plus.wrapping_add(more),
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn neighbours(part: &Operand, function: &Function) -> Vec<Operand> {
    match part {
        Operand::Name(name) => function.neighbours(name).into_iter().map(Operand::Name).collect(),
        Operand::Address { base: Some(base), plus } => function
            .neighbours(base)
            .into_iter()
            .map(|base| Operand::Address { base: Some(base), plus: *plus })
            .collect(),
        _ => Vec::new(),
    }
}
