//! Which instruction set's vectors are used.

use std::fmt;
use std::str::FromStr;

/// An instruction set with vectors of `f32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vectors {
    /// 16 lanes: x86 with AVX-512 F.
    Avx512,
    /// 8 lanes: x86 with AVX2 and FMA.
    Avx2,
    /// 4 lanes: 64-bit Arm.
    Neon,
    /// One lane: any CPU.
    Scalar,
}

/// No vectors of this CPU are called so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}`: {problem}; this CPU has {}", list(&Vectors::available()))]
pub struct Unknown {
    name: String,
    problem: &'static str,
}

impl Vectors {
    /// All of them, widest first.
    pub const ALL: [Vectors; 4] = [Vectors::Avx512, Vectors::Avx2, Vectors::Neon, Vectors::Scalar];

    /// Those that this CPU has, widest first; the last is always [`Vectors::Scalar`].
    pub fn available() -> Vec<Vectors> {
        Vectors::ALL.into_iter().filter(|vectors| vectors.is_available()).collect()
    }

    /// The widest that this CPU has.
    pub fn best() -> Vectors {
        Vectors::available()[0]
    }

    /// Whether this CPU has them.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx512 => is_x86_feature_detected!("avx512f"),
            #[cfg(target_arch = "x86_64")]
            Vectors::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "aarch64")]
            Vectors::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            Vectors::Scalar => true,
            _ => false,
        }
    }

    /// Floats in one of them.
    pub fn lanes(self) -> usize {
        match self {
            Vectors::Avx512 => 16,
            Vectors::Avx2 => 8,
            Vectors::Neon => 4,
            Vectors::Scalar => 1,
        }
    }

    /// Its name as people write it: "AVX-512".
    pub fn title(self) -> &'static str {
        match self {
            Vectors::Avx512 => "AVX-512",
            Vectors::Avx2 => "AVX2 + FMA",
            Vectors::Neon => "NEON",
            Vectors::Scalar => "no vectors",
        }
    }

    /// Its name on the command line: "avx512".
    pub fn name(self) -> &'static str {
        match self {
            Vectors::Avx512 => "avx512",
            Vectors::Avx2 => "avx2",
            Vectors::Neon => "neon",
            Vectors::Scalar => "scalar",
        }
    }
}

impl FromStr for Vectors {
    type Err = Unknown;

    /// `auto`, or the name of vectors that this CPU has.
    fn from_str(text: &str) -> Result<Vectors, Unknown> {
        if text == "auto" {
            return Ok(Vectors::best());
        }
        let unknown = |problem| Unknown { name: text.to_owned(), problem };
        let found = Vectors::ALL.into_iter().find(|vectors| vectors.name() == text);
        let found = found.ok_or(unknown("no vectors are called so"))?;
        if found.is_available() { Ok(found) } else { Err(unknown("this CPU has no such vectors")) }
    }
}

impl fmt::Display for Vectors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Names in a row: "auto, avx512, avx2, scalar".
fn list(vectors: &[Vectors]) -> String {
    std::iter::once("auto").chain(vectors.iter().map(|v| v.name())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_read_as_they_are_written() {
        for vectors in Vectors::available() {
            assert_eq!(vectors.to_string().parse(), Ok(vectors));
        }
        assert_eq!("auto".parse(), Ok(Vectors::best()));
        for wrong in ["", "AVX2", "sse", "mmx"] {
            let error = wrong.parse::<Vectors>().unwrap_err().to_string();
            assert!(error.contains("scalar"), "{error}");
        }
        let lacking = Vectors::ALL.into_iter().find(|vectors| !vectors.is_available());
        let error = lacking.expect("no CPU has all").name().parse::<Vectors>().unwrap_err();
        assert!(error.to_string().contains("no such vectors"), "{error}");
    }
}
