//! PTX as text: which drivers and GPUs accept it, what it declares, and the header that ties it to its source.

mod header;
mod pinned;
mod signature;
mod target;

pub use header::{Header, Mismatch, check, digest, generate, of_copy};
pub(crate) use header::{compile, options};
pub use pinned::{EVERY_GPU, HOPPER, Pinned};
pub(crate) use signature::kernels;
pub use target::{Reach, Target};

use std::path::Path;

use crate::code::include::{Include, read};
use crate::error::Error;

/// A PTX file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptx {
    /// Its name without the folder, e.g. "05-rsqrt.ptx".
    pub file: String,
    /// Its text.
    pub text: String,
}

/// The `.version` of a PTX text, e.g. (7, 8).
pub fn version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = directive(text, ".version")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The `.target` of a PTX text.
pub fn target(text: &str) -> Option<Target> {
    Target::parse(directive(text, ".target")?.split(',').next()?.trim())
}

/// The sources that line information names and that lie in `folder`: each under the name that the PTX has for it.
pub(crate) fn sources(text: &str, folder: &Path) -> Vec<Include> {
    let names = text.lines().filter_map(|line| {
        let (_, rest) = line.trim().strip_prefix(".file")?.split_once('"')?;
        Some(rest.split_once('"')?.0)
    });
    let found = names.filter_map(|name| {
        let path = folder.join(name.rsplit(['/', '\\']).next()?);
        let text = read(&path).ok()?.replace("\r\n", "\n");
        Some(Include { name: name.to_string(), file: path.display().to_string(), text })
    });
    found.collect()
}

/// The value of a directive that has a line of its own.
fn directive<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines()
        .filter_map(|line| line.trim().strip_prefix(name))
        .find(|rest| rest.starts_with(char::is_whitespace))
        .map(|rest| rest.split("//").next().unwrap_or(rest).trim())
}

/// The oldest CUDA version whose driver reads PTX of this version (PTX ISA, "Release Notes").
pub fn needs_cuda(ptx: (u32, u32)) -> (u32, u32) {
    match ptx {
        (..=5, _) => (8, 0),
        (6, minor @ 0..=2) => (9, minor),
        (6, minor) => (10, minor - 3),
        (7, minor) => (11, minor),
        (8, minor @ 0..=5) => (12, minor),
        // CUDA 12.6 still wrote PTX 8.5.
        (8, minor) => (12, minor + 1),
        // From 9.0 on both count alike: 9.1 came with CUDA 13.1.
        (major, minor) => (major + 4, minor),
    }
}

/// Whom PTX is chosen for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A GPU of this compute capability under a driver of this CUDA version.
    Gpu {
        /// Major and minor.
        capability: (u32, u32),
        /// Major and minor.
        cuda: (u32, u32),
    },
    /// The simulator. It takes the oldest target: what every GPU runs, without the instructions of one of them.
    Simulator,
}

/// The one of `files` that suits best: for a GPU the newest that it and its driver accept.
pub(crate) fn choose(files: &[Ptx], reader: Reader) -> Result<&Ptx, Error> {
    let mut best: Option<(&Ptx, Target)> = None;
    let mut refused = None;
    for file in files {
        let (version, target) = facts(file)?;
        if let Some(why) = refusal(file, version, target, reader) {
            // The first file is the one for every GPU: what is wrong with that is what helps.
            refused.get_or_insert(why);
            continue;
        }
        let better = best.is_none_or(|(_, old)| match reader {
            Reader::Gpu { .. } => target.capability > old.capability,
            Reader::Simulator => target.capability < old.capability,
        });
        if better {
            best = Some((file, target));
        }
    }
    match (best, refused) {
        (Some((file, _)), _) => Ok(file),
        (None, Some(why)) => Err(why),
        (None, None) => Err(Error::BadPtx("there is no PTX to choose from".to_string())),
    }
}

/// A file's `.version` and `.target`.
pub(crate) fn facts(file: &Ptx) -> Result<((u32, u32), Target), Error> {
    match (version(&file.text), target(&file.text)) {
        (Some(version), Some(target)) => Ok((version, target)),
        (None, _) => {
            Err(Error::BadPtx(format!("{}: no line `.version M.N`: this is no PTX", file.file)))
        }
        (_, None) => {
            Err(Error::BadPtx(format!("{}: no line `.target sm_NN`: this is no PTX", file.file)))
        }
    }
}

fn refusal(file: &Ptx, version: (u32, u32), target: Target, reader: Reader) -> Option<Error> {
    let Reader::Gpu { capability, cuda } = reader else {
        return None;
    };
    if !target.runs_on(capability) {
        return Some(Error::WrongGpu {
            file: file.file.clone(),
            target: target.to_string(),
            gpu: capability,
        });
    }
    let needs = needs_cuda(version);
    (cuda < needs).then(|| Error::DriverTooOld {
        file: file.file.clone(),
        ptx: version,
        needs,
        driver: cuda,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, version: &str, target: &str) -> Ptx {
        Ptx {
            file: name.to_string(),
            text: format!("// .version 1.0\n.version {version} // x\n.target {target}, debug\n"),
        }
    }

    fn gpu(capability: (u32, u32), cuda: (u32, u32)) -> Reader {
        Reader::Gpu { capability, cuda }
    }

    #[test]
    fn directives_are_read() {
        let ptx = file("a", "7.8", "sm_50");
        assert_eq!(version(&ptx.text), Some((7, 8)));
        assert_eq!(target(&ptx.text).unwrap().capability, (5, 0));
        assert_eq!(version(".versions 7.8\n"), None);
        assert_eq!(target(".target sm_\n"), None);
    }

    #[test]
    fn targets_reach_as_far_as_their_letter_says() {
        let runs = |target: &str, gpu| Target::parse(target).unwrap().runs_on(gpu);
        assert!(runs("sm_50", (9, 0)) && runs("sm_90", (9, 0)) && runs("compute_90", (12, 1)));
        assert!(!runs("sm_90", (8, 9)));
        assert!(runs("sm_90a", (9, 0)) && !runs("sm_90a", (10, 0)));
        assert!(runs("sm_100f", (10, 3)) && !runs("sm_100f", (12, 0)) && !runs("sm_103f", (10, 0)));
        assert_eq!(Target::parse("sm_121a").unwrap().to_string(), "compute_121a");
        assert_eq!(Target::parse("sm_x"), None);
        assert_eq!(Target::parse("90"), None);
    }

    /// From the release notes of the PTX ISA.
    #[test]
    fn versions_of_ptx_and_cuda_belong_together() {
        for (ptx, cuda) in [
            ((6, 0), (9, 0)),
            ((6, 2), (9, 2)),
            ((6, 3), (10, 0)),
            ((6, 5), (10, 2)),
            ((7, 0), (11, 0)),
            ((7, 8), (11, 8)),
            ((8, 0), (12, 0)),
            ((8, 4), (12, 4)),
            ((8, 5), (12, 5)),
            ((8, 6), (12, 7)),
            ((8, 7), (12, 8)),
            ((8, 8), (12, 9)),
            ((9, 0), (13, 0)),
            ((9, 1), (13, 1)),
        ] {
            assert_eq!(needs_cuda(ptx), cuda, "PTX {ptx:?}");
        }
    }

    #[test]
    fn the_newest_accepted_is_chosen() {
        let files = [file("old.ptx", "7.8", "sm_50"), file("new.ptx", "8.4", "sm_90")];
        let choose = |reader| choose(&files, reader).map(|ptx| ptx.file.as_str());
        assert_eq!(choose(gpu((9, 0), (13, 0))).unwrap(), "new.ptx");
        assert_eq!(choose(gpu((10, 0), (12, 8))).unwrap(), "new.ptx");
        assert_eq!(choose(gpu((8, 9), (13, 0))).unwrap(), "old.ptx");
        // Driver 535 has CUDA 12.2 and refuses PTX 8.4.
        assert_eq!(choose(gpu((9, 0), (12, 2))).unwrap(), "old.ptx");
        assert_eq!(choose(Reader::Simulator).unwrap(), "old.ptx");
    }

    #[test]
    fn a_refusal_says_what_is_needed() {
        let files = [file("old.ptx", "7.8", "sm_50")];
        let error = choose(&files, gpu((9, 0), (11, 4))).unwrap_err();
        let text = error.to_string();
        for part in ["old.ptx", "PTX 7.8", "CUDA 11.8", "CUDA 11.4", "update"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let error = choose(&files, gpu((3, 5), (11, 8))).unwrap_err();
        assert!(error.to_string().contains("3.5"), "{error}");
        let nonsense = Ptx { file: "x.ptx".to_string(), text: "hello".to_string() };
        let error = choose(&[nonsense], Reader::Simulator).unwrap_err();
        assert!(error.to_string().contains("x.ptx"), "{error}");
    }
}
