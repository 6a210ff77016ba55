//! Loads and stores of surfaces.

use super::objects::{Tap, memory_of, wrong_object};
use crate::cause::Cause;
use crate::context::Context;
use crate::spaces::Refused;
use memory::Storage;
use program::registers::{File, LANES, Registers, lanes};
use program::{Outside, SurfaceAccess, SurfaceData};
use textures::{Array, Format, Geometry};

/// Where a lane's element lies: its storage and its offset there, and the format of the surface. `None` where nothing is
/// read or written.
pub(super) type Element<'a> = Option<(&'a Storage, u64, Format)>;

/// The elements of a warp.
pub(super) struct Found<'a> {
    pub(super) elements: Box<[Element<'a>; LANES]>,
    /// Where they lie.
    pub(super) taps: Vec<Tap>,
    /// Bytes of each.
    pub(super) bytes: u64,
}

/// A surface object by its number.
pub(super) fn array_of<'a>(cx: &'a Context, number: u64) -> Result<&'a Array, Cause> {
    cx.objects.surface(number).ok_or_else(|| wrong_object(cx, number, "a surface object"))
}

/// Finds the elements of all lanes of `mask`.
pub(super) fn find<'a>(
    cx: &'a Context,
    registers: &Registers,
    access: &SurfaceAccess,
    objects: &[u64; LANES],
    mask: u32,
) -> Result<Found<'a>, Refused> {
    let mut elements = Box::new([None; LANES]);
    let mut tap: Tap = (0, [0; LANES]);
    let mut bytes = access.bytes * u64::from(access.count);
    for lane in lanes(mask) {
        let refused = |cause| Box::new((lane, cause));
        let array = array_of(cx, objects[lane]).map_err(refused)?;
        let shape = array.shape();
        let (own, wanted) = (shape.geometry, access.coordinates.geometry);
        // Faces are layers to surfaces.
        let is_faces =
            matches!(own, Geometry::Cube | Geometry::Cubes) && wanted == Geometry::Planes;
        if own != wanted && !is_faces {
            return Err(refused(Cause::Object(format!(
                "{:#x} is a surface of geometry .{}, where the instruction accesses .{}",
                objects[lane],
                own.name(),
                wanted.name()
            ))));
        }
        if access.what == SurfaceData::StoreFormatted {
            bytes = shape.format.bytes();
        }
        let range = (array.address(), shape.bytes());
        let (storage, base) = memory_of(cx, range).map_err(refused)?;
        let at = access.coordinates.registers.map(|r| registers.word(r)[lane].cast_signed());
        let place = place(access, shape.extent, shape.format, bytes, at).map_err(refused)?;
        if let Some((byte, y, z)) = place {
            let address = array.address() + shape.layout().offset(byte, y, z);
            tap.0 |= 1 << lane;
            tap.1[lane] = address;
            elements[lane] = Some((storage, address - base, shape.format));
        }
    }
    Ok(Found { elements, taps: vec![tap], bytes })
}

/// Byte of the row, row, slice of an access of so many bytes; nothing outside under `.zero`.
fn place(
    access: &SurfaceAccess,
    [width, height, depth]: [u32; 3],
    format: Format,
    bytes: u64,
    [a, b, c, _]: [i32; 4],
) -> Result<Option<(u64, u32, u32)>, Cause> {
    let (x, y, z) = match access.coordinates.geometry {
        Geometry::Row => (a, 0, 0),
        Geometry::Plane => (a, b, 0),
        Geometry::Rows => (b, 0, a),
        Geometry::Planes => (b, c, a),
        Geometry::Space | Geometry::Cube | Geometry::Cubes => (a, b, c),
    };
    let row = u64::from(width) * format.bytes();
    let formatted = access.what == SurfaceData::StoreFormatted;
    let unit = if formatted { format.bytes() as i64 } else { 1 };
    let byte = i64::from(x) * unit;
    let last = row as i64 - bytes as i64;
    let is_inside = (0..=last).contains(&byte)
        && (0..i64::from(height)).contains(&y.into())
        && (0..i64::from(depth)).contains(&z.into());
    if is_inside && !(byte as u64).is_multiple_of(bytes) {
        return Err(Cause::Outside(format!(
            "x = {x} is no multiple of the {bytes} bytes that each thread moves"
        )));
    }
    if is_inside {
        return Ok(Some((byte as u64, y as u32, z as u32)));
    }
    match access.outside {
        Outside::Zero => Ok(None),
        Outside::Clamp => {
            let within = |at: i32, extent: u32| at.clamp(0, extent as i32 - 1) as u32;
            // Layers are unsigned numbers.
            let z = match access.coordinates.geometry {
                Geometry::Rows | Geometry::Planes => z.cast_unsigned().min(depth - 1),
                _ => within(z, depth),
            };
            Ok(Some((byte.clamp(0, last) as u64, within(y, height), z)))
        }
        Outside::Trap => {
            let what = if formatted { "x counts texels" } else { "x counts bytes" };
            Err(Cause::Outside(format!(
                "{bytes} bytes at x = {x}, y = {y}, z or layer = {z} of a surface of {row} bytes × {height} × {depth} ({what})"
            )))
        }
    }
}

/// Loads or stores the elements of all lanes of `mask`.
pub(super) fn move_all(
    registers: &mut Registers,
    access: &SurfaceAccess,
    elements: &[Element; LANES],
    mask: u32,
) {
    for lane in lanes(mask) {
        if access.what == SurfaceData::StoreFormatted {
            if let Some((storage, offset, format)) = elements[lane] {
                let size = u64::from(format.bits / 8);
                for (k, &data) in (0..).zip(&access.data[..format.components.into()]) {
                    let value = format.encode(registers.word(data)[lane]);
                    storage.store(offset + k * size, size, value.into());
                }
            }
            continue;
        }
        for (k, &data) in (0..).zip(&access.data[..access.count.into()]) {
            let place =
                elements[lane].map(|(storage, offset, _)| (storage, offset + k * access.bytes));
            match access.what {
                SurfaceData::Load => {
                    let value = place.map_or(0, |(storage, at)| storage.load(at, access.bytes));
                    match access.file {
                        File::Doubles => registers.double_mut(data)[lane] = value,
                        _ => registers.word_mut(data)[lane] = value as u32,
                    }
                }
                _ => {
                    if let Some((storage, at)) = place {
                        let value = match access.file {
                            File::Doubles => registers.double(data)[lane],
                            _ => registers.word(data)[lane].into(),
                        };
                        storage.store(at, access.bytes, value);
                    }
                }
            }
        }
    }
}
