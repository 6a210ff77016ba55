//! The compiler and the disassembler, and what both make of a source.

use std::fs;
use std::process::Command;

use report::files::Scratch;
use simt::machine::{Code, MachineBlock, MachineCode, Mix};

use super::find::{self, INSTALL as NVDISASM_INSTALL, Nvdisasm};
use super::listing::{self, SassLine};
use super::log;
use super::ptxas::{self, Assembled, COMPILER};
use super::waits;
use crate::error::Error;
use crate::nvrtc::{self, Nvrtc};
use crate::ptx;
use crate::source::Source;

/// Architectures whose machine code is committed.
pub const ARCHITECTURES: [u32; 7] = [75, 80, 86, 89, 90, 100, 120];

/// Architectures that the disassembler does not read any more: only their registers, stack, spills and shared memory
/// are committed.
pub const RESOURCES_ONLY: [u32; 5] = [50, 52, 60, 61, 70];

/// A compiler and a disassembler.
#[derive(Debug)]
pub struct Tools {
    nvrtc: &'static Nvrtc,
    nvdisasm: Nvdisasm,
}

impl Tools {
    /// The pinned ones, which make the committed files.
    ///
    /// # Errors
    /// One of them is missing; the error has the command that gets it.
    pub fn pinned() -> Result<Tools, Error> {
        let nvrtc = COMPILER.compiler().ok_or_else(|| missing_compiler(COMPILER.release))?;
        Ok(Tools { nvrtc, nvdisasm: find::pinned()? })
    }

    /// Any that can make and read machine code for `arch`, e.g. "sm_90".
    ///
    /// # Errors
    /// There are none; the error has the command that gets them.
    pub fn any(arch: &str) -> Result<Tools, Error> {
        Ok(Tools { nvrtc: compiler(arch)?, nvdisasm: find::any()? })
    }

    /// What the committed files of a source name as their makers.
    pub(super) fn names(&self, source: &Source) -> (String, String) {
        let release = self.nvrtc.release().unwrap_or_default();
        let compiler = if source.cuda.is_some() { "NVRTC" } else { "ptxas" };
        (format!("{compiler} {release}"), format!("nvdisasm {}", self.nvdisasm.release))
    }

    /// The kernels of a source as `arch` runs them; without their instructions if `resources_only`.
    pub(super) fn machine_code(
        &self,
        source: &Source,
        arch: &str,
        resources_only: bool,
    ) -> Result<Vec<(String, MachineCode)>, Error> {
        let (cubin, log) = match (&source.cuda, source.ptx.first()) {
            (None, Some(ptx)) => {
                let Assembled { cubin, log } = ptxas::assemble(ptx, arch)?;
                (Some(cubin), log)
            }
            _ => {
                let compiled = compile(self.nvrtc, source, arch)?;
                (compiled.cubin, compiled.log)
            }
        };
        let functions = match &cubin {
            Some(cubin) if !resources_only => listing::functions(&self.print(source, cubin)?),
            _ => Vec::new(),
        };
        let kernels = log::resources(&log).into_iter().map(|resources| {
            let function = functions.iter().find(|function| function.name == resources.name);
            let code = MachineCode {
                arch: arch.to_string(),
                registers: resources.registers,
                stack_bytes: resources.stack_bytes,
                spill_store_bytes: resources.spill_store_bytes,
                spill_load_bytes: resources.spill_load_bytes,
                shared_bytes: resources.shared_bytes,
                mix: function.map(mix),
            };
            (resources.name, code)
        });
        Ok(kernels.collect())
    }

    /// The text that nvdisasm makes of a cubin.
    fn print(&self, source: &Source, cubin: &[u8]) -> Result<String, Error> {
        let path = &self.nvdisasm.path;
        let failed = |what: String| Error::Unavailable {
            what: format!("{}: {} {what}", source.name, path.display()),
            remedy: format!("get the version that is known to work:\n  {NVDISASM_INSTALL}"),
        };
        let folder = Scratch::new().map_err(|error| failed(error.to_string()))?;
        let file = folder.path().join("kernel.cubin");
        fs::write(&file, cubin).map_err(|source| Error::Read { path: file.clone(), source })?;
        let output = Command::new(path)
            .args(["--print-code", "--print-line-info"])
            .arg(&file)
            .output()
            .map_err(|error| failed(format!("cannot be run: {error}")))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(failed(format!("rejects the machine code: {}", words.trim())));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

/// Any compiler that can make machine code for `arch`.
fn compiler(arch: &str) -> Result<&'static Nvrtc, Error> {
    let number = arch.trim_start_matches("sm_").parse::<u32>().ok();
    let fits = |nvrtc: &&Nvrtc| {
        number.is_some_and(|number| nvrtc.architectures().contains(&number))
            && nvrtc.release().is_ok()
    };
    nvrtc::installed().iter().find(fits).ok_or_else(|| missing_compiler(arch))
}

fn compile(nvrtc: &Nvrtc, source: &Source, arch: &str) -> Result<nvrtc::Compiled, Error> {
    let mut options = ptx::options(source, &source.target(arch));
    options.push("--ptxas-options=-v".to_string());
    ptx::compile(source, nvrtc.into(), &options)
}

/// Registers of a thread of each kernel of a source, by name, as the compiler's log has them for `arch`. No disassembler is
/// needed.
///
/// # Errors
/// NVRTC is missing (with the command that gets it), or the source is rejected.
pub fn registers(source: &Source, arch: &str) -> Result<Vec<(String, u32)>, Error> {
    let log = compile(compiler(arch)?, source, arch)?.log;
    Ok(log::resources(&log).into_iter().map(|kernel| (kernel.name, kernel.registers)).collect())
}

fn missing_compiler(what: &str) -> Error {
    Error::Unavailable {
        what: format!("NVRTC {what}, which makes machine code, was not found"),
        remedy: format!("get NVRTC {}:\n  {}", COMPILER.release, COMPILER.install()),
    }
}

/// Every kernel of a reader's own source as `arch` ("sm_90") runs it, by name: for [`MachineCode::count`].
///
/// # Errors
/// NVRTC or nvdisasm is missing (with the command that gets it), or the source is rejected.
pub fn disassemble(source: &Source, arch: &str) -> Result<Vec<(String, MachineCode)>, Error> {
    Tools::any(arch)?.machine_code(source, arch, false)
}

/// The machine code of a source as text, to be shown or compared.
///
/// # Errors
/// As for [`disassemble`].
pub fn text(source: &Source, arch: &str) -> Result<Vec<SassLine>, Error> {
    let tools = Tools::any(arch)?;
    let cubin = compile(tools.nvrtc, source, arch)?.cubin.unwrap_or_default();
    let functions = listing::functions(&tools.print(source, &cubin)?);
    Ok(functions.iter().flat_map(listing::Function::lines).collect())
}

/// The instructions of a function by block, with what a warp waits for there.
pub(super) fn mix(function: &listing::Function) -> Mix {
    let blocks = function.blocks();
    let waits = waits::waits(function, &blocks);
    let blocks = blocks.into_iter().zip(waits).map(|(block, waits)| {
        let mut code = Code::default();
        let instructions = block.instructions.iter().map(|&place| &function.instructions[place]);
        instructions.clone().for_each(|i| code.push(&i.place, &i.opcode));
        let at = instructions.map(|i| i.at).next().unwrap_or_default();
        MachineBlock { at, next: block.next, slow_path: block.slow_path, code, waits }
    });
    Mix { blocks: blocks.collect() }
}
