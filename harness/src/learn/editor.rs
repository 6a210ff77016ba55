//! Opens the reader's file in an editor.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Editors that work in the terminal itself, which has to wait for them.
const IN_TERMINAL: &[&str] = &[
    "ed", "emacs", "helix", "hx", "jed", "joe", "kak", "mcedit", "micro", "ne", "nano", "nvim",
    "pico", "vi", "vim",
];

/// An editor's command line, to which the file's name is added.
#[derive(Debug, Clone)]
pub struct Editor {
    words: Vec<String>,
}

impl Editor {
    /// The editor that is named, else the one of the environment (VISUAL, EDITOR), if there is one.
    pub fn chosen(named: Option<&str>) -> Option<Editor> {
        let of = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            (!words.is_empty()).then_some(Editor { words })
        };
        let variable = |name: &str| std::env::var(name).ok().and_then(|text| of(&text));
        named.and_then(of).or_else(|| variable("VISUAL")).or_else(|| variable("EDITOR"))
    }

    /// Whether it takes the terminal until it is closed.
    pub fn is_in_terminal(&self) -> bool {
        let program = Path::new(&self.words[0]).file_stem().unwrap_or_default().to_string_lossy();
        let has_window = self.words.iter().any(|word| word == "-g" || word == "--gui");
        IN_TERMINAL.contains(&program.as_ref()) && !has_window
    }

    /// Opens `file`: waits for the editor's end if it works in the terminal.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn open(&self, file: &Path) -> Result<()> {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).arg(file);
        let started = if self.is_in_terminal() {
            command.status().map(drop)
        } else {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command.spawn().map(drop)
        };
        started.with_context(|| format!("cannot start the editor `{}`", self.words.join(" ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_is_a_command_line_and_some_work_in_the_terminal() {
        let in_terminal = |text| Editor::chosen(Some(text)).map(|editor| editor.is_in_terminal());
        assert_eq!(in_terminal("/usr/bin/vim -p"), Some(true));
        assert_eq!(in_terminal("vim -g"), Some(false));
        assert_eq!(in_terminal("code --reuse-window"), Some(false));
        let missing = Editor::chosen(Some("no-such-editor --wait")).expect("named");
        let error = missing.open(Path::new("a.cu")).expect_err("it is missing").to_string();
        assert!(error.contains("`no-such-editor --wait`"), "{error}");
    }
}
