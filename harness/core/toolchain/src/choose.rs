//! Which code runs: compiled here, or committed with its source. Committed code runs only while its digest is that of
//! its source, so that old code never stands in for new.

#[cfg(test)]
mod tests;

use crate::compiler::{self, Compiler, Compilers, Maker};
use crate::error::Error;
use crate::nvrtc::{self, Nvrtc};
use crate::ptx::Ptx;
use crate::ptx::{self, Reader};
use crate::route::CodeRoute;
use crate::source::Source;
use crate::{clang, headers};

/// Code that a device can load.
#[derive(Debug)]
pub struct Code {
    /// What messages call the PTX.
    pub file: String,
    /// The PTX; with a cubin, what the cubin was made from.
    pub ptx: String,
    /// The GPU's own code, which is then loaded instead.
    pub cubin: Option<Vec<u8>>,
    /// What it is, for the report.
    pub says: String,
    /// Whether machine code of the same source, if there is any, is that of this PTX.
    pub has_machine_code: bool,
}

/// Chooses a step's code for `reader`. `compilers` are asked for only where one is needed.
pub fn choose(
    source: &Source,
    route: CodeRoute,
    reader: Reader,
    compilers: Compilers,
) -> Result<Code, Error> {
    check_needs(source, reader)?;
    if source.cuda.is_none() {
        return match route {
            CodeRoute::Compiled(_) => Err(Error::Skipped {
                reason: format!("{} is PTX, which no compiler is needed for", source.name),
                remedy: "leave --code out".to_string(),
            }),
            // Its machine code was made from the PTX itself.
            CodeRoute::Auto | CodeRoute::Committed => committed(&source.ptx, reader, "PTX")
                .map(|code| Code { has_machine_code: true, ..code }),
        };
    }
    let current = current(source);
    if route == CodeRoute::Committed {
        return match current {
            Ok(files) => committed(&files, reader, "committed PTX"),
            Err(stale) => Err(Error::Skipped {
                reason: format!(
                    "{stale}, and with --code committed, as in tests, nothing is compiled"
                ),
                remedy: format!(
                    "renew the PTX: cargo run -p maintain -- ptx --write {}",
                    source.name.split('/').next().unwrap_or_default()
                ),
            }),
        };
    }
    let maker = match route {
        CodeRoute::Compiled(Some(maker)) => Some(maker),
        _ => compiler::chosen()?,
    };
    match current {
        Ok(files) if route == CodeRoute::Auto && maker.is_none() => {
            match exact(source, compilers, reader) {
                Some((nvrtc, target)) => compile(source, nvrtc.into(), &target),
                None => committed(&files, reader, "committed PTX"),
            }
        }
        current => compiled(source, maker, reader, current.err(), compilers),
    }
}

/// Code that is compiled here: by `maker`, or by the first compiler that can, NVRTC before clang.
fn compiled(
    source: &Source,
    maker: Option<Maker>,
    reader: Reader,
    stale: Option<String>,
    compilers: Compilers,
) -> Result<Code, Error> {
    let may = |asked: Maker| maker.is_none_or(|maker| maker == asked);
    let mut found = Vec::new();
    if may(Maker::Nvrtc) {
        if let Some((nvrtc, target)) = exact(source, compilers, reader) {
            return compile(source, nvrtc.into(), &target);
        }
        found.extend(with_headers(source, (compilers.nvrtc)()).into_iter().map(Compiler::from));
    }
    let of = |all: &[Compiler<'static>]| portable(source, all, reader);
    let mut suited = of(&found);
    if suited.is_none() && may(Maker::Clang) {
        let clangs: Vec<Compiler> = (compilers.clang)().iter().map(Compiler::from).collect();
        suited = of(&clangs);
        found.extend(clangs);
    }
    match suited {
        Some((compiler, target)) => compile(source, compiler, &target),
        None => Err(no_compiler(source, stale, maker, &found)),
    }
}

/// Whether the GPU has the instructions of the code; the simulator need not be asked.
fn check_needs(source: &Source, reader: Reader) -> Result<(), Error> {
    let Reader::Gpu { capability, .. } = reader else { return Ok(()) };
    let alone = source.is_of_one_architecture();
    if capability == source.needs || capability > source.needs && !alone {
        return Ok(());
    }
    let (major, minor) = source.needs;
    let (which, on) = if alone { ("of", "") } else { ("from", " on") };
    Err(Error::Skipped {
        reason: format!(
            "{} has instructions of GPUs {which} compute capability {major}.{minor}{on}, and this one has {}.{}",
            source.name, capability.0, capability.1
        ),
        remedy: "run it on the simulator: --device simt".to_string(),
    })
}

/// The PTX files that were made from the source as it is now.
fn current(source: &Source) -> Result<Vec<Ptx>, String> {
    let mut stale = format!("{} has no committed PTX", source.name);
    let mut files = Vec::new();
    for file in &source.ptx {
        match ptx::check(source, &file.text) {
            Ok(()) => files.push(file.clone()),
            Err(mismatch) => stale = format!("{} {mismatch}", file.file),
        }
    }
    if files.is_empty() { Err(stale) } else { Ok(files) }
}

fn committed(files: &[Ptx], reader: Reader, kind: &str) -> Result<Code, Error> {
    let file = ptx::choose(files, reader)?;
    let ((major, minor), target) = ptx::facts(file)?;
    let is_clangs = ptx::is_clangs(&file.text);
    let by = if is_clangs { ", made by LLVM" } else { "" };
    Ok(Code {
        file: file.file.clone(),
        ptx: file.text.clone(),
        cubin: None,
        says: format!("{kind} {major}.{minor} ({target}){by}"),
        has_machine_code: !is_clangs,
    })
}

/// The first compiler that makes the GPU's own code, and the option for that.
fn exact(
    source: &Source,
    compilers: Compilers,
    reader: Reader,
) -> Option<(&'static Nvrtc, String)> {
    let Reader::Gpu { capability, cuda } = reader else {
        return None;
    };
    let number = capability.0 * 10 + capability.1;
    (compilers.nvrtc)()
        .iter()
        // A driver loads the machine code of every CUDA release up to its own.
        .filter(|nvrtc| nvrtc.version().major <= cuda.0)
        .filter(|nvrtc| knows(source, Compiler::Nvrtc(nvrtc)))
        .find(|nvrtc| nvrtc.architectures().contains(&number) && nvrtc.release().is_ok())
        .map(|nvrtc| (nvrtc, source.target(&format!("sm_{number}"))))
}

/// The compute capability from which on a reader's code is compiled for the simulator: that of today's CUDA C++, whose
/// atomics have scopes and whose lanes go on by themselves.
const TODAYS_GPU: (u32, u32) = (7, 0);

/// The least compute capability of a target. The simulator has the instructions of all, while a GPU may be older.
fn least(source: &Source, reader: Reader) -> (u32, u32) {
    match reader {
        Reader::Simulator if source.is_readers => source.needs.max(TODAYS_GPU),
        _ => source.needs,
    }
}

/// Whether a compiler has the targets of one architecture, if the code is of such: CUDA 12.0 began with `sm_90a`.
fn knows(source: &Source, compiler: Compiler) -> bool {
    match compiler {
        Compiler::Nvrtc(nvrtc) => nvrtc.version().major >= 12 || !source.is_of_one_architecture(),
        Compiler::Clang(_) => true,
    }
}

/// The first compiler whose PTX the reader accepts, and the target for it, which has what the code needs.
fn portable<'c>(
    source: &Source,
    compilers: &[Compiler<'c>],
    reader: Reader,
) -> Option<(Compiler<'c>, String)> {
    let needs = least(source, reader);
    let least = needs.0 * 10 + needs.1;
    compilers.iter().filter(|compiler| knows(source, **compiler)).find_map(|compiler| {
        let mut targets = compiler.architectures().iter().copied();
        let target = match reader {
            // As the committed PTX: what every GPU runs that has the code's instructions.
            Reader::Simulator => targets.find(|&target| target >= least),
            Reader::Gpu { capability, cuda } => {
                let number = capability.0 * 10 + capability.1;
                targets.rfind(|&target| target <= number && compiler.needs_cuda(target) <= cuda)
            }
        }?;
        compiler.works().then(|| (*compiler, source.target(&format!("compute_{target}"))))
    })
}

/// The compilers, where a program includes CUDA's own headers first those for whose release they are here.
fn with_headers<'n>(source: &Source, compilers: &'n [Nvrtc]) -> Vec<&'n Nvrtc> {
    let mut all: Vec<&Nvrtc> = compilers.iter().collect();
    if source.asks_for_headers() {
        let has = |nvrtc: &Nvrtc| {
            headers::installed().iter().any(|it| it.release.0 == nvrtc.version().major)
        };
        all.sort_by_key(|nvrtc| !has(nvrtc));
    }
    all
}

fn compile(source: &Source, compiler: Compiler, target: &str) -> Result<Code, Error> {
    let options = ptx::options(source, target);
    let compiled = ptx::compile(source, compiler, &options).map_err(|error| match error {
        // The names for the compiler are no machine's: the reader's own are easier to find.
        Error::Compile { compiler, log, .. } => {
            let log = source.as_given(&log);
            Error::Compile { name: source.file.clone(), compiler, log }
        }
        other => other,
    })?;
    let name = compiler.named(&compiled.version);
    let says = match (&compiled.cubin, ptx::version(&compiled.ptx)) {
        (Some(_), _) => format!("{name} → {target} cubin"),
        (None, Some((major, minor))) => format!("{name} → PTX {major}.{minor} ({target})"),
        (None, None) => format!("{name} → PTX ({target})"),
    };
    Ok(Code {
        file: format!("{} as compiled", source.name),
        ptx: compiled.ptx,
        cubin: compiled.cubin,
        says,
        has_machine_code: compiler.maker() == Maker::Nvrtc,
    })
}

/// Why the source could not be compiled here by `maker`, or by any.
fn no_compiler(
    source: &Source,
    stale: Option<String>,
    maker: Option<Maker>,
    found: &[Compiler],
) -> Error {
    let asked = match maker {
        Some(Maker::Nvrtc) => "NVRTC",
        Some(Maker::Clang) => "clang",
        None => "NVRTC or clang",
    };
    let names: Vec<String> = found.iter().map(Compiler::short_name).collect();
    let lacking = if names.is_empty() {
        format!("no {asked} was found to compile it")
    } else {
        let names = names.join(", ");
        format!("none of the compilers found ({names}) compiles for this device; `doctor` says why")
    };
    Error::Skipped {
        reason: match stale {
            Some(stale) => format!("{stale}, and {lacking}"),
            None => format!("{}: {lacking}", source.name),
        },
        remedy: match maker {
            Some(Maker::Nvrtc) => nvrtc::remedy(),
            Some(Maker::Clang) => clang::remedy(),
            None => compiler::remedy(),
        },
    }
}
