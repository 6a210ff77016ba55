//! The comment lines with which committed PTX begins, and the digest in them that ties it to its source.

use std::fmt;

use sha2::{Digest, Sha256};

/// The comment lines with which committed PTX begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// [`digest`] of what the PTX was made from, in hexadecimal.
    pub digest: String,
    /// The source, from the workspace's root, e.g. "kernels/nbody/05-rsqrt.cu".
    pub source: String,
    /// All compiler options, the target among them.
    pub options: Vec<String>,
    /// The compiler, e.g. "NVRTC 11.8.89".
    pub compiler: String,
}

impl Header {
    /// Reads the header of a PTX text; none where a line is missing or in another place.
    pub fn parse(text: &str) -> Option<Header> {
        let mut lines = text.lines();
        let mut line = |prefix: &str| Some(lines.next()?.strip_prefix(prefix)?.to_string());
        Some(Header {
            digest: line("// digest sha256:")?,
            source: line("// source ")?,
            options: line("// options ")?.split_whitespace().map(str::to_string).collect(),
            compiler: line("// compiler ")?,
        })
    }

    /// The target that the options state, e.g. "compute_50".
    pub fn target(&self) -> Option<&str> {
        self.options.iter().find_map(|option| option.strip_prefix("--gpu-architecture="))
    }
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "// digest sha256:{}", self.digest)?;
        writeln!(f, "// source {}", self.source)?;
        writeln!(f, "// options {}", self.options.join(" "))?;
        writeln!(f, "// compiler {}", self.compiler)
    }
}

/// The digest of what PTX is made from: compiler, options (the target among them) and source (its text with all that it includes), whose
/// line ends are taken as LF, so that a checkout on Windows has the same.
pub fn digest(compiler: &str, options: &[String], source: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(compiler);
    hash.update("\n");
    hash.update(options.join(" "));
    hash.update("\n");
    hash.update(source.replace("\r\n", "\n"));
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Why PTX is not what its source would give now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mismatch {
    /// The text does not begin with a header.
    NoHeader,
    /// The `.cu`, what it includes, the step's options or the header itself were changed after the PTX was made.
    Changed,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mismatch::NoHeader => "does not begin with the digest of its source",
            Mismatch::Changed => "was made before its source or its options were changed",
        })
    }
}
