//! Copies of boxes of tensors (PTX ISA, "cp.async.bulk.tensor"), done where they begin but for what lands late.

use super::atomics::updated;
use super::cause::Cause;
use super::landings::Landing;
use super::listener::{Kind, Touch};
use super::peers::Peers;
use super::spaces::{Refused, Spaces, refuse, window};
use super::transfer::addresses;
use memory::Storage;
use program::registers::{LANES, Registers, Value, lanes};
use program::{AtomicOperation, AtomicType, TensorCopy};
use ptx::Space;
use textures::{MAP_BYTES, MOST_DIMENSIONS, TensorMap, swizzled};

/// Copies in one go, for one lane of `mask` after the other; the number of bytes of the box goes to its register. `report`
/// gets each element just before it is copied.
pub(super) fn copy(
    spaces: &Spaces,
    (registers, local): (&mut Registers, &Storage),
    copy: &TensorCopy,
    (at, warp, mask): (u32, u32, u32),
    mut landing: Option<&mut Landing>,
    mut report: impl FnMut(&Registers, &Touch),
) -> Result<(), Refused> {
    let (space, register, plus) = copy.shared;
    let shared = addresses(registers, register, plus);
    for lane in lanes(mask) {
        let map = map(spaces, local, registers.double(copy.map)[lane], lane)?;
        let first = copy.coordinates.map(|it| i64::from(registers.word(it)[lane] as i32));
        if let Some(text) = map.refusal(first, copy.stores) {
            return Err(Box::new((lane, Cause::Object(text))));
        }
        let map = if copy.stores && copy.reduces.is_none() { map.of_stores() } else { map };
        u32::write(registers, copy.bytes, 1 << lane, &[map.box_bytes() as u32; LANES]);
        let ranks = match copy.ranks {
            Some(ranks) => Peers::of_mask(registers.word(ranks)[lane]).collect(),
            None => vec![spaces.peers.rank],
        };
        let size = u64::from(map.element.bytes);
        // Elements that are copied at once where that makes no difference.
        let many = WIDEST / size;
        let mut bytes = size;
        let mut access = |place: (Space, u64),
                          bytes: u64,
                          (kind, value): (Kind, u64),
                          change: &mut dyn FnMut(&Storage, u64)| {
            let (space, address) = place;
            let addresses = [address; LANES];
            let touch = Touch::new((at, warp, 1 << lane), (kind, space, bytes), &addresses);
            let is_store = kind == Kind::Store;
            let touch = if is_store { touch.of_copied(value.into()) } else { touch };
            report(registers, &touch);
            let write = kind != Kind::Load;
            let refused = || refuse(spaces, lane, space, address, bytes, write);
            let found = window(spaces, local, space, address, write, &mut u32::MAX.clone());
            let found = found.ok_or_else(refused)?;
            change(found.storage, found.offset(lane, address, bytes).ok_or_else(refused)?);
            Ok::<(), Refused>(())
        };
        for (index, place) in (0..).zip(places(&map)) {
            let place = std::array::from_fn(|k| first[k] + i64::from(place[k]));
            let element = map.at(place);
            if index % many == 0 {
                let at_once = copy.reduces.is_none() && is_alike(&map, place, element, many);
                bytes = if at_once { WIDEST } else { size };
            } else if bytes == WIDEST {
                continue;
            }
            let there = swizzled(shared[lane] + index * size, map.swizzle.into());
            let mut value = repeated(map.outside(), size);
            if copy.stores {
                // Nothing is stored outside of the tensor.
                let Some(element) = element else { continue };
                access((space, there), bytes, (Kind::Load, 0), &mut |it, at| {
                    value = it.load(at, bytes)
                })?;
                let kind = if copy.reduces.is_some() { Kind::Atomic } else { Kind::Store };
                access((Space::Global, element), bytes, (kind, value), &mut |it, at| match copy
                    .reduces
                {
                    Some(operation) => {
                        let reduces = (operation, element_type(&map, operation));
                        it.update(at, bytes, |old| updated(reduces, old, value, 0));
                    }
                    None => it.store(at, bytes, value),
                })?;
                continue;
            }
            if let Some(element) = element {
                access((Space::Global, element), bytes, (Kind::Load, 0), &mut |it, at| {
                    value = it.load(at, bytes)
                })?;
            }
            for &rank in &ranks {
                let there =
                    if copy.ranks.is_some() { spaces.peers.mapped(there, rank) } else { there };
                access(
                    (space, there),
                    bytes,
                    (Kind::Store, value),
                    &mut |it, at| match &mut landing {
                        Some(landing) => landing.bring((space, there), bytes, value),
                        None => it.store(at, bytes, value),
                    },
                )?;
            }
        }
    }
    Ok(())
}

/// Bytes that are copied at once, at most.
const WIDEST: u64 = 8;

/// Whether the first of so many neighbours in a row of the box, at `place`, stands for all of them: they are all in the tensor,
/// from a multiple of [`WIDEST`] on, or all outside of it.
fn is_alike(
    map: &TensorMap,
    place: [i64; MOST_DIMENSIONS],
    element: Option<u64>,
    many: u64,
) -> bool {
    let mut last = place;
    last[0] += many as i64 - 1;
    match (element, map.at(last)) {
        (Some(address), Some(_)) => address.is_multiple_of(WIDEST),
        // Fewer elements could lie between.
        (None, None) => map.sizes[0] >= many,
        _ => false,
    }
}

/// An element of so many bytes over and over.
fn repeated(element: u64, bytes: u64) -> u64 {
    (0..WIDEST / bytes).fold(0, |all, k| all | element << (8 * bytes * k))
}

/// The map at a generic address.
fn map(spaces: &Spaces, local: &Storage, address: u64, lane: usize) -> Result<TensorMap, Refused> {
    let size = MAP_BYTES as u64;
    let found = window(spaces, local, Space::Generic, address, false, &mut u32::MAX.clone());
    let refused = || refuse(spaces, lane, Space::Generic, address, size, false);
    let found = found.ok_or_else(refused)?;
    // A parameter's address is a multiple of 64 only.
    let offset = address.wrapping_sub(found.base);
    if !address.is_multiple_of(64) || offset + size > found.bytes {
        return Err(refused());
    }
    let bytes =
        std::array::from_fn(|k| found.storage.load(found.start + offset + k as u64, 1) as u8);
    let map = TensorMap::decode(&bytes).ok_or_else(|| {
        let text = format!("there is no tensor map at {address:#x}: make one by cuTensorMapEncodeTiled, and pass it as a \
                            `const __grid_constant__ CUtensorMap` or in global memory");
        Box::new((lane, Cause::Object(text)))
    })?;
    // The kernel may have replaced fields.
    map.check()
        .map_err(|error| Box::new((lane, Cause::Object(format!("a tensor map with {error}")))))?;
    Ok(map)
}

/// The places in a box, innermost dimension first.
fn places(map: &TensorMap) -> impl Iterator<Item = [u32; MOST_DIMENSIONS]> + use<> {
    let boxes = map.boxes;
    let count: u64 = boxes[..usize::from(map.dimensions)].iter().map(|&it| u64::from(it)).product();
    let mut place = [0; MOST_DIMENSIONS];
    (0..count).map(move |_| {
        let here = place;
        for at in 0..MOST_DIMENSIONS {
            place[at] += 1;
            if place[at] < boxes[at] {
                break;
            }
            place[at] = 0;
        }
        here
    })
}

/// The type by which elements are combined.
fn element_type(map: &TensorMap, operation: AtomicOperation) -> AtomicType {
    use AtomicOperation::{Add, Max, Min};
    use semantics::half::Format;
    let is_arithmetic = matches!(operation, Add | Min | Max);
    match (map.element.bytes, map.element.is_float && is_arithmetic) {
        (2, true) => {
            AtomicType::Half(if map.element.is_brain { Format::Bf16 } else { Format::F16 })
        }
        (4, true) => AtomicType::F32,
        (8, true) => AtomicType::F64,
        (8, false) if map.element.is_signed => AtomicType::I64,
        (8, false) => AtomicType::U64,
        (_, _) if map.element.is_signed => AtomicType::I32,
        (_, _) => AtomicType::U32,
    }
}
