//! What a class file says of a comparison of the class's kernels, which is only made if it asks for one.
//!
//! ```toml
//! [comparison]
//! gpu = "h200"            # one of `harness gpus`
//! names = "pseudonyms"    # or "names"
//! ```

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// How a class's kernels are compared.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Comparison {
    /// The GPU that is modelled.
    #[serde(deserialize_with = "gpu")]
    pub gpu: String,
    /// How students are called.
    #[serde(default)]
    pub names: Names,
}

/// How students are called in a comparison.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Names {
    /// By words that only the student's own page explains.
    #[default]
    Pseudonyms,
    /// As the platform does.
    Names,
}

fn gpu<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let name = String::deserialize(from)?;
    match simt::model::Gpu::named(&name) {
        Ok(_) => Ok(name),
        Err(error) => Err(D::Error::custom(error)),
    }
}
