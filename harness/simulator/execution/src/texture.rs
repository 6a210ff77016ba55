//! Samples of textures, loads and stores of surfaces, in the lanes of a warp.

mod objects;
mod sample;
mod surface;

use super::cause::Cause;
use super::context::Context;
use super::listener::{Kind, Texels};
use super::spaces::Refused;
use objects::{Tap, texture_of};
use program::registers::{LANES, Operands, Registers, Value, lanes};
use program::{Outcome, Query, Sample, SurfaceAccess, Texturing};
use semantics::half::f32_to_f16;
use textures::{Components, Shape};

/// An instruction whose lanes can all do it.
pub(super) struct Prepared<'a> {
    todo: Todo<'a>,
    taps: Vec<Tap>,
    kind: Kind,
    bytes: u64,
}

/// What is left to do.
enum Todo<'a> {
    /// These words are the result.
    Sampled(&'a Sample, Box<[Components; LANES]>),
    Asked(u16, [u32; LANES]),
    Surface(&'a SurfaceAccess, Box<[surface::Element<'a>; LANES]>),
}

/// Finds the texels or elements of all lanes of `mask`, which is not empty; those of textures are kept for a listener.
pub(super) fn prepare<'a>(
    cx: &'a Context,
    registers: &Registers,
    (texturing, operands): (Texturing, &Operands),
    mask: u32,
    listens: bool,
) -> Result<Prepared<'a>, Refused> {
    let objects = registers.double(operands.a);
    let query = |query, is_surface, of: &dyn Fn(u64) -> Result<(Shape, u32), Cause>| {
        let mut answers = [0; LANES];
        for lane in lanes(mask) {
            let (shape, levels) = of(objects[lane]).map_err(|cause| Box::new((lane, cause)))?;
            answers[lane] = match query {
                Query::Levels => levels,
                _ => answer(query, &shape, is_surface),
            };
        }
        let todo = Todo::Asked(operands.d, answers);
        Ok(Prepared { todo, taps: Vec::new(), kind: Kind::Load, bytes: 0 })
    };
    match texturing {
        Texturing::Sample(k) => {
            let of = &cx.program.samples[k as usize];
            let found = sample::sample(cx, registers, of, objects, (mask, listens))?;
            let todo = Todo::Sampled(of, found.results);
            Ok(Prepared { todo, taps: found.taps, kind: Kind::Load, bytes: found.bytes })
        }
        Texturing::Surface(k) => {
            let access = &cx.program.surfaces[k as usize];
            let found = surface::find(cx, registers, access, objects, mask)?;
            let kind = if access.stores() { Kind::Store } else { Kind::Load };
            let todo = Todo::Surface(access, found.elements);
            Ok(Prepared { todo, taps: found.taps, kind, bytes: found.bytes })
        }
        Texturing::AskTexture(what) => query(what, false, &|number| {
            texture_of(cx, number).map(|it| (it.texels.shape(), it.texels.levels()))
        }),
        Texturing::AskSurface(what) => {
            query(what, true, &|number| surface::array_of(cx, number).map(|it| (it.shape(), 1)))
        }
    }
}

impl Prepared<'_> {
    /// The request for the listener; `None` if it touches no texel.
    pub(super) fn texels(&self, at: u32, warp: u32) -> Option<Texels<'_>> {
        let &Prepared { kind, bytes, ref taps, .. } = self;
        taps.iter().any(|(mask, _)| *mask != 0).then_some(Texels { at, warp, kind, bytes, taps })
    }

    /// Completes it.
    pub(super) fn execute(self, registers: &mut Registers, mask: u32) {
        match self.todo {
            Todo::Sampled(sample, results) => deliver(registers, sample, &results, mask),
            Todo::Asked(d, answers) => u32::write(registers, d, mask, &answers),
            Todo::Surface(access, elements) => {
                surface::move_all(registers, access, &elements, mask)
            }
        }
    }
}

/// What an H100 answers: the number of layers comes in the place of an extent that the texture lacks, and surfaces have faces
/// as layers.
fn answer(query: Query, shape: &Shape, is_surface: bool) -> u32 {
    use textures::Geometry::*;
    let [width, height, depth] = shape.extent;
    match (query, shape.geometry) {
        (Query::Width, _) => width,
        (Query::Height, Row) => u32::from(!is_surface),
        (Query::Height, Rows) => depth,
        (Query::Height, _) => height,
        (Query::Depth, Space | Planes) => depth,
        (Query::Depth, Cube | Cubes) if is_surface => depth,
        (Query::Depth, Cubes) => depth / 6,
        (Query::Depth, _) => 0,
        (Query::ArraySize, Rows | Planes) => depth,
        (Query::ArraySize, Cubes) => depth / 6,
        (Query::ArraySize | Query::Levels | Query::Samples, _) => 1,
    }
}

/// Writes samples to their registers.
fn deliver(registers: &mut Registers, sample: &Sample, results: &[Components; LANES], mask: u32) {
    let half = |word: u32| u32::from(f32_to_f16(f32::from_bits(word)));
    let count = if sample.outcome == Outcome::Pairs { 2 } else { 4 };
    for (k, &d) in sample.data[..count].iter().enumerate() {
        let mut words = [0; LANES];
        for lane in lanes(mask) {
            words[lane] = match sample.outcome {
                Outcome::Words => results[lane][k],
                Outcome::Halves => half(results[lane][k]),
                Outcome::Pairs => half(results[lane][2 * k]) | half(results[lane][2 * k + 1]) << 16,
            };
        }
        u32::write(registers, d, mask, &words);
    }
}
