//! Names of variables in shared memory, as the source has them.

use program::Program;

/// The shared variable that contains an offset, and the offset there.
pub(super) fn shared_name(program: &Program, declared: u64, offset: u64) -> (Option<String>, u64) {
    let holds = |start: u64, bytes: u64| (start..start + bytes).contains(&offset);
    if let Some(variable) = program.shared.iter().find(|v| holds(v.offset, v.bytes)) {
        return (Some(source_name(&variable.name)), offset - variable.offset);
    }
    let dynamic = declared.next_multiple_of(16);
    match &program.dynamic_shared {
        Some(name) if offset >= dynamic => (Some(source_name(name)), offset - dynamic),
        _ => (None, offset),
    }
}

/// The name of a variable in the source. Compilers mangle one that is local to a function to `_ZZ…E4name`.
fn source_name(name: &str) -> String {
    let of_local = name.strip_prefix("_ZZ").and_then(|rest| {
        rest.match_indices('E').find_map(|(at, _)| {
            let rest = &rest[at + 1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let length: usize = rest[..digits].parse().ok()?;
            let tail = rest[digits..].get(length..)?;
            let is_end = tail.is_empty() || tail.starts_with('_');
            is_end.then(|| rest[digits..digits + length].to_string())
        })
    });
    of_local.unwrap_or_else(|| name.to_string())
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn names_of_local_variables_are_the_sources() {
        assert_eq!(source_name("_ZZ5forceE5masss"), "masss");
        assert_eq!(source_name("_ZZ9transposePKfPfE4tile"), "tile");
        assert_eq!(source_name("_ZZ1kEE4tile_0"), "tile");
        assert_eq!(source_name("tile"), "tile");
        assert_eq!(source_name("_ZZ"), "_ZZ");
    }
}
