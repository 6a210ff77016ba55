//! Variants of a step: other block sizes, other values of its kernels' parameters.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What of a step's code is not as the step says: nothing, outside of sweeps.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize, JsonSchema,
)]
pub struct Variant {
    /// Threads of a block, where that is not what the step says.
    pub block: Option<u32>,
    /// Values of the kernels' parameters, where they are not what the step says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<Define>,
}

/// A value of a kernel's parameter: the compiler's option `-DNAME=value`.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Define {
    /// Name of the parameter.
    pub name: String,
    /// Its value.
    pub value: i64,
}

/// A parameter of a kernel and the values that a sweep gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Defines {
    /// Name of the parameter.
    pub name: String,
    /// Its values, ascending.
    pub values: Vec<i64>,
}

impl Variant {
    /// Whether all is as the step says.
    pub fn is_own(&self) -> bool {
        self.block.is_none() && self.defines.is_empty()
    }

    /// All variants with one of these blocks and one of the values of each of these parameters; those
    /// that are empty stay as the step says.
    pub fn all(blocks: &[u32], defines: &[Defines]) -> Vec<Variant> {
        let mut all = vec![Variant::default()];
        if !blocks.is_empty() {
            let of = |&block| Variant { block: Some(block), ..Variant::default() };
            all = blocks.iter().map(of).collect();
        }
        for Defines { name, values } in defines {
            let with = |variant: Variant| {
                values.iter().map(move |&value| {
                    let mut variant = variant.clone();
                    variant.defines.push(Define { name: name.clone(), value });
                    variant
                })
            };
            all = all.into_iter().flat_map(with).collect();
        }
        all
    }

    /// What a table puts after the step's name: " (256, UNROLL=4)"; nothing where all is as it says.
    pub fn suffix(&self) -> String {
        if self.is_own() { String::new() } else { format!(" ({self})") }
    }

    /// The same in words: "256 threads a block, UNROLL=4".
    pub fn words(&self) -> String {
        let block = self.block.map(|block| format!("{block} threads a block"));
        let defines = self.defines.iter().map(ToString::to_string);
        block.into_iter().chain(defines).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let block = self.block.map(|block| block.to_string());
        let defines = self.defines.iter().map(ToString::to_string);
        f.pad(&block.into_iter().chain(defines).collect::<Vec<_>>().join(", "))
    }
}

impl fmt::Display for Define {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

impl fmt::Display for Defines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(ToString::to_string).collect();
        write!(f, "{}={}", self.name, values.join(","))
    }
}

/// Whether a parameter can have this name.
pub fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
