//! The compilers that committed PTX is made with: pinned, so that it has the same bytes on every machine.

use super::target::Target;
use crate::nvrtc::{self, Nvrtc};

/// The first compute capability of which some instructions are in a target of its own, `sm_90a`, that no later GPU runs: `wgmma`
/// and `setmaxnreg`. Code that needs a GPU as new as that is compiled for this target.
pub const OWN_INSTRUCTIONS: (u32, u32) = (9, 0);

/// A kind of committed PTX and the one compiler that makes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pinned {
    /// How the file's name goes on after the step's, e.g. ".sm_90a.ptx".
    pub ending: &'static str,
    /// What it is compiled for, e.g. "compute_90a"; code that needs more is compiled for what it needs.
    pub target: &'static str,
    /// The full version of the NVRTC that compiles it.
    pub release: &'static str,
    /// The Python package that has this NVRTC.
    pub(crate) package: &'static str,
}

/// What every step has: PTX 7.8, for GPUs from Maxwell on and drivers from 520 on.
pub const EVERY_GPU: Pinned = Pinned {
    ending: ".ptx",
    target: "compute_50",
    release: "11.8.89",
    package: "nvidia-cuda-nvrtc-cu11",
};

/// What a step has instead whose instructions are Hopper's alone: PTX 8.8, for drivers from 575 on.
pub const HOPPER: Pinned = Pinned {
    ending: ".sm_90a.ptx",
    target: "compute_90a",
    release: "12.9.86",
    package: "nvidia-cuda-nvrtc-cu12",
};

impl Pinned {
    /// The kind of a committed file, by its name.
    pub fn of(file: &str) -> Option<Pinned> {
        // The longer ending first: it contains the shorter one.
        [HOPPER, EVERY_GPU].into_iter().find(|kind| file.ends_with(kind.ending))
    }

    /// The kind that every step has which needs such a GPU.
    pub fn first(needs: (u32, u32)) -> Pinned {
        if needs >= OWN_INSTRUCTIONS { HOPPER } else { EVERY_GPU }
    }

    /// What it is compiled for where the code needs GPUs from a compute capability on.
    pub fn target_for(&self, needs: (u32, u32)) -> String {
        match Target::parse(self.target) {
            Some(target) if target.capability < needs => {
                Target { capability: needs, ..target }.to_string()
            }
            _ => self.target.to_string(),
        }
    }

    /// Its compiler, if it is on this machine.
    pub fn compiler(&self) -> Option<&'static Nvrtc> {
        nvrtc::installed().iter().find(|nvrtc| {
            // The full version costs a compilation: ask for it only where the short one fits.
            self.release.starts_with(&format!("{}.", nvrtc.version()))
                && nvrtc.release().is_ok_and(|release| release == self.release)
        })
    }

    /// The command, typed at the workspace's root, that gets its compiler.
    pub fn install(&self) -> String {
        let Pinned { release, package, .. } = self;
        format!(
            "python3 -m pip install --no-deps --target target/nvrtc/{release} {package}=={release}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_ending_says_what_made_it() {
        assert_eq!(Pinned::of("05-rsqrt.ptx"), Some(EVERY_GPU));
        assert_eq!(Pinned::of("05-rsqrt.sm_90a.ptx"), Some(HOPPER));
        assert_eq!(Pinned::of("05-rsqrt.cu"), None);
    }

    #[test]
    fn code_is_compiled_for_no_less_than_it_needs() {
        assert_eq!(EVERY_GPU.target_for((5, 0)), "compute_50");
        assert_eq!(EVERY_GPU.target_for((8, 0)), "compute_80");
        assert_eq!(HOPPER.target_for((9, 0)), "compute_90a");
        assert_eq!((Pinned::first((8, 0)), Pinned::first((9, 0))), (EVERY_GPU, HOPPER));
    }

    #[test]
    fn the_command_in_messages_gets_the_compiler_of_every_step() {
        assert_eq!(EVERY_GPU.install(), nvrtc::INSTALL);
    }
}
