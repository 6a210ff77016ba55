//! Committed machine code: `kernels/<ladder>/NN-slug.sass.json`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use simt::machine::MachineCode;

use super::ptxas::COMPILER;
use super::tools::{ARCHITECTURES, RESOURCES_ONLY, Tools};
use crate::error::Error;
use crate::ptx;
use crate::source::Source;

/// What ptxas made of a step's kernels, for each architecture.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Committed {
    /// SHA-256 of compiler, options and source, as [`ptx::digest`] has it, in hexadecimal digits.
    pub digest: String,
    /// The source, from the workspace's root.
    pub source: String,
    /// The compiler options but for the architecture.
    pub options: Vec<String>,
    /// The compiler, e.g. "NVRTC 12.9.86".
    pub compiler: String,
    /// The disassembler, e.g. "nvdisasm 13.2.51".
    pub disassembler: String,
    /// By kernel: its code for each architecture, those with equal code together.
    pub kernels: BTreeMap<String, Vec<Variant>>,
}

/// Architectures for which a kernel's machine code is the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// E.g. "sm_80" and "sm_86".
    pub archs: Vec<String>,
    /// The code.
    pub code: MachineCode,
}

impl Committed {
    /// Compiles and disassembles a source for every architecture of [`ARCHITECTURES`] and [`RESOURCES_ONLY`] that has
    /// its instructions.
    ///
    /// # Errors
    /// The compiler or the disassembler fails.
    pub fn make(source: &Source, tools: &Tools) -> Result<Committed, Error> {
        Committed::made_for(&architectures(source), source, tools)
    }

    /// What is committed of a step, where that still holds: it was made from this source by these tools, and for one
    /// architecture, drawn by its digest, they make the same code again. Made anew for all of them otherwise.
    ///
    /// # Errors
    /// The compiler or the disassembler fails.
    pub fn confirm(
        dir: &Path,
        step: &str,
        source: &Source,
        tools: &Tools,
    ) -> Result<Committed, Error> {
        let Ok(committed) = Committed::read(dir, step) else {
            return Committed::make(source, tools);
        };
        let place = committed.digest.bytes().map(usize::from).sum();
        let Some(&drawn) = architectures(source).iter().cycle().nth(place) else {
            return Committed::make(source, tools);
        };
        let again = Committed::made_for(&[drawn], source, tools)?;
        let arch = drawn.name();
        let unchanged = Committed { kernels: BTreeMap::new(), ..again.clone() }
            == Committed { kernels: BTreeMap::new(), ..committed.clone() }
            && again.kernels.keys().eq(committed.kernels.keys())
            && again.kernels.keys().all(|kernel| {
                again.machine_code(kernel, &arch) == committed.machine_code(kernel, &arch)
            });
        if unchanged { Ok(committed) } else { Committed::make(source, tools) }
    }

    fn made_for(
        architectures: &[Architecture],
        source: &Source,
        tools: &Tools,
    ) -> Result<Committed, Error> {
        let mut kernels: BTreeMap<String, Vec<Variant>> = BTreeMap::new();
        for architecture in architectures {
            let arch = architecture.name();
            let resources_only = architecture.resources_only;
            for (name, mut code) in tools.machine_code(source, &arch, resources_only)? {
                code.arch.clear();
                let variants = kernels.entry(name).or_default();
                match variants.iter_mut().find(|variant| variant.code == code) {
                    Some(variant) => variant.archs.push(arch.clone()),
                    None => variants.push(Variant { archs: vec![arch.clone()], code }),
                }
            }
        }
        let (compiler, disassembler) = tools.names(source);
        let options = options(source);
        Ok(Committed {
            digest: digest(source, &compiler, &disassembler, &options),
            source: source.cuda_name.trim_start_matches('/').to_string(),
            options,
            compiler,
            disassembler,
            kernels,
        })
    }

    /// Reads `<dir>/<step>.sass.json`; `dir` is `kernels/<ladder>`.
    ///
    /// # Errors
    /// The file is missing, or is none of these.
    pub fn read(dir: &Path, step: &str) -> Result<Committed, Error> {
        let path = dir.join(format!("{step}{}", COMPILER.ending));
        let unusable = |what: String| Error::Unavailable {
            what: format!("{}: {what}", path.display()),
            remedy: "update it: cargo run -p maintain -- sass --write".to_string(),
        };
        let text = fs::read_to_string(&path).map_err(|error| unusable(error.to_string()))?;
        Committed::parse(&text).map_err(|error| unusable(error.to_string()))
    }

    /// Reads the text of such a file.
    ///
    /// # Errors
    /// It is no JSON, or lacks what such a file has.
    pub fn parse(text: &str) -> Result<Committed, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Whether it was made from this source with its options, as they are now. Needs no compiler.
    pub fn is_of(&self, source: &Source) -> bool {
        let now = digest(source, &self.compiler, &self.disassembler, &options(source));
        now == self.digest
    }

    /// The code of a kernel for an architecture, e.g. "sm_90".
    pub fn machine_code(&self, kernel: &str, arch: &str) -> Option<MachineCode> {
        let variants = self.kernels.get(kernel)?;
        let variant = variants.iter().find(|v| v.archs.iter().any(|known| known == arch))?;
        Some(MachineCode { arch: arch.to_string(), ..variant.code.clone() })
    }

    /// The text of the file: JSON with one line for each block of instructions, so that a difference can be read.
    ///
    /// # Errors
    /// None for what [`Committed::make`] returned: JSON knows all its values.
    pub fn to_text(&self) -> Result<String, serde_json::Error> {
        let mut text = String::from("{\n");
        let line = |text: &mut String, key: &str, value: String| {
            // Writing to a text cannot fail.
            let _ = writeln!(text, " {}: {value},", serde_json::Value::from(key));
        };
        line(&mut text, "digest", serde_json::to_string(&self.digest)?);
        line(&mut text, "source", serde_json::to_string(&self.source)?);
        line(&mut text, "options", serde_json::to_string(&self.options)?);
        line(&mut text, "compiler", serde_json::to_string(&self.compiler)?);
        line(&mut text, "disassembler", serde_json::to_string(&self.disassembler)?);
        text.push_str(" \"kernels\": {\n");
        let kernels = self.kernels.iter().map(|(name, variants)| {
            let name = serde_json::to_string(name)?;
            let variants = variants.iter().map(Variant::to_text).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("  {name}: [\n{}\n  ]", variants.join(",\n")))
        });
        text.push_str(&kernels.collect::<Result<Vec<_>, serde_json::Error>>()?.join(",\n"));
        text.push_str("\n }\n}\n");
        Ok(text)
    }
}

impl Variant {
    fn to_text(&self) -> Result<String, serde_json::Error> {
        let archs = serde_json::to_string(&self.archs)?;
        let resources = MachineCode { mix: None, ..self.code.clone() };
        let mut code = serde_json::to_string(&resources)?;
        if let Some(mix) = &self.code.mix {
            let blocks =
                mix.blocks.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>()?;
            // Into the object, before its closing brace.
            code.truncate(code.len() - 1);
            code = format!("{code},\"mix\":[\n    {}\n   ]}}", blocks.join(",\n    "));
        }
        Ok(format!("   {{\"archs\":{archs},\"code\":{code}}}"))
    }
}

/// An architecture that machine code is committed for.
#[derive(Debug, Clone, Copy)]
struct Architecture {
    number: u32,
    resources_only: bool,
}

impl Architecture {
    /// "sm_90".
    fn name(self) -> String {
        format!("sm_{}", self.number)
    }
}

/// All that have the instructions of a source.
fn architectures(source: &Source) -> Vec<Architecture> {
    let least = source.needs.0 * 10 + source.needs.1;
    let of = |resources_only| move |&number: &u32| Architecture { number, resources_only };
    let old = RESOURCES_ONLY.iter().map(of(true));
    let all = old.chain(ARCHITECTURES.iter().map(of(false)));
    let alone = source.is_of_one_architecture();
    all.filter(|it| it.number == least || it.number > least && !alone).collect()
}

/// The compiler options but for the architecture.
fn options(source: &Source) -> Vec<String> {
    ptx::options(source, "").split_off(1)
}

/// The digest of the `.cu`, or of the PTX where there is none.
fn digest(source: &Source, compiler: &str, disassembler: &str, options: &[String]) -> String {
    let compiler = format!("{compiler}, {disassembler}");
    match (&source.cuda, source.ptx.first()) {
        (None, Some(ptx)) => ptx::digest(&compiler, options, &ptx.text),
        _ => ptx::digest(&compiler, options, &source.text()),
    }
}
