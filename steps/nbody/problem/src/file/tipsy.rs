//! Bodies in Tipsy's binary format, in the form that NVIDIA's n-body sample reads.
//!
//! | bytes | header |
//! |---|---|
//! | 0 | `double` time |
//! | 8 | `int` number of bodies, dimensions (3), gas, dark and star particles |
//! | 28 | 4 bytes to a multiple of 8, which some writers leave out |
//!
//! Dark particles follow, 36 bytes each: `float` mass, position[3], velocity[3], softening, and an
//! `int` that the sample takes for the body's number. Then star particles, 44 bytes each: the same
//! with metallicity and time of formation before the softening. Byte order is the writer's: little
//! on today's machines, big in Tipsy's "standard" form; the number of dimensions tells.

use std::io::{self, Write};

use super::Bodies;

const HEADER: usize = 28;
const PADDED_HEADER: usize = 32;
const DARK: usize = 36;
const STAR: usize = 44;

/// Softening that is written with each body; readers that follow the sample may use it.
const SOFTENING: f32 = 0.05;

/// Words of the file in its own byte order.
struct Words<'a> {
    content: &'a [u8],
    is_big: bool,
}

impl Words<'_> {
    fn bytes(&self, at: usize) -> [u8; 4] {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(&self.content[at..at + 4]);
        bytes
    }

    fn int(&self, at: usize) -> i32 {
        let bytes = self.bytes(at);
        if self.is_big { i32::from_be_bytes(bytes) } else { i32::from_le_bytes(bytes) }
    }

    fn float(&self, at: usize) -> f32 {
        f32::from_bits(self.int(at).cast_unsigned())
    }
}

/// Reads the content of a Tipsy file.
///
/// # Errors
/// The byte of the first problem, and its remedy.
pub(super) fn parse(content: &[u8]) -> Result<Bodies, String> {
    if content.len() < HEADER {
        return Err(format!(
            "byte {}: the file ends within Tipsy's header of {HEADER} bytes; \
             a body file is Tipsy, or CSV with a name that ends in .csv",
            content.len()
        ));
    }
    let is_big = i32::from_be_bytes([content[12], content[13], content[14], content[15]]) == 3;
    let words = Words { content, is_big };
    if words.int(12) != 3 {
        return Err(format!(
            "byte 12: the number of dimensions is {}, not 3; \
             a body file is Tipsy, or CSV with a name that ends in .csv",
            words.int(12)
        ));
    }
    let (dark, star) = counts(&words)?;
    let particles = dark * DARK as u64 + star * STAR as u64;
    let length = content.len() as u64;
    let start = if length == HEADER as u64 + particles { HEADER } else { PADDED_HEADER };
    let expected = start as u64 + particles;
    if length != expected {
        let what = if length < expected { "ends early" } else { "goes on" };
        return Err(format!(
            "byte {}: the file {what}; {dark} dark and {star} star particles end at byte {expected}; \
             copy or write it again",
            length.min(expected)
        ));
    }
    // The file has this many bytes, so the numbers fit.
    let (dark, star) = (dark as usize, star as usize);
    let mut bodies = Bodies::with_capacity(dark + star);
    let stars = start + dark * DARK;
    let dark_at = (0..dark).map(|i| start + i * DARK);
    for at in dark_at.chain((0..star).map(|i| stars + i * STAR)) {
        push(&mut bodies, &words, at)?;
    }
    Ok(bodies)
}

/// Numbers of dark and star particles.
fn counts(words: &Words) -> Result<(u64, u64), String> {
    let count = |at: usize, name: &str| {
        let value = words.int(at);
        u64::try_from(value).map_err(|_| format!("byte {at}: the number of {name} is {value}"))
    };
    let total = count(8, "bodies")?;
    let gas = count(16, "gas particles")?;
    let dark = count(20, "dark particles")?;
    let star = count(24, "star particles")?;
    if gas != 0 {
        return Err(format!(
            "byte 16: there are {gas} gas particles; only dark and star particles can be run, \
             since gas feels more than gravity"
        ));
    }
    if total != dark + star {
        return Err(format!(
            "byte 8: {total} bodies are not {dark} dark and {star} star particles"
        ));
    }
    if total == 0 {
        return Err("byte 8: the file has no bodies; write at least one".to_owned());
    }
    Ok((dark, star))
}

/// Adds the particle at byte `at`, whose first seven floats are the same in both kinds.
fn push(bodies: &mut Bodies, words: &Words, at: usize) -> Result<(), String> {
    let number = bodies.len();
    let fields: [f32; 7] = std::array::from_fn(|field| words.float(at + 4 * field));
    if let Some(field) = fields.iter().position(|value| !value.is_finite()) {
        return Err(format!(
            "byte {}: body {number} has a value that is not finite ({}); remove the body",
            at + 4 * field,
            fields[field]
        ));
    }
    let [mass, x, y, z, vx, vy, vz] = fields;
    if mass < 0.0 {
        return Err(format!("byte {at}: the mass of body {number} is negative ({mass})"));
    }
    bodies.push(mass, [x, y, z], [vx, vy, vz]);
    Ok(())
}

/// Writes bodies as dark particles, little-endian, at time 0.
///
/// # Errors
/// The writer's, and for more bodies than the format can count.
pub(super) fn write(out: &mut dyn Write, bodies: &Bodies) -> io::Result<()> {
    let n = i32::try_from(bodies.len())
        .map_err(|_| io::Error::other("Tipsy cannot count so many bodies"))?;
    out.write_all(&0f64.to_le_bytes())?;
    for word in [n, 3, 0, n, 0, 0] {
        out.write_all(&word.to_le_bytes())?;
    }
    for number in 0..n {
        let i = number as usize;
        out.write_all(&bodies.mass[i].to_le_bytes())?;
        for value in bodies.position_of(i).iter().chain(&bodies.velocity_of(i)) {
            out.write_all(&value.to_le_bytes())?;
        }
        out.write_all(&SOFTENING.to_le_bytes())?;
        out.write_all(&number.to_le_bytes())?;
    }
    Ok(())
}
