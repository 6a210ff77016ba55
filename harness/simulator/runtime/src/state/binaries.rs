//! The device code that a program registers, and the addresses of the host that stand for its kernels and variables. Code is
//! read when it is first needed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use simt::{Loaded, Module, Simulator};

use crate::error::{self, CudaError};
use crate::fatbin::{self, Content, Image};
use crate::host::Out;

/// Why device code cannot be used.
#[derive(Debug, Clone)]
pub(crate) struct Refusal {
    /// The error of the call.
    pub(crate) error: CudaError,
    /// The reason and the remedy, for the log.
    pub(crate) message: String,
}

impl Refusal {
    fn new(error: CudaError, message: impl Into<String>) -> Refusal {
        Refusal { error, message: message.into() }
    }
}

/// A kernel or a variable: the number of its binary and its name there.
type Entity = (usize, String);

/// The device code that the program registered.
#[derive(Debug, Default)]
pub(crate) struct Binaries {
    all: Vec<Binary>,
    kernels: BTreeMap<u64, Entity>,
    variables: BTreeMap<u64, Entity>,
    /// Binaries that the program loaded at run time and has not unloaded.
    libraries: BTreeSet<usize>,
    /// Number of handles of library kernels so far.
    given: u64,
}

/// Handles of library kernels begin here, where no function of a program lies.
const LIBRARY_KERNELS: u64 = 0xffff_8000_0000_0000;

#[derive(Debug)]
struct Binary {
    bytes: Vec<u8>,
    /// Managed variables: where the host reads their addresses, and their names.
    managed: Vec<(Out<u64>, String)>,
    loaded: Option<Result<DeviceCode, Refusal>>,
}

/// Device code that was read.
#[derive(Debug, Clone)]
pub(crate) struct DeviceCode {
    pub(crate) loaded: Loaded,
    /// The architecture of its PTX: 80 for `compute_80`.
    pub(crate) arch: u32,
}

/// Where code is loaded.
pub(crate) struct Target<'a> {
    pub(crate) simulator: &'a Simulator,
    /// The GPU's compute capability: 90 for 9.0.
    pub(crate) capability: u32,
    /// Folder to which the PTX is written.
    pub(crate) ptx: Option<&'a Path>,
}

impl Binaries {
    /// Registers a fat binary, and returns its number.
    pub(crate) fn add(&mut self, bytes: Vec<u8>) -> usize {
        self.all.push(Binary { bytes, managed: Vec::new(), loaded: None });
        self.all.len() - 1
    }

    /// Loads a library, whose code is read at once, and returns its number.
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
    pub(crate) fn library(&self, number: usize) -> Option<&DeviceCode> {
        let binary = self.libraries.contains(&number).then(|| self.all.get(number))??;
        binary.loaded.as_ref()?.as_ref().ok()
    }

    /// The handle of a library's kernel, which is the same each time.
    pub(crate) fn library_kernel(&mut self, library: usize, name: &str) -> u64 {
        let is_it = |entity: &Entity| entity.0 == library && entity.1 == name;
        let known = self.kernels.range(LIBRARY_KERNELS..).find(|(_, entity)| is_it(entity));
        if let Some((&handle, _)) = known {
            return handle;
        }
        // Handles of unloaded libraries are not reused.
        self.given += 1;
        let handle = LIBRARY_KERNELS + 16 * self.given;
        self.add_kernel(library, handle, name.to_string());
        handle
    }

    /// Unloads a library with the handles of its kernels and the memory of its variables; `false` if there is none.
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

    /// Registers a managed variable. Its address is put where the host reads it once the code is loaded.
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
    pub(crate) fn kernel(
        &mut self,
        host: u64,
        target: &Target,
    ) -> Result<(String, DeviceCode), Refusal> {
        let entity = self.kernels.get(&host).cloned();
        let (binary, name) = entity.ok_or_else(|| {
            let message = "the program registered no kernel at this address; is it compiled \
                           with another nvcc, or for the static runtime?";
            Refusal::new(error::INVALID_FUNCTION, message)
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
            Refusal::new(error::INVALID_SYMBOL, message)
        })?;
        self.load(binary, target)?.loaded.symbol(&name).ok_or_else(|| {
            // The compiler removes variables that no kernel uses.
            let message = format!("the device code has no variable `{name}`");
            Refusal::new(error::INVALID_SYMBOL, message)
        })
    }

    /// The code of a binary.
    ///
    /// # Errors
    /// It has no PTX for this GPU, or the simulator cannot read it.
    pub(crate) fn load(&mut self, number: usize, target: &Target) -> Result<&DeviceCode, Refusal> {
        let binary = self.all.get_mut(number).ok_or_else(|| {
            Refusal::new(error::INVALID_IMAGE, "the program did not register its device code")
        })?;
        if binary.loaded.is_none() {
            let loaded = read(number, &binary.bytes, target);
            for (host, name) in &binary.managed {
                let address = loaded.as_ref().ok().and_then(|code| code.loaded.symbol(name));
                if let Some((address, _)) = address {
                    let done = host.put(address);
                    done.map_err(|error| Refusal::new(error, format!("no place for `{name}`")))?;
                }
            }
            binary.loaded = Some(loaded);
        }
        match &binary.loaded {
            Some(Ok(code)) => Ok(code),
            Some(Err(refusal)) => Err(refusal.clone()),
            None => Err(Refusal::new(error::INVALID_IMAGE, "the device code was not read")),
        }
    }
}

/// Reads the code of a binary and loads it into the simulator.
fn read(number: usize, bytes: &[u8], target: &Target) -> Result<DeviceCode, Refusal> {
    let content =
        fatbin::read(bytes).map_err(|it| Refusal::new(error::INVALID_IMAGE, it.to_string()))?;
    let image = choose(content, target.capability)?;
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.file_name().unwrap_or_default().to_string_lossy();
    let mut file = format!("{program}-{}.ptx", number + 1);
    if let Some(folder) = target.ptx {
        let path = folder.join(&file);
        let written =
            std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, &image.text));
        written.map_err(|it| {
            let message = format!("cannot write {}: {it}", path.display());
            Refusal::new(error::INVALID_IMAGE, message)
        })?;
        file = path.display().to_string();
    }
    let module = Module::parse(&file, &image.text)
        .map_err(|it| Refusal::new(error::NOT_SUPPORTED, format!("cannot be simulated: {it}")))?;
    let loaded = target.simulator.load(Arc::new(module));
    let loaded = loaded.map_err(|it| Refusal::new(error::OUT_OF_MEMORY, it.to_string()))?;
    Ok(DeviceCode { loaded, arch: image.arch })
}

/// The PTX that a driver would choose: the newest that is not newer than the GPU.
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
        Refusal::new(error::NO_IMAGE, message)
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
        let Refusal { error, message } = choose(content(&[100, 120], &[]), 90).unwrap_err();
        assert_eq!(error, error::NO_IMAGE);
        assert!(message.contains("compute_100, compute_120"), "{message}");
        assert!(message.contains("--gpu") && message.contains("9.0"), "{message}");
    }

    #[test]
    fn machine_code_alone_is_refused_with_a_remedy() {
        let Refusal { error, message } = choose(content(&[], &[80, 90]), 90).unwrap_err();
        assert_eq!(error, error::NO_IMAGE);
        assert!(message.contains("sm_80, sm_90"), "{message}");
        assert!(message.contains("-gencode arch=compute_90,code=compute_90"), "{message}");
    }
}
