//! The ladder `resample`: an image, a volume and a coloured image are turned. Each result is a texel, or is interpolated
//! between its neighbours, by hand or by the texture unit. Last comes a stage of a wavelet transform, with surfaces.
//!
//! The steps are here, the problem is in [`problem`], its images in [`image`](mod@image) and [`wavelet`]; the kernels are in
//! `kernels/resample/`.

mod image;
pub mod problem;
mod step;
#[cfg(test)]
mod tests;
mod wavelet;

use ladder::{Code, Steps};

use problem::Resample;
use step::{Host, Step, THREADS};

/// The ladder.
pub static LADDER: Steps<Resample> = Steps::of(
    "resample",
    &[
        NEAREST,
        NEAREST_TEXTURE,
        LINEAR,
        LINEAR_TEXTURE,
        HALF_TEXTURE,
        VOLUME,
        NEAREST_VOLUME,
        VOLUME_TEXTURE,
        NEAREST_VOLUME_TEXTURE,
        COLOUR,
        FOUR_COMPONENTS,
        WAVELET,
        WAVELET_FLOAT4,
        WAVELET_SURFACE,
        UNSEEN_CHANGE,
    ],
)
.not_modelled(&[(
    "05x-nearest-volume-texture",
    "what the texture unit saves where a sample is one texel of a volume and not eight",
)]);

/// The texel at the position.
pub const NEAREST: Step = Step::first(
    "01-nearest",
    "Nearest",
    "the texel at each position",
    THREADS[0] * THREADS[1],
    Host { from: &["image"], textures: false, to: "nearest" },
);

/// The same by the texture unit.
pub const NEAREST_TEXTURE: Step = Step {
    name: "01x-nearest-texture",
    after: Some(NEAREST.name),
    detour: true,
    title: "Nearest, by texture",
    changes: "the texture unit takes the texel",
    code: Code::Cuda { file: "01x-nearest-texture", options: &[] },
    host: Host { from: &["points"], textures: true, to: "nearest" },
    ..NEAREST
};

/// Between four texels.
pub const LINEAR: Step = Step {
    name: "02-linear",
    after: Some(NEAREST.name),
    title: "Linear",
    changes: "interpolated between four texels",
    code: Code::Cuda { file: "02-linear", options: &[] },
    host: Host { to: "linear", ..NEAREST.host },
    ..NEAREST
};

/// The same by the texture unit.
pub const LINEAR_TEXTURE: Step = Step {
    name: "03-linear-texture",
    after: Some(LINEAR.name),
    title: "Linear, by texture",
    changes: "the texture unit interpolates",
    code: Code::Cuda { file: "03-linear-texture", options: &[] },
    host: Host { from: &["texture"], textures: true, to: "linear" },
    ..LINEAR
};

/// From 16-bit floats.
pub const HALF_TEXTURE: Step = Step {
    name: "03x-half-texture",
    after: Some(LINEAR_TEXTURE.name),
    detour: true,
    title: "16-bit texels",
    changes: "texels are 16-bit floats",
    host: Host { from: &["half texture"], ..LINEAR_TEXTURE.host },
    ..LINEAR_TEXTURE
};

/// Between eight texels of a volume.
pub const VOLUME: Step = Step {
    name: "04-volume",
    after: Some(LINEAR.name),
    title: "Volume",
    changes: "a volume, between eight texels",
    code: Code::Cuda { file: "04-volume", options: &[] },
    host: Host { from: &["volume"], textures: false, to: "slices" },
    ..LINEAR
};

/// The same by the texture unit.
pub const VOLUME_TEXTURE: Step = Step {
    name: "05-volume-texture",
    after: Some(VOLUME.name),
    title: "Volume, by texture",
    changes: "the texture unit interpolates",
    code: Code::Cuda { file: "05-volume-texture", options: &[] },
    host: Host { from: &["volume texture"], textures: true, to: "slices" },
    ..VOLUME
};

/// The texel of a volume that holds a position.
pub const NEAREST_VOLUME: Step = Step {
    name: "04x-nearest-volume",
    after: Some(VOLUME.name),
    detour: true,
    title: "Nearest in a volume",
    changes: "one texel instead of eight",
    code: Code::Cuda { file: "04x-nearest-volume", options: &[] },
    host: Host { to: "nearest slices", ..VOLUME.host },
    ..VOLUME
};

/// The same by the texture unit.
pub const NEAREST_VOLUME_TEXTURE: Step = Step {
    name: "05x-nearest-volume-texture",
    after: Some(VOLUME_TEXTURE.name),
    detour: true,
    title: "Nearest in a volume, by texture",
    changes: "a sampler that takes one texel instead of eight",
    host: Host { from: &["volume points"], textures: true, to: "nearest slices" },
    ..VOLUME_TEXTURE
};

/// A texture for each component.
pub const COLOUR: Step = Step {
    name: "06-colour",
    after: Some(LINEAR_TEXTURE.name),
    title: "Colour",
    changes: "four textures, of a component each",
    code: Code::Cuda { file: "06-colour", options: &[] },
    host: Host { from: &["red", "green", "blue", "alpha"], textures: true, to: "colours" },
    ..LINEAR_TEXTURE
};

/// One texture of colours.
pub const FOUR_COMPONENTS: Step = Step {
    name: "07-four-components",
    after: Some(COLOUR.name),
    title: "Four components",
    changes: "one texture of four components",
    code: Code::Cuda { file: "07-four-components", options: &[] },
    host: Host { from: &["rgba"], ..COLOUR.host },
    ..COLOUR
};

/// A stage of a wavelet transform, component by component.
pub const WAVELET: Step = Step {
    name: "08-wavelet",
    after: Some(NEAREST.name),
    title: "Wavelet",
    changes: "a stage of a wavelet transform, a component a load",
    rewrite: Some("each result is a sum of 16 rows, with a weight each"),
    code: Code::Cuda { file: "08-wavelet", options: &[] },
    host: Host { from: &["pixels"], textures: false, to: "bands" },
    ..NEAREST
};

/// Four components a load.
pub const WAVELET_FLOAT4: Step = Step {
    name: "08x-wavelet-float4",
    after: Some(WAVELET.name),
    detour: true,
    title: "Wavelet, float4",
    changes: "loads and stores of four components",
    rewrite: None,
    code: Code::Cuda { file: "08x-wavelet-float4", options: &[] },
    ..WAVELET
};

/// From a texture to a surface.
pub const WAVELET_SURFACE: Step = Step {
    name: "09-wavelet-surface",
    after: Some(WAVELET.name),
    title: "Wavelet, to a surface",
    changes: "a texture and a surface of four components",
    rewrite: None,
    code: Code::Cuda { file: "09-wavelet-surface", options: &[] },
    host: Host { from: &["pixel texels"], textures: true, to: "band texels" },
    ..WAVELET
};

/// Samples of what the same launch has written.
pub const UNSEEN_CHANGE: Step = Step {
    name: "09x-unseen-change",
    after: Some(WAVELET_SURFACE.name),
    detour: true,
    title: "Unseen change",
    changes: "adds 1 twice in a launch, through a texture and a surface",
    code: Code::Cuda { file: "09x-unseen-change", options: &[] },
    host: Host { from: &["numbers"], textures: true, to: "changed" },
    ..WAVELET_SURFACE
};
