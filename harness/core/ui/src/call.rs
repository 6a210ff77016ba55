//! How the user calls this program, so that a command in a message works as it is typed.

use std::path::Path;

/// How cargo starts this program in a clone.
pub(crate) const BY_CARGO: &str = "cargo run -p harness --";

/// `harness learn hint`, or `cargo run -p harness -- learn hint` where cargo started the program: what comes before
/// the command.
pub fn called() -> String {
    let typed = std::env::args().next().unwrap_or_default();
    as_typed(&typed, std::env::var_os("CARGO").is_some())
}

fn as_typed(program: &str, by_cargo: bool) -> String {
    let path = Path::new(program);
    if by_cargo {
        BY_CARGO.to_owned()
    } else if path.is_relative() && path.components().count() > 1 {
        program.to_owned()
    } else {
        // Found on PATH, or started by another process of this program.
        "harness".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::as_typed;

    #[test]
    fn commands_begin_as_they_were_typed() {
        assert_eq!(as_typed("target/debug/harness", true), "cargo run -p harness --");
        assert_eq!(as_typed("target/debug/harness", false), "target/debug/harness");
        assert_eq!(as_typed("./harness", false), "./harness");
        assert_eq!(as_typed("harness", false), "harness");
        assert_eq!(as_typed("/opt/harness", false), "harness");
    }
}
