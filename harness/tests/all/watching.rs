//! A `watch` of a kernel in a folder of its own, read as a reader reads it.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

use tempfile::TempDir;

/// What ends a verdict.
const WAITING: &str = "waiting for the next save";

pub struct Watching {
    folder: TempDir,
    name: &'static str,
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watching {
    /// Watches a kernel of this text in the place of step 06.
    pub fn begin(program: Command, name: &'static str, text: &str) -> Watching {
        Watching::with(program, name, text, &[])
    }

    pub fn with(
        mut program: Command,
        name: &'static str,
        text: &str,
        options: &[&str],
    ) -> Watching {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(name), text).expect("written");
        program.args(["watch", name, "--as", "06", "--seed", "1"]).current_dir(folder.path());
        program.env("CARGO_MANIFEST_DIR", env!("CARGO_MANIFEST_DIR"));
        program.args(options);
        let mut child = program.stdout(Stdio::piped()).spawn().expect("it starts");
        let lines = BufReader::new(child.stdout.take().expect("a pipe"));
        Watching { folder, name, child, lines }
    }

    pub fn file(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// Saves another text in this way.
    pub fn save(&self, text: &str) {
        fs::write(self.file(), text).expect("written");
    }

    /// The next verdict.
    pub fn verdict(&mut self) -> String {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            let read = self.lines.read_line(&mut line).expect("text");
            assert!(read > 0, "it ended: {text}");
            if line.starts_with(WAITING) {
                return text;
            }
            text += &line;
        }
    }

    /// The exit code after Ctrl-C.
    pub fn interrupt(mut self) -> Option<i32> {
        let process = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &process]).status().expect("kill runs");
        assert!(sent.success());
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
