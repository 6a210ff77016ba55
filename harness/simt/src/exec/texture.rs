//! Samples of textures, loads and stores of surfaces, in the lanes of a warp.

mod surface;

use super::cause::Cause;
use super::context::Context;
use super::listener::{Kind, Texels};
use super::spaces::Refused;
use crate::memory::Storage;
use crate::program::{Outcome, Query, Sample, SurfaceAccess, Texturing};
use crate::registers::{LANES, Operands, Registers, Value, lanes};
use crate::semantics::half::f32_to_f16;
use crate::texture::{self, Components, Layout, MOST, Request, Shape, Texture, footprint, gather};

/// Addresses of the lanes of a mask.
type Tap = (u32, [u64; LANES]);

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

/// Finds the texels or elements of all lanes of `mask`, which is not empty; those of textures are kept if somebody listens.
pub(super) fn prepare<'a>(
    cx: &'a Context,
    registers: &Registers,
    (texturing, operands): (Texturing, &Operands),
    mask: u32,
    listens: bool,
) -> Result<Prepared<'a>, Refused> {
    let objects = registers.double(operands.a);
    let query = |query, is_surface, shape_of: &dyn Fn(u64) -> Result<Shape, Cause>| {
        let mut answers = [0; LANES];
        for lane in lanes(mask) {
            let shape = shape_of(objects[lane]).map_err(|cause| Box::new((lane, cause)))?;
            answers[lane] = answer(query, &shape, is_surface);
        }
        let todo = Todo::Asked(operands.d, answers);
        Ok(Prepared { todo, taps: Vec::new(), kind: Kind::Load, bytes: 0 })
    };
    match texturing {
        Texturing::Sample(k) => {
            let of = &cx.program.samples[k as usize];
            sample(cx, registers, of, objects, (mask, listens))
        }
        Texturing::Surface(k) => {
            let access = &cx.program.surfaces[k as usize];
            let found = surface::find(cx, registers, access, objects, mask)?;
            let kind = if access.stores() { Kind::Store } else { Kind::Load };
            let todo = Todo::Surface(access, found.elements);
            Ok(Prepared { todo, taps: found.taps, kind, bytes: found.bytes })
        }
        Texturing::AskTexture(what) => query(what, false, &|number| {
            texture_of(cx, number).map(|texture| texture.texels.shape())
        }),
        Texturing::AskSurface(what) => {
            query(what, true, &|number| surface::array_of(cx, number).map(texture::Array::shape))
        }
    }
}

impl Prepared<'_> {
    /// What a listener hears; nothing where no texel is touched.
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

/// A texture object by its number.
fn texture_of<'a>(cx: &'a Context, number: u64) -> Result<&'a Texture, Cause> {
    cx.objects.texture(number).ok_or_else(|| wrong_object(cx, number, "a texture object"))
}

#[cold]
fn wrong_object(cx: &Context, number: u64, wanted: &str) -> Cause {
    let what = cx.objects.what(number);
    Cause::Object(format!("{number:#x} is {what}, where the instruction needs {wanted}"))
}

/// The storage of an object's memory, and its first address.
fn memory_of<'a>(
    cx: &'a Context,
    (address, bytes): (u64, u64),
) -> Result<(&'a Storage, u64), Cause> {
    let memory = cx.spaces.memory;
    let Some(index) = memory.find(address, bytes) else {
        return Err(Cause::Object(format!(
            "its memory of {bytes} bytes at address {address:#x} was freed"
        )));
    };
    let allocation = &memory.allocations()[index];
    Ok((&allocation.storage, allocation.address))
}

/// What an H100 answers: the number of layers comes in the place of an extent that the texture lacks, and surfaces have faces
/// as layers.
fn answer(query: Query, shape: &Shape, is_surface: bool) -> u32 {
    use crate::texture::Geometry::*;
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

/// A texture that an instruction can sample, and its memory.
struct Source<'a> {
    texture: Texture,
    shape: Shape,
    /// The address of the first texel, and how the others lie from there on.
    first: u64,
    layout: Layout,
    storage: &'a Storage,
    /// The address at which the storage begins.
    base: u64,
}

impl<'a> Source<'a> {
    fn new(
        cx: &'a Context,
        sample: &Sample,
        (object, sampler): (u64, Option<u64>),
    ) -> Result<Source<'a>, Cause> {
        let mut texture = *texture_of(cx, object)?;
        if let Some(other) = sampler {
            texture.sampler = texture_of(cx, other)?.sampler;
        }
        let shape = texture.texels.shape();
        let (own, wanted) = (shape.geometry.name(), sample.coordinates.geometry.name());
        if own != wanted {
            return Err(Cause::Object(format!(
                "{object:#x} is a texture of geometry .{own}, where the instruction samples .{wanted}"
            )));
        }
        let range = texture.texels.range();
        let (storage, base) = memory_of(cx, range)?;
        Ok(Source {
            texture,
            shape,
            first: range.0,
            layout: texture.texels.layout(),
            storage,
            base,
        })
    }

    /// The address of a texel that is inside.
    fn address(&self, [x, y, z]: [u32; 3]) -> u64 {
        self.first + self.layout.offset(u64::from(x) * self.shape.format.bytes(), y, z)
    }

    /// The raw texel at an address.
    fn texel(&self, address: u64) -> Components {
        let format = self.shape.format;
        let size = u64::from(format.bits / 8);
        let mut raw = [0; 4];
        for (k, raw) in (0..).zip(&mut raw[..format.components.into()]) {
            *raw = self.storage.load(address - self.base + k * size, size) as u32;
        }
        raw
    }
}

fn sample<'a>(
    cx: &'a Context,
    registers: &Registers,
    sample: &'a Sample,
    objects: &[u64; LANES],
    (mask, listens): (u32, bool),
) -> Result<Prepared<'a>, Refused> {
    let mut results = Box::new([[0; 4]; LANES]);
    let mut taps: Vec<Tap> = Vec::new();
    let mut bytes = 0;
    // Nearly always all lanes have the same.
    let mut last = None;
    for lane in lanes(mask) {
        let own = (objects[lane], sample.sampler.map(|other| registers.double(other)[lane]));
        let source = match &mut last {
            Some((known, source)) if *known == own => source,
            last => {
                let source =
                    Source::new(cx, sample, own).map_err(|cause| Box::new((lane, cause)))?;
                &mut last.insert((own, source)).1
            }
        };
        let coordinates = sample.coordinates.registers.map(|r| registers.word(r)[lane]);
        let (whole, gathers) = (sample.whole, sample.gathers.is_some());
        let footprint = footprint(&source.texture, &Request { coordinates, whole, gathers });
        bytes = source.shape.format.bytes();
        let places = footprint.texels();
        if listens && taps.len() < places.len() {
            taps.resize(places.len(), (0, [0; LANES]));
        }
        let mut texels = [[0; 4]; MOST];
        for (k, (texel, place)) in texels.iter_mut().zip(places).enumerate() {
            *texel = match *place {
                None if whole => [0; 4],
                None => source.texture.sampler.outside(&source.texture.texels),
                Some(place) => {
                    let address = source.address(place);
                    if let Some((mask, addresses)) = taps.get_mut(k) {
                        *mask |= 1 << lane;
                        addresses[lane] = address;
                    }
                    source.texel(address)
                }
            };
        }
        let texels = &texels[..places.len()];
        results[lane] = match sample.gathers {
            Some(component) => gather(component, texels)
                .map(|raw| source.texture.sampler.gathered(source.shape.format, component, raw)),
            None => source.texture.sampler.sample(source.shape.format, &footprint, texels),
        };
    }
    Ok(Prepared { todo: Todo::Sampled(sample, results), taps, kind: Kind::Load, bytes })
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
