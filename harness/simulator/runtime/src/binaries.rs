//! What a program registers before `main` begins: its device code, and which of the host's addresses stand for its kernels
//! and variables. Code is read when it is first needed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use simt::{Loaded, Module, Simulator};

use crate::code;
use crate::exports::pointer::Out;
use crate::fatbin::{self, Content, Image};

/// Why code cannot be loaded: the error for the program, and what to say to its author.
pub(crate) type Refusal = (code::Code, String);

/// A kernel or a variable: the number of its binary and its name there.
type Entity = (usize, String);

/// The device code that the program registered.
#[derive(Debug, Default)]
pub(crate) struct Binaries {
    all: Vec<Binary>,
    kernels: BTreeMap<u64, Entity>,
    variables: BTreeMap<u64, Entity>,
    /// The binaries that the program loaded while it ran, and has not unloaded.
    libraries: BTreeSet<usize>,
    /// Kernels of libraries that were given a handle.
    given: u64,
}

/// Handles of the kernels of libraries begin here: no function of a program lies there.
const LIBRARY_KERNELS: u64 = 0xffff_8000_0000_0000;

#[derive(Debug)]
struct Binary {
    bytes: Vec<u8>,
    /// Where the host keeps the addresses of managed variables, and their names.
    managed: Vec<(Out<u64>, String)>,
    loaded: Option<Result<Code, Refusal>>,
}

/// Device code that was read.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    pub(crate) loaded: Loaded,
    /// What its PTX is for: 80 for `compute_80`.
    pub(crate) arch: u32,
}

/// Where code is loaded to, and as what.
pub(crate) struct Target<'a> {
    pub(crate) simulator: &'a Simulator,
    /// The GPU's compute capability: 90 for 9.0.
    pub(crate) capability: u32,
    /// Where the PTX is written.
    pub(crate) ptx: Option<&'a Path>,
}

impl Binaries {
    /// Registers a fat binary; gives its number.
    pub(crate) fn add(&mut self, bytes: Vec<u8>) -> usize {
        self.all.push(Binary { bytes, managed: Vec::new(), loaded: None });
        self.all.len() - 1
    }

    /// Loads a library: code that is read at once. Gives its number.
    ///
    /// # Errors
    /// Code that cannot be loaded.
    pub(crate) fn add_library(
        &mut self,
        bytes: Vec<u8>,
        target: &Target,
    ) -> Result<usize, Refusal> {
        let number = self.add(bytes);
        self.load(number, target)?;
        self.libraries.insert(number);
        Ok(number)
    }

    /// The code of a library.
    pub(crate) fn library(&self, number: usize) -> Option<&Code> {
        let binary = self.libraries.contains(&number).then(|| self.all.get(number))??;
        binary.loaded.as_ref()?.as_ref().ok()
    }

    /// The handle of a library's kernel: the same each time.
    pub(crate) fn library_kernel(&mut self, library: usize, name: &str) -> u64 {
        let is_it = |entity: &Entity| entity.0 == library && entity.1 == name;
        let known = self.kernels.range(LIBRARY_KERNELS..).find(|(_, entity)| is_it(entity));
        if let Some((&handle, _)) = known {
            return handle;
        }
        // Never that of a kernel whose library was unloaded.
        self.given += 1;
        let handle = LIBRARY_KERNELS + 16 * self.given;
        self.add_kernel(library, handle, name.to_string());
        handle
    }

    /// Unloads a library, with the handles of its kernels and the memory of its variables; `false` if there is none.
    pub(crate) fn remove_library(&mut self, number: usize, simulator: &Simulator) -> bool {
        if !self.libraries.remove(&number) {
            return false;
        }
        self.kernels.retain(|_, entity| entity.0 != number);
        let loaded = self.all.get_mut(number).and_then(|binary| {
            binary.bytes = Vec::new();
            binary.loaded.take()
        });
        if let Some(Ok(code)) = loaded {
            simulator.unload(code.loaded);
        }
        true
    }

    /// Registers a kernel by the address that stands for it on the host.
    pub(crate) fn add_kernel(&mut self, binary: usize, host: u64, name: String) {
        self.kernels.insert(host, (binary, name));
    }

    /// Registers a variable by the address that stands for it on the host.
    pub(crate) fn add_variable(&mut self, binary: usize, host: u64, name: String) {
        self.variables.insert(host, (binary, name));
    }

    /// Registers a managed variable, whose address belongs where the host looks for it.
    pub(crate) fn add_managed(&mut self, binary: usize, host: Out<u64>, name: String) {
        self.variables.insert(host.address(), (binary, name.clone()));
        if let Some(binary) = self.all.get_mut(binary) {
            binary.managed.push((host, name));
        }
    }

    /// A kernel's name and its code.
    ///
    /// # Errors
    /// No such kernel, or code that cannot be loaded.
    pub(crate) fn kernel(&mut self, host: u64, target: &Target) -> Result<(String, Code), Refusal> {
        let entity = self.kernels.get(&host).cloned();
        let (binary, name) = entity.ok_or_else(|| {
            let message = "the program registered no kernel at this address; is it compiled \
                           with another nvcc, or for the static runtime?";
            (code::INVALID_FUNCTION, message.to_string())
        })?;
        Ok((name, self.load(binary, target)?.clone()))
    }

    /// Whether a kernel's code is loaded.
    pub(crate) fn is_loaded(&self, host: u64) -> bool {
        let binary = self.kernels.get(&host).and_then(|(binary, _)| self.all.get(*binary));
        binary.is_some_and(|binary| binary.loaded.is_some())
    }

    /// A variable's address and size.
    ///
    /// # Errors
    /// No such variable, or code that cannot be loaded.
    pub(crate) fn variable(&mut self, host: u64, target: &Target) -> Result<(u64, u64), Refusal> {
        let entity = self.variables.get(&host).cloned();
        let (binary, name) = entity.ok_or_else(|| {
            let message = "the program registered no __device__ or __constant__ variable there";
            (code::INVALID_SYMBOL, message.to_string())
        })?;
        self.load(binary, target)?.loaded.symbol(&name).ok_or_else(|| {
            // The compiler leaves out what no kernel uses.
            (code::INVALID_SYMBOL, format!("the device code has no variable `{name}`"))
        })
    }

    /// The code of a binary.
    ///
    /// # Errors
    /// It has no PTX that this GPU takes, or the simulator cannot read it.
    pub(crate) fn load(&mut self, number: usize, target: &Target) -> Result<&Code, Refusal> {
        let binary = self.all.get_mut(number).ok_or_else(|| {
            (code::INVALID_IMAGE, "the program did not register its device code".to_string())
        })?;
        if binary.loaded.is_none() {
            let loaded = read(number, &binary.bytes, target);
            for (host, name) in &binary.managed {
                let address = loaded.as_ref().ok().and_then(|code| code.loaded.symbol(name));
                if let Some((address, _)) = address {
                    host.put(address).map_err(|code| (code, format!("no place for `{name}`")))?;
                }
            }
            binary.loaded = Some(loaded);
        }
        match &binary.loaded {
            Some(Ok(code)) => Ok(code),
            Some(Err(refusal)) => Err(refusal.clone()),
            None => Err((code::INVALID_IMAGE, "the device code was not read".to_string())),
        }
    }
}

fn read(number: usize, bytes: &[u8], target: &Target) -> Result<Code, Refusal> {
    let content = fatbin::read(bytes).map_err(|message| (code::INVALID_IMAGE, message))?;
    let image = choose(content, target.capability)?;
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    let mut file = format!("{program}-{}.ptx", number + 1);
    if let Some(folder) = target.ptx {
        let path = folder.join(&file);
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &image.text)).map_err(
            |error| (code::INVALID_IMAGE, format!("cannot write {}: {error}", path.display())),
        )?;
        file = path.display().to_string();
    }
    let module = Module::parse(&file, &image.text)
        .map_err(|error| (code::NOT_SUPPORTED, format!("cannot be simulated: {error}")))?;
    let loaded = target.simulator.load(Arc::new(module));
    let loaded = loaded.map_err(|error| (code::OUT_OF_MEMORY, error.to_string()))?;
    Ok(Code { loaded, arch: image.arch })
}

/// The PTX that the driver of a GPU would choose: the newest that is not newer than it.
fn choose(mut content: Content, capability: u32) -> Result<Image, Refusal> {
    content.ptx.sort_by_key(|image| image.arch);
    let list = |archs: &[u32], prefix: &str| -> String {
        let mut names: Vec<String> = archs.iter().map(|arch| format!("{prefix}{arch}")).collect();
        names.dedup();
        names.join(", ")
    };
    let archs: Vec<u32> = content.ptx.iter().map(|image| image.arch).collect();
    let found = content.ptx.into_iter().rfind(|image| image.arch <= capability);
    found.ok_or_else(|| {
        let has = match archs.is_empty() {
            true => format!(
                "the program has machine code only ({}), which cannot be simulated",
                list(&content.machine, "sm_")
            ),
            false => format!(
                "the program has PTX for {} only, and the modelled GPU has compute capability {}.{}; \
                 model a newer one with --gpu",
                list(&archs, "compute_"),
                capability / 10,
                capability % 10
            ),
        };
        let message = format!(
            "{has}\n  to do: compile it with nvcc -gencode arch=compute_{capability},code=compute_{capability}"
        );
        (code::NO_IMAGE, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(ptx: &[u32], machine: &[u32]) -> Content {
        let image = |arch: &u32| Image { arch: *arch, text: String::new() };
        Content { ptx: ptx.iter().map(image).collect(), machine: machine.to_vec() }
    }

    #[test]
    fn the_newest_code_is_chosen_that_the_gpu_takes() {
        assert_eq!(choose(content(&[90, 75, 100], &[90]), 90).unwrap().arch, 90);
        assert_eq!(choose(content(&[50, 75, 100], &[]), 90).unwrap().arch, 75);
        let (code, message) = choose(content(&[100, 120], &[]), 90).unwrap_err();
        assert_eq!(code, code::NO_IMAGE);
        assert!(message.contains("compute_100, compute_120"), "{message}");
        assert!(message.contains("--gpu") && message.contains("9.0"), "{message}");
    }

    #[test]
    fn machine_code_alone_is_refused_with_a_remedy() {
        let (code, message) = choose(content(&[], &[80, 90]), 90).unwrap_err();
        assert_eq!(code, code::NO_IMAGE);
        assert!(message.contains("sm_80, sm_90"), "{message}");
        assert!(message.contains("-gencode arch=compute_90,code=compute_90"), "{message}");
    }
}
