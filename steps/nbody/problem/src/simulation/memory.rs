//! How bodies lie in a device's memory, and the way there and back.

use device::{Buffer, Device, Error};

use crate::bodies::Bodies;
use crate::step::{self, Layout, Step};

/// The ten fields of a body, in the order of every layout; also the names of the scalar arrays.
const FIELDS: [&str; 10] =
    ["mass", "posx", "posy", "posz", "velx", "vely", "velz", "accx", "accy", "accz"];

/// The arrays of four numbers for each body.
const VECTORS: [&str; 3] = ["body", "velocity", "acceleration"];

/// Bits of a NaN that no kernel computes: what has not been written.
const POISON: u32 = u32::MAX;

/// A step's buffers.
pub(super) struct Memory {
    layout: Layout,
    buffers: Vec<Buffer>,
    scratch: Vec<Buffer>,
    n: usize,
    padded: usize,
}

/// What was copied back from a device.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Masses, positions and velocities of the bodies, without padding.
    pub bodies: Bodies,
    /// Accelerations: x, y, z.
    pub acceleration: [Vec<f32>; 3],
    /// What was found written where nothing may be written.
    pub stray: Option<String>,
}

impl State {
    /// Whether a kernel wrote any of the acceleration of body `i`, which was poisoned.
    pub fn is_written(&self, i: usize) -> bool {
        self.acceleration.iter().any(|axis| axis[i].to_bits() != POISON)
    }
}

impl Memory {
    /// Allocates the buffers for `n` bodies, `padded` with padding.
    pub(super) fn allocate(
        device: &mut dyn Device,
        step: &Step,
        n: usize,
        padded: usize,
    ) -> Result<Memory, Error> {
        let mut alloc = |name: &str, bytes: usize| device.alloc(name, bytes);
        let bytes = padded * size_of::<f32>();
        let buffers = match step.host.layout {
            Layout::ArrayOfStructs => vec![alloc("body", FIELDS.len() * bytes)?],
            Layout::ScalarArrays => {
                FIELDS.iter().map(|name| alloc(name, bytes)).collect::<Result<_, Error>>()?
            }
            Layout::Float4 => {
                VECTORS.iter().map(|name| alloc(name, 4 * bytes)).collect::<Result<_, Error>>()?
            }
        };
        let scratch = scratch(step, padded as u64)
            .map(|(name, bytes)| alloc(name, bytes))
            .collect::<Result<_, Error>>()?;
        Ok(Memory { layout: step.host.layout, buffers, scratch, n, padded })
    }

    /// Fills the buffers: with the bodies, and with their accelerations or with poison; scratch
    /// with zeros.
    ///
    /// # Panics
    /// If there are not as many bodies as were allocated for.
    pub(super) fn upload(
        &self,
        device: &mut dyn Device,
        bodies: &Bodies,
        acceleration: Option<&[Vec<f32>; 3]>,
    ) -> Result<(), Error> {
        assert_eq!(bodies.len(), self.n, "the buffers are for as many bodies");
        let columns = columns(bodies, acceleration, self.padded);
        let contents = match self.layout {
            Layout::ArrayOfStructs => vec![interleave(&columns)],
            Layout::ScalarArrays => columns,
            Layout::Float4 => vectors(&columns),
        };
        for (buffer, words) in self.buffers.iter().zip(&contents) {
            fill(device, buffer, words)?;
        }
        self.scratch.iter().try_for_each(|buffer| device.fill(buffer, 0))
    }

    /// Bodies, with padding.
    pub(super) fn padded(&self) -> usize {
        self.padded
    }

    /// Bytes of the bodies.
    pub(super) fn bytes(&self) -> usize {
        self.buffers.iter().map(Buffer::bytes).sum()
    }

    /// One buffer of structs, ten of scalars or three of vectors, in the order of the kernels'
    /// parameters.
    pub(super) fn buffers(&self) -> &[Buffer] {
        &self.buffers
    }

    /// The same, and the step's own memory.
    pub(super) fn all(&self) -> impl Iterator<Item = &Buffer> {
        self.buffers.iter().chain(&self.scratch)
    }

    /// Looks whether anything was written beside the buffers.
    pub(super) fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.all().try_for_each(|buffer| device.check_guards(buffer))
    }

    /// Copies everything back.
    pub(super) fn download(&self, device: &mut dyn Device) -> Result<State, Error> {
        let read: Result<Vec<Vec<u32>>, Error> =
            self.buffers.iter().map(|buffer| device.read(buffer)).collect();
        let read = read?;
        let columns = match self.layout {
            Layout::ArrayOfStructs => separate(&read[0]),
            Layout::ScalarArrays => read,
            Layout::Float4 => fields(&read),
        };
        Ok(state(&columns, self.n))
    }
}

/// Copies words to a buffer. Poison among them stands for what has not been written: a kernel that
/// reads it is told of.
fn fill(device: &mut dyn Device, buffer: &Buffer, words: &[u32]) -> Result<(), Error> {
    device.upload(buffer, bytemuck::cast_slice(words))?;
    let mut offset = 0;
    for run in words.chunk_by(|a, b| (*a == POISON) == (*b == POISON)) {
        if run[0] == POISON {
            device.forget(buffer, offset, size_of_val(run))?;
        }
        offset += size_of_val(run);
    }
    Ok(())
}

/// Bytes of a device's memory that `n` bodies of `step` take, with what the step needs beside them.
pub fn bytes(step: &Step, n: u64) -> u64 {
    let padded = step::padded(step, n, 1);
    let numbers = match step.host.layout {
        Layout::ArrayOfStructs | Layout::ScalarArrays => FIELDS.len(),
        Layout::Float4 => 4 * VECTORS.len(),
    };
    let beside: u64 = scratch(step, padded).map(|(_, bytes)| bytes as u64).sum();
    padded * 4 * numbers as u64 + beside
}

/// Names and sizes in bytes of what a step needs beside so many bodies, padding included.
fn scratch(step: &Step, padded: u64) -> impl Iterator<Item = (&'static str, usize)> {
    let padded = u32::try_from(padded).unwrap_or(u32::MAX);
    step.host.scratch.iter().map(move |scratch| (scratch.name, (scratch.bytes)(padded)))
}

/// The ten fields as words: the bodies, then massless padding at rest in the origin.
/// Accelerations that are not given are poison.
fn columns(bodies: &Bodies, acceleration: Option<&[Vec<f32>; 3]>, padded: usize) -> Vec<Vec<u32>> {
    let fields = std::iter::once(&bodies.mass).chain(&bodies.position).chain(&bodies.velocity);
    let mut columns: Vec<Vec<u32>> = fields
        .map(|values| {
            let mut column: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
            column.resize(padded, 0f32.to_bits());
            column
        })
        .collect();
    for axis in acceleration.into_iter().flatten() {
        assert_eq!(axis.len(), bodies.len(), "each body has its acceleration");
        columns.push(axis.iter().map(|value| value.to_bits()).collect());
    }
    columns.resize(FIELDS.len(), Vec::new());
    columns[7..].iter_mut().for_each(|column| column.resize(padded, POISON));
    columns
}

/// Ten columns as one array of ten-word structs.
fn interleave(columns: &[Vec<u32>]) -> Vec<u32> {
    (0..columns[0].len()).flat_map(|i| columns.iter().map(move |column| column[i])).collect()
}

/// An array of ten-word structs as ten columns.
fn separate(structs: &[u32]) -> Vec<Vec<u32>> {
    let column = |field| structs.iter().skip(field).step_by(FIELDS.len()).copied().collect();
    (0..FIELDS.len()).map(column).collect()
}

/// Ten columns as three arrays of four numbers; the fourth of velocities and accelerations is 0.
fn vectors(columns: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let zeros = vec![0f32.to_bits(); columns[0].len()];
    let vector = |first: usize, fourth: &Vec<u32>| {
        let [x, y, z] = std::array::from_fn(|axis| &columns[first + axis]);
        (0..zeros.len()).flat_map(|i| [x[i], y[i], z[i], fourth[i]]).collect()
    };
    vec![vector(1, &columns[0]), vector(4, &zeros), vector(7, &zeros)]
}

/// The ten columns of three arrays of four numbers.
fn fields(vectors: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let column = |vector: usize, place: usize| -> Vec<u32> {
        vectors[vector].iter().skip(place).step_by(4).copied().collect()
    };
    let axes = (0..3).flat_map(|vector| (0..3).map(move |axis| (vector, axis)));
    std::iter::once((0, 3)).chain(axes).map(|(vector, place)| column(vector, place)).collect()
}

/// The bodies among the columns, and whether anything beyond them was harmed.
fn state(columns: &[Vec<u32>], n: usize) -> State {
    let values =
        |field: usize| columns[field][..n].iter().map(|&bits| f32::from_bits(bits)).collect();
    let vectors = |first: usize| std::array::from_fn(|axis| values(first + axis));
    State {
        bodies: Bodies { mass: values(0), position: vectors(1), velocity: vectors(4) },
        acceleration: vectors(7),
        stray: stray(columns, n),
    }
}

/// What was written beyond the bodies, where everything is to stay as it was uploaded: padding
/// without mass at the origin, its accelerations poison.
fn stray(columns: &[Vec<u32>], n: usize) -> Option<String> {
    for (field, column) in columns.iter().enumerate() {
        let uploaded = if field < 7 { 0 } else { POISON };
        if let Some(i) = (n..column.len()).find(|&i| column[i] != uploaded) {
            let name = FIELDS[field];
            return Some(format!(
                "{name}[{i}] was written, and the last body is {}: is a test i < n missing?",
                n - 1
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Bodies {
        let mut bodies = Bodies::default();
        bodies.push(1.0, [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]);
        bodies.push(10.0, [20.0, 30.0, 40.0], [50.0, 60.0, 70.0]);
        bodies
    }

    #[test]
    fn structs_hold_the_fields_in_the_kernels_order() {
        let words = interleave(&columns(&two(), None, 2));
        let floats: Vec<f32> = words.iter().map(|&bits| f32::from_bits(bits)).collect();
        assert_eq!(floats[..7], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(floats[10..17], [10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0]);
        assert!(floats[7..10].iter().chain(&floats[17..]).all(|x| x.is_nan()));
    }

    #[test]
    fn vectors_hold_positions_with_masses_velocities_and_accelerations() {
        let given = [vec![8.0, 80.0], vec![9.0, 90.0], vec![11.0, 110.0]];
        let words = vectors(&columns(&two(), Some(&given), 3));
        let floats = |vector: usize| -> Vec<f32> {
            words[vector].iter().map(|&bits| f32::from_bits(bits)).collect()
        };
        assert_eq!(floats(0)[..8], [2.0, 3.0, 4.0, 1.0, 20.0, 30.0, 40.0, 10.0]);
        assert_eq!(floats(1)[..8], [5.0, 6.0, 7.0, 0.0, 50.0, 60.0, 70.0, 0.0]);
        assert_eq!(floats(2)[..8], [8.0, 9.0, 11.0, 0.0, 80.0, 90.0, 110.0, 0.0]);
        assert_eq!(floats(0)[8..], [0.0; 4], "padding has no mass");
        assert_eq!(words[2][8..], [POISON, POISON, POISON, 0]);
    }

    #[test]
    fn what_goes_up_comes_back_in_every_layout() {
        let up = columns(&two(), None, 4);
        assert_eq!(separate(&interleave(&up)), up);
        assert_eq!(fields(&vectors(&up)), up);
        let back = state(&up, 2);
        assert_eq!(back.bodies, two());
        assert_eq!(back.stray, None);
        assert!(back.acceleration.iter().flatten().all(|a| a.is_nan()), "poison shows as NaN");
    }

    #[test]
    fn accelerations_that_are_given_lie_before_the_poison() {
        let given = [vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]];
        let up = columns(&two(), Some(&given), 4);
        assert_eq!(state(&up, 2).acceleration, given);
        assert_eq!(up[9][2..], [POISON; 2]);
    }

    #[test]
    fn harm_beyond_the_bodies_is_found() {
        let after = |field: usize, i: usize, value: f32| {
            let mut columns = columns(&two(), None, 4);
            columns[field][i] = value.to_bits();
            stray(&columns, 2)
        };
        assert_eq!(after(0, 1, 9.0), None, "a body is judged by its values");
        assert!(after(0, 2, 1e-3).is_some_and(|text| text.contains("mass[2]")));
        assert!(after(4, 3, f32::NAN).is_some_and(|text| text.contains("velx[3]")));
        assert!(after(7, 3, 0.0).is_some_and(|text| text.contains("accx[3]")));
        assert!(after(9, 2, 0.0).is_some_and(|text| text.contains("accz[2]")));
    }
}
