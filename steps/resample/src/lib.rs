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

use ladder::Steps;

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
const NEAREST: Step = Step::first(
    "01-nearest",
    "Nearest",
    "the texel at each position",
    THREADS[0] * THREADS[1],
    Host { from: &["image"], textures: false, to: "nearest" },
);

const NEAREST_TEXTURE: Step = Step {
    host: Host { from: &["points"], textures: true, to: "nearest" },
    ..NEAREST.then("01x-nearest-texture", "Nearest, by texture", "the texture unit takes the texel")
};

const LINEAR: Step = Step {
    host: Host { to: "linear", ..NEAREST.host },
    ..NEAREST.then("02-linear", "Linear", "interpolated between four texels")
};

const LINEAR_TEXTURE: Step = Step {
    host: Host { from: &["texture"], textures: true, to: "linear" },
    ..LINEAR.then("03-linear-texture", "Linear, by texture", "the texture unit interpolates")
};

const HALF_TEXTURE: Step = Step {
    code: LINEAR_TEXTURE.code,
    host: Host { from: &["half texture"], ..LINEAR_TEXTURE.host },
    ..LINEAR_TEXTURE.then("03x-half-texture", "16-bit texels", "texels are 16-bit floats")
};

const VOLUME: Step = Step {
    host: Host { from: &["volume"], textures: false, to: "slices" },
    ..LINEAR.then("04-volume", "Volume", "a volume, between eight texels")
};

const VOLUME_TEXTURE: Step = Step {
    host: Host { from: &["volume texture"], textures: true, to: "slices" },
    ..VOLUME.then("05-volume-texture", "Volume, by texture", "the texture unit interpolates")
};

/// The texel of a volume that holds a position.
const NEAREST_VOLUME: Step = Step {
    host: Host { to: "nearest slices", ..VOLUME.host },
    ..VOLUME.then("04x-nearest-volume", "Nearest in a volume", "one texel instead of eight")
};

/// The same by the texture unit.
const NEAREST_VOLUME_TEXTURE: Step = Step {
    code: VOLUME_TEXTURE.code,
    host: Host { from: &["volume points"], textures: true, to: "nearest slices" },
    ..VOLUME_TEXTURE.then(
        "05x-nearest-volume-texture",
        "Nearest in a volume, by texture",
        "a sampler that takes one texel instead of eight",
    )
};

const COLOUR: Step = Step {
    host: Host { from: &["red", "green", "blue", "alpha"], textures: true, to: "colours" },
    ..LINEAR_TEXTURE.then("06-colour", "Colour", "four textures, of a component each")
};

const FOUR_COMPONENTS: Step = Step {
    host: Host { from: &["rgba"], ..COLOUR.host },
    ..COLOUR.then("07-four-components", "Four components", "one texture of four components")
};

const WAVELET: Step = Step {
    rewrite: Some("each result is a sum of 16 rows, with a weight each"),
    host: Host { from: &["pixels"], textures: false, to: "bands" },
    ..NEAREST.then("08-wavelet", "Wavelet", "a stage of a wavelet transform, a component a load")
};

const WAVELET_FLOAT4: Step =
    WAVELET.then("08x-wavelet-float4", "Wavelet, float4", "loads and stores of four components");

const WAVELET_SURFACE: Step = Step {
    host: Host { from: &["pixel texels"], textures: true, to: "band texels" },
    ..WAVELET.then(
        "09-wavelet-surface",
        "Wavelet, to a surface",
        "a texture and a surface of four components",
    )
};

/// Samples of what the same launch has written.
const UNSEEN_CHANGE: Step = Step {
    host: Host { from: &["numbers"], textures: true, to: "changed" },
    ..WAVELET_SURFACE.then(
        "09x-unseen-change",
        "Unseen change",
        "adds 1 twice in a launch, through a texture and a surface",
    )
};
