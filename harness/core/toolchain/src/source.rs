//! One step's code: its CUDA C++ and the PTX that was made from it.

mod files;

use std::path::PathBuf;

use crate::include::{self, Include};
use crate::ptx::{OWN_INSTRUCTIONS, Ptx};

pub(crate) use files::MACHINE_CODE;

/// The compute capability of the oldest GPU that compilers know.
pub const ANY_GPU: (u32, u32) = (5, 0);

/// One step's code, as read from `kernels/<ladder>/` or from a reader's own file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// Its name in messages and reports, e.g. "nbody/05-rsqrt".
    pub name: String,
    /// Where the code is read from, e.g. "kernels/nbody/05-rsqrt.cu" (from the workspace's root) or as the reader gave it.
    pub file: String,
    /// The text of the `.cu`; none where only PTX was given, and in Rust.
    pub cuda: Option<String>,
    /// The files that the `.cu` includes; without a `.cu` those that the PTX names.
    pub includes: Vec<Include>,
    /// The name under which the `.cu` is compiled, e.g. "/kernels/nbody/05-rsqrt.cu": absolute, so that no machine's
    /// path gets into line information.
    pub cuda_name: String,
    /// The step's own compiler options.
    pub options: Vec<String>,
    /// Folders that the compiler may read included files from, besides CUDA's own headers. Without them it reads only those
    /// headers, and only where the code names one in angle brackets.
    pub folders: Vec<PathBuf>,
    /// Whether it is a reader's own file and no step's. It is compiled as C++17, and for the simulator as for compute
    /// capability 7.0 or newer.
    pub is_readers: bool,
    /// The least compute capability of a GPU that has the code's instructions, major and minor.
    pub needs: (u32, u32),
    /// PTX made from it: the one for every GPU first, then those for newer targets.
    pub ptx: Vec<Ptx>,
    /// The text of the machine code that was made from it, `<step>.sass.json`; none where there is no such file.
    pub machine: Option<String>,
}

impl Source {
    /// A text with the names that the compiler knows files by replaced by those that the reader gave.
    #[must_use]
    pub fn as_given(&self, text: &str) -> String {
        let text = match self.cuda {
            Some(_) => text.replace(&self.cuda_name, &self.file),
            None => text.to_string(),
        };
        self.includes
            .iter()
            .fold(text, |text, include| text.replace(&self.compiled_name(include), &include.file))
    }

    /// If this is an unchanged copy of `other`, what was made from `other` is used. Any other source stays as it
    /// is.
    #[must_use]
    pub fn or_unchanged(self, other: &Source) -> Source {
        if self.cuda.is_none() || (self.text(), &self.options) != (other.text(), &other.options) {
            return self;
        }
        Source { name: self.name, file: self.file, ..other.clone() }
    }

    /// Whether it runs only on GPUs of the compute capability that it needs: see [`OWN_INSTRUCTIONS`].
    pub fn is_of_one_architecture(&self) -> bool {
        self.needs >= OWN_INSTRUCTIONS
    }

    /// What a compiler calls an architecture for this code: "sm_90a" instead of "sm_90" where it is of that alone.
    pub fn target(&self, architecture: &str) -> String {
        let own = if self.is_of_one_architecture() { "a" } else { "" };
        format!("{architecture}{own}")
    }

    /// Its PTX alone, without CUDA source and machine code.
    #[must_use]
    pub fn as_ptx(&self) -> Source {
        Source { cuda: None, machine: None, ..self.clone() }
    }

    /// The file that code calls `name`, as its reader knows it, and its text: the `.cu` or one that it includes.
    pub fn file(&self, name: &str) -> Option<(&str, &str)> {
        let of = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
        let wanted = of(name);
        match &self.cuda {
            Some(text) if of(&self.cuda_name) == wanted || of(&self.file) == wanted => {
                Some((&self.file, text))
            }
            _ => {
                let included = self.includes.iter().find(|include| of(&include.name) == wanted)?;
                Some((&included.file, &included.text))
            }
        }
    }

    /// All that is compiled, as digests have it: the `.cu`, then each included file below a line with its name. Line ends
    /// are LF, so that a checkout on Windows has the same.
    pub fn text(&self) -> String {
        let mut text = self.cuda.as_deref().unwrap_or_default().replace("\r\n", "\n");
        for Include { name, text: included, .. } in &self.includes {
            text += &format!("// included: {name}\n{included}");
        }
        text
    }

    /// Whether the compiler is to look for headers: the code, or a file that it includes, names one in angle brackets.
    pub(crate) fn asks_for_headers(&self) -> bool {
        let texts = self.cuda.iter().chain(self.includes.iter().map(|include| &include.text));
        texts.into_iter().any(|text| include::asks_for_headers(text))
    }

    /// The name under which an included file is compiled: that of the `.cu`'s folder, and its own. PTX states it.
    pub(crate) fn compiled_name(&self, include: &Include) -> String {
        if self.cuda.is_none() {
            return include.name.clone();
        }
        let folder = self.cuda_name.rsplit_once('/').map_or("", |(folder, _)| folder);
        format!("{folder}/{}", include.name)
    }
}
