//! Programs with the CUDA runtime in them, as nvcc links them by default: before the program begins, each function of that
//! runtime becomes a jump to the function of the same name in this library.
//!
//! The functions are found by their names, so the program must have its table of symbols.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CString, c_int, c_void};

use object::{Object, ObjectSymbol, SymbolKind};

use super::leave;
use crate::config::VARIABLE;

/// Called by the loader, before the constructors of the program, which register device code.
// SAFETY: the section holds pointers to functions of this type.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = redirect;

extern "C" fn redirect() {
    // This crate is a part of the harness too.
    if std::env::var_os(VARIABLE).is_none() {
        return;
    }
    let Ok(program) = std::fs::read("/proc/self/exe") else { return };
    let Some(Symbols { runtime, all }) = symbols(&program) else { return };
    let (Some(own), Some(start)) = (Own::library(), start()) else { return };
    for (name, at) in runtime {
        let Some(function) = own.function(&name).filter(|it| *it != start + at) else { continue };
        let next = all.range(at + 1..).next();
        let has_room = next.is_none_or(|next| next - at >= JUMP as u64);
        if !has_room || jump(start + at, function).is_err() {
            leave(&format!(
                "{name} in the program cannot be replaced: compile it with nvcc -cudart shared"
            ));
        }
    }
}

/// Functions in an ELF file.
#[derive(Debug, Default)]
struct Symbols {
    /// Those of the runtime, by their names: addresses in the file's image.
    runtime: BTreeMap<String, u64>,
    /// The addresses of all.
    all: BTreeSet<u64>,
}

fn symbols(program: &[u8]) -> Option<Symbols> {
    let program = object::File::parse(program).ok()?;
    let mut found = Symbols::default();
    for symbol in program.symbols() {
        if symbol.kind() != SymbolKind::Text || symbol.address() == 0 {
            continue;
        }
        found.all.insert(symbol.address());
        let name = symbol.name().ok();
        let name = name.filter(|name| name.trim_start_matches('_').starts_with("cuda"));
        found.runtime.extend(name.map(|name| (name.to_owned(), symbol.address())));
    }
    Some(found)
}

/// Where the program's image starts.
fn start() -> Option<u64> {
    unsafe extern "C" fn first(
        object: *mut libc::dl_phdr_info,
        _: libc::size_t,
        start: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes an object, and the place from below.
        unsafe { *start.cast::<u64>() = (*object).dlpi_addr };
        1
    }
    let mut start = 0_u64;
    // SAFETY: the function ends with the first object, the program, and writes to `start` only.
    let done = unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut start).cast()) };
    (done == 1).then_some(start)
}

/// This library, as the loader has it.
struct Own(*mut c_void);

impl Own {
    fn library() -> Option<Own> {
        // SAFETY: all zeros are a value of it, which `dladdr` replaces; the name lives as long as the library.
        let handle = unsafe {
            let mut object: libc::Dl_info = std::mem::zeroed();
            if libc::dladdr(redirect as *const c_void, &raw mut object) == 0 {
                return None;
            }
            libc::dlopen(object.dli_fname, libc::RTLD_LAZY | libc::RTLD_NOLOAD)
        };
        (!handle.is_null()).then_some(Own(handle))
    }

    /// The address of a function.
    fn function(&self, name: &str) -> Option<u64> {
        let name = CString::new(name).ok()?;
        // SAFETY: the handle is the loader's, and the name a text of C.
        let address = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!address.is_null()).then_some(address as u64)
    }
}

/// Bytes of a jump.
const JUMP: usize = 14;

/// Replaces the beginning of a function.
fn jump(from: u64, to: u64) -> Result<(), ()> {
    // SAFETY: a question about the system.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    let first = from / page * page;
    let bytes = (from + JUMP as u64 - first) as usize;
    let allow = |access| {
        // SAFETY: the pages are the program's code, which does not run yet and stays executable.
        match unsafe { libc::mprotect(first as *mut c_void, bytes, access) } {
            0 => Ok(()),
            _ => Err(()),
        }
    };
    allow(libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC)?;
    // jmp [rip + 0], and the address.
    let mut code = [0xff, 0x25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    code[6..].copy_from_slice(&to.to_le_bytes());
    // SAFETY: a function of the program is there with so many bytes before the next one, and no thread runs it.
    unsafe { (from as *mut [u8; JUMP]).write(code) };
    allow(libc::PROT_READ | libc::PROT_EXEC)
}
