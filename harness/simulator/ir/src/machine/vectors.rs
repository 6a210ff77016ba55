//! Joins loads, and stores, of neighbouring elements to those of two or four. Three elements are loaded with the fourth, as LLVM
//! does it: what is aligned to all four has it.

use std::collections::HashMap;

use super::{Access, Base, Code, Form, Instruction, Operand, Register, Space};
use crate::types::Class;

/// The most bytes of one access.
const MOST_BYTES: u64 = 16;

/// What accesses that may be joined have in common.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    base: Base,
    space: Space,
    modifiers: String,
    element: &'static str,
    is_store: bool,
}

/// One of them: the number of its instruction, its offset and what its address is a multiple of.
#[derive(Clone, Copy)]
struct Member {
    at: usize,
    offset: i64,
    align: u64,
}

pub(super) fn join_accesses(code: &mut Code) {
    for block in &mut code.blocks {
        let mut open: HashMap<Key, Vec<Member>> = HashMap::new();
        let mut closed: Vec<(Key, Vec<Member>)> = Vec::new();
        let mut stores: Vec<(Key, Member)> = Vec::new();
        for (at, instruction) in block.instructions.iter().enumerate() {
            match member(instruction, at) {
                Some((key, member, bytes)) => {
                    let meets = |other: &Key, members: &[Member]| {
                        (key.is_store || other.is_store)
                            && may_meet(&key, member.offset, bytes, other, members)
                    };
                    // A load goes to the first of its group: no store after that one may meet it.
                    let is_late = |members: &[Member]| {
                        !key.is_store
                            && stores
                                .iter()
                                .any(|(other, it)| it.at > members[0].at && meets(other, &[*it]))
                    };
                    close(&mut open, &mut closed, |other, members| {
                        meets(other, members) || *other == key && is_late(members)
                    });
                    if key.is_store {
                        stores.push((key.clone(), member));
                    }
                    open.entry(key).or_default().push(member);
                }
                None if is_fence(instruction) => {
                    close(&mut open, &mut closed, |_, _| true);
                    stores.clear();
                }
                None => {}
            }
        }
        close(&mut open, &mut closed, |_, _| true);
        let mut is_gone = vec![false; block.instructions.len()];
        // In an order that does not depend on the table's.
        closed.sort_by_key(|(_, members)| members[0].at);
        for (key, members) in closed {
            join_group(&mut block.instructions, &mut code.classes, &key, members, &mut is_gone);
        }
        let mut gone = is_gone.into_iter();
        block.instructions.retain(|_| !gone.next().unwrap_or(false));
    }
}

fn close(
    open: &mut HashMap<Key, Vec<Member>>,
    closed: &mut Vec<(Key, Vec<Member>)>,
    is_over: impl Fn(&Key, &[Member]) -> bool,
) {
    closed.extend(open.extract_if(|key, members| is_over(key, members)));
}

fn access(instruction: &Instruction) -> Option<(&Access, bool)> {
    match &instruction.form {
        Form::Load(access) => Some((access, false)),
        Form::Store(access) => Some((access, true)),
        _ => None,
    }
}

/// An access that may be joined with others, and its bytes.
fn member(instruction: &Instruction, at: usize) -> Option<(Key, Member, u64)> {
    let (access, is_store) = access(instruction).filter(|(access, _)| access.is_plain)?;
    let Operand::Memory(base, offset) = &instruction.operands[0] else { return None };
    let is_scalar = instruction.results.len() + instruction.operands.len() == 2;
    let key = Key {
        base: base.clone(),
        space: access.space,
        modifiers: access.modifiers.clone(),
        element: access.element,
        is_store,
    };
    is_scalar.then_some((key, Member { at, offset: *offset, align: access.align }, access.bytes))
}

/// Whether nothing may be moved across an instruction.
fn is_fence(instruction: &Instruction) -> bool {
    match &instruction.form {
        Form::Pure(_) => false,
        Form::Text { has_effects, .. } => *has_effects,
        Form::Fixed(_) | Form::Load(_) | Form::Store(_) => true,
    }
}

/// Whether an access may touch what others touch.
fn may_meet(key: &Key, offset: i64, bytes: u64, other: &Key, members: &[Member]) -> bool {
    if key.space != other.space {
        return key.space == Space::Generic || other.space == Space::Generic;
    }
    match (&key.base, &other.base) {
        (one, two) if one == two => {
            let far = MOST_BYTES.max(bytes) as i64; // no element is larger
            members.iter().any(|it| {
                let is_same = key.element == other.element;
                let reach = if is_same { bytes as i64 } else { far };
                (it.offset - offset).abs() < reach
            })
        }
        (Base::Symbol(_), Base::Symbol(_)) => false,
        _ => true,
    }
}

fn join_group(
    instructions: &mut [Instruction],
    classes: &mut Vec<Class>,
    key: &Key,
    mut members: Vec<Member>,
    is_gone: &mut [bool],
) {
    members.sort_by_key(|it| it.offset);
    let Some((first, _)) = access(&instructions[members[0].at]) else { return };
    let bytes = first.bytes;
    let mut at = 0;
    while at < members.len() {
        let start = members[at].offset;
        // Each member says something about the address of each other.
        let align = members.iter().map(|it| known_align(*it, start)).max().unwrap_or(1);
        // So many, which take the place of so many.
        let joined = [(4, 4), (3, 4), (2, 2)].into_iter().find(|(count, width)| {
            let total = bytes * width;
            let are_next = members.get(at..at + count).is_some_and(|some| {
                some.iter().zip(0..).all(|(it, index)| it.offset == start + index * bytes as i64)
            });
            let is_whole = *count as u64 == *width || !key.is_store;
            total <= MOST_BYTES && align >= total && are_next && is_whole
        });
        let Some((count, width)) = joined else {
            at += 1;
            continue;
        };
        let kept = join_some(instructions, key.is_store, &members[at..at + count], is_gone);
        if let (Some(kept), true) = (kept, (count as u64) < width) {
            let last = instructions[kept].results[count - 1];
            classes.push(classes[last as usize]);
            instructions[kept].results.push(classes.len() as Register - 1);
        }
        at += count;
    }
}

/// What the address at an offset is a multiple of, by what is known of a member's.
fn known_align(member: Member, offset: i64) -> u64 {
    let distance = member.offset.abs_diff(offset);
    match distance {
        0 => member.align,
        _ => member.align.min(1 << distance.trailing_zeros()),
    }
}

/// Joins some, at the first of the loads or the last of the stores: where that is.
fn join_some(
    instructions: &mut [Instruction],
    is_store: bool,
    some: &[Member],
    is_gone: &mut [bool],
) -> Option<usize> {
    let places = some.iter().map(|it| it.at);
    let kept = if is_store { places.max() } else { places.min() }?;
    let mut joined = instructions[kept].clone();
    joined.operands = instructions[some[0].at].operands[..1].to_vec();
    joined.results.clear();
    for member in some {
        let one = &instructions[member.at];
        joined.operands.extend_from_slice(&one.operands[1..]);
        joined.results.extend_from_slice(&one.results);
        is_gone[member.at] = member.at != kept;
    }
    instructions[kept] = joined;
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Block, End};

    fn load(result: u32, offset: i64, align: u64) -> Instruction {
        let access = Access {
            space: Space::Global,
            modifiers: ".global".to_string(),
            element: "b32",
            bytes: 4,
            align,
            is_plain: true,
        };
        let operands = vec![Operand::Memory(Base::Register(9), offset)];
        Instruction { form: Form::Load(access), results: vec![result], operands, location: None }
    }

    fn joined(instructions: Vec<Instruction>) -> Vec<Vec<u32>> {
        let block = Block { phis: Vec::new(), instructions, end: End::Return, location: None };
        let mut code = Code { blocks: vec![block], classes: vec![Class::B32; 10] };
        join_accesses(&mut code);
        code.blocks[0].instructions.iter().map(|it| it.results.clone()).collect()
    }

    #[test]
    fn neighbours_are_joined_where_their_alignment_is_known() {
        let four = |align| vec![load(0, 0, align), load(2, 8, 4), load(1, 4, 4), load(3, 12, 4)];
        assert_eq!(joined(four(16)), [[0, 1, 2, 3]]);
        assert_eq!(joined(four(8)), [[0, 1], [2, 3]]);
        assert_eq!(joined(four(4)).len(), 4);
        assert_eq!(joined(vec![load(0, 0, 16), load(1, 4, 4), load(2, 8, 8)]), [[0, 1, 2, 10]]);
        // The second element's alignment says that of the first.
        assert_eq!(joined(vec![load(0, 4, 4), load(1, 8, 16)]).len(), 2);
        assert_eq!(joined(vec![load(0, 8, 4), load(1, 12, 4), load(2, 16, 8)])[0], [0, 1]);
    }

    #[test]
    fn a_store_that_may_change_an_element_keeps_loads_apart() {
        let mut store = load(0, 4, 4);
        store.results.clear();
        store.operands.push(Operand::Integer(0));
        let Form::Load(access) = store.form.clone() else { unreachable!() };
        store.form = Form::Store(access);
        assert_eq!(joined(vec![load(0, 0, 8), store.clone(), load(1, 4, 4)]).len(), 3);
        store.operands[0] = Operand::Memory(Base::Register(9), 8);
        assert_eq!(joined(vec![load(0, 0, 8), store, load(1, 4, 4)]).len(), 2);
    }
}
