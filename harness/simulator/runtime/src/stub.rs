//! An empty shared library with the name and the symbol version of `libcudart`.
//!
//! The loader needs a file named `libcudart.so.13` that defines a version of the same name. It finds the functions
//! themselves in the preloaded library (`LD_PRELOAD`). So this file needs no code. It has an ELF header, a string table, an empty
//! symbol table and the definition of the version.

/// Suffixes of the library's names, newest first: `libcudart.so.` and one of these.
pub const RELEASES: [&str; 6] = ["13", "12", "11.0", "10.2", "10.1", "10.0"];

/// The driver's library.
pub const DRIVER: &str = "libcuda.so.1";

/// The bytes of the library `name`, such as `libcudart.so.13`.
pub fn library(name: &str) -> Vec<u8> {
    const HEADERS: u64 = 64 + 3 * 56;
    const DYNAMIC: u64 = HEADERS;
    const TAGS: u64 = 10;
    const SYMBOLS: u64 = DYNAMIC + TAGS * 16;
    const HASH: u64 = SYMBOLS + 24;
    const VERSIONS: u64 = HASH + 16;
    const DEFINITIONS: u64 = VERSIONS + 4;
    const STRINGS: u64 = DEFINITIONS + 2 * 28;
    let strings = 2 + name.len() as u64;
    let size = STRINGS + strings;

    let mut file = Vec::new();
    let mut put = |bytes: usize, values: &[u64]| {
        values.iter().for_each(|value| file.extend_from_slice(&value.to_le_bytes()[..bytes]));
    };
    // The file header: 64 bits, little-endian, a shared object for this processor.
    let machine = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
    put(1, &[0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    put(2, &[3, machine]);
    put(4, &[1]);
    put(8, &[0, 64, 0]);
    put(4, &[0]);
    put(2, &[64, 56, 3, 64, 0, 0]);
    // Segments: the whole file, writable by the loader; the dynamic table; a stack that is not executable.
    for (kind, flags, at, bytes, align) in
        [(1, 6, 0, size, 4096), (2, 6, DYNAMIC, TAGS * 16, 8), (0x6474_e551, 6, 0, 0, 16)]
    {
        put(4, &[kind, flags]);
        put(8, &[at, at, at, bytes, bytes, align]);
    }
    // SONAME, HASH, STRTAB, STRSZ, SYMTAB, SYMENT, VERSYM, VERDEF, VERDEFNUM.
    put(8, &[14, 1, 4, HASH, 5, STRINGS, 10, strings, 6, SYMBOLS, 11, 24]);
    put(8, &[0x6fff_fff0, VERSIONS, 0x6fff_fffc, DEFINITIONS, 0x6fff_fffd, 2, 0, 0]);
    // The null symbol, the hash table and its version.
    put(8, &[0, 0, 0]);
    put(4, &[1, 1, 0, 0]);
    put(2, &[0, 0]);
    // Two versions of the same name: the file's own, and the one that programs need.
    for (flags, index, next) in [(1, 1, 28), (0, 2, 0)] {
        put(2, &[1, flags, index, 1]);
        put(4, &[hash(name), 20, next, 1, 0]);
    }
    file.push(0);
    file.extend_from_slice(name.as_bytes());
    file.push(0);
    file
}

/// ELF's hash of a version's name.
fn hash(name: &str) -> u64 {
    name.bytes()
        .fold(0_u32, |hash, byte| {
            let hash = (hash << 4).wrapping_add(u32::from(byte));
            let high = hash & 0xf000_0000;
            (hash ^ high >> 24) & !high
        })
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(file: &[u8], at: usize, bytes: usize) -> usize {
        file[at..at + bytes].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
    }

    #[test]
    fn the_file_defines_the_version_that_programs_ask_for() {
        let file = library("libcudart.so.13");
        assert_eq!(&file[..4], b"\x7fELF");
        // Follow the tables as a loader does: from the second segment, the dynamic table.
        let dynamic = number(&file, 64 + 56 + 8, 8);
        let entry = |tag: usize| {
            let places = (dynamic..).step_by(16).take_while(|at| number(&file, *at, 8) != 0);
            let found = places.clone().find(|at| number(&file, *at, 8) == tag);
            number(&file, found.expect("the tag") + 8, 8)
        };
        let strings = entry(5);
        let text = |offset: usize| {
            let bytes = file[strings + offset..].iter().take_while(|byte| **byte != 0);
            bytes.map(|byte| char::from(*byte)).collect::<String>()
        };
        assert_eq!(strings + entry(10), file.len());
        assert_eq!(text(entry(14)), "libcudart.so.13");
        let second = entry(0x6fff_fffc) + number(&file, entry(0x6fff_fffc) + 16, 4);
        assert_eq!(number(&file, second + 4, 2), 2);
        let name = second + number(&file, second + 12, 4);
        assert_eq!(text(number(&file, name, 4)), "libcudart.so.13");
        // As it is in a program that nvcc 13 linked.
        assert_eq!(number(&file, second + 8, 4), 0x0ff3_db23);
    }
}
