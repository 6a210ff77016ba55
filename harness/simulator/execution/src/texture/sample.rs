//! Samples of textures.

use super::objects::{Tap, memory_of, texture_of};
use crate::cause::Cause;
use crate::context::Context;
use crate::spaces::Refused;
use memory::Storage;
use program::registers::{LANES, Registers, lanes};
use program::{Detail, Sample};
use textures::{Components, Layout, MOST, Request, Shape, Texture, blend, footprint, gather};

/// The samples of a warp.
pub(super) struct Sampled {
    /// The words of each lane's result.
    pub(super) results: Box<[Components; LANES]>,
    /// Addresses of the texels of each sample, kept for a listener.
    pub(super) taps: Vec<Tap>,
    /// Bytes of a texel.
    pub(super) bytes: u64,
}

/// A texture that an instruction can sample, and its memory.
struct Source<'a> {
    texture: Texture,
    first: View,
    storage: &'a Storage,
    /// The address at which the storage begins.
    base: u64,
}

/// A level of detail of a texture.
struct View {
    texture: Texture,
    shape: Shape,
    /// The address of the first texel, and how the others lie from there on.
    first: u64,
    layout: Layout,
}

impl View {
    fn new(texture: &Texture, level: u32) -> View {
        let texels = texture.texels.level(level);
        View {
            texture: Texture { texels, ..*texture },
            shape: texels.shape(),
            first: texels.range().0,
            layout: texels.layout(),
        }
    }

    /// The address of a texel that is inside.
    fn address(&self, [x, y, z]: [u32; 3]) -> u64 {
        self.first + self.layout.offset(u64::from(x) * self.shape.format.bytes(), y, z)
    }
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
        let (storage, base) = match cx.stale.find(range.0) {
            Some(texels) => (texels, range.0),
            None => memory_of(cx, range)?,
        };
        let first = View::new(&texture, 0);
        Ok(Source { texture, first, storage, base })
    }

    /// The raw texel at an address.
    fn texel(&self, address: u64) -> Components {
        let format = self.first.shape.format;
        let size = u64::from(format.bits / 8);
        let mut raw = [0; 4];
        for (k, raw) in (0..).zip(&mut raw[..format.components.into()]) {
            *raw = self.storage.load(address - self.base + k * size, size) as u32;
        }
        raw
    }

    /// A sample of a level; `tap` gets the number and the address of each texel.
    fn sample(
        &self,
        view: &View,
        request: &Request,
        gathers: Option<u8>,
        mut tap: impl FnMut(usize, u64),
    ) -> Components {
        let sampler = &view.texture.sampler;
        let footprint = footprint(&view.texture, request);
        let places = footprint.texels();
        let mut texels = [[0; 4]; MOST];
        for (k, (texel, place)) in texels.iter_mut().zip(places).enumerate() {
            *texel = match *place {
                None if request.whole => [0; 4],
                None => sampler.outside(&view.texture.texels),
                Some(place) => {
                    let address = view.address(place);
                    tap(k, address);
                    self.texel(address)
                }
            };
        }
        let texels = &texels[..places.len()];
        let format = view.shape.format;
        match gathers {
            Some(component) => {
                gather(component, texels).map(|raw| sampler.gathered(format, component, raw))
            }
            None => sampler.sample(format, &footprint, texels),
        }
    }
}

/// An offset has four bits, from -8 to 7; an H200 looks at no others.
fn nibble(offset: u32) -> i32 {
    (offset << 28).cast_signed() >> 28
}

/// The level of detail in a lane, if there is one: of gradients, that at which the longer one is a texel long.
fn detail(sample: &Sample, registers: &Registers, lane: usize, shape: &Shape) -> Option<f32> {
    let float = |register| f32::from_bits(registers.word(register)[lane]);
    match sample.detail {
        Detail::None => None,
        Detail::Given(register) => Some(float(register)),
        Detail::Gradients(both) => {
            let long = both.map(|gradient| {
                let along = gradient.into_iter().zip(shape.extent);
                let texels = along.map(|(register, extent)| float(register) * extent as f32);
                texels.map(|it| it * it).sum::<f32>()
            });
            Some(0.5 * long[0].max(long[1]).log2())
        }
    }
}

/// Samples in the lanes of `mask`; the addresses of their texels are kept for a listener.
pub(super) fn sample(
    cx: &Context,
    registers: &Registers,
    sample: &Sample,
    objects: &[u64; LANES],
    (mask, listens): (u32, bool),
) -> Result<Sampled, Refused> {
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
        let offsets = sample
            .offsets
            .map_or([0; 3], |all| all.map(|register| nibble(registers.word(register)[lane])));
        let (whole, gathers) = (sample.whole, sample.gathers);
        let request = Request { coordinates, whole, gathers: gathers.is_some(), offsets };
        bytes = source.first.shape.format.bytes();
        let mut tap = |k: usize, address: u64| {
            if listens {
                if taps.len() <= k {
                    taps.resize(k + 1, (0, [0; LANES]));
                }
                taps[k].0 |= 1 << lane;
                taps[k].1[lane] = address;
            }
        };
        let levels = source.texture.texels.levels();
        if levels == 1 {
            results[lane] = source.sample(&source.first, &request, gathers, tap);
            continue;
        }
        let detail = detail(sample, registers, lane, &source.first.shape);
        let level = source.texture.sampler.level(detail, levels);
        let view = View::new(&source.texture, level.number);
        results[lane] = source.sample(&view, &request, gathers, &mut tap);
        if level.weight > 0 {
            let next = View::new(&source.texture, level.number + 1);
            let next = source.sample(&next, &request, gathers, |k, at| tap(MOST + k, at));
            results[lane] = blend(results[lane], next, level.weight);
        }
    }
    Ok(Sampled { results, taps, bytes })
}
