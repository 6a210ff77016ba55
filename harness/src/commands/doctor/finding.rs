//! What was looked for on this machine.

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use show::table::terminal::wrap;

/// One thing that was looked for.
#[derive(Serialize)]
pub struct Finding {
    /// What it is.
    pub name: &'static str,
    /// Whether it is here and can be used.
    pub found: bool,
    /// What was found, or what it would add and the command that gets it.
    pub lines: Vec<String>,
}

impl Finding {
    /// It is here.
    pub fn found(name: &'static str, lines: Vec<String>) -> Finding {
        Finding { name, found: true, lines }
    }

    /// What is not here, what it would add, and the command that gets it.
    pub fn missing(name: &'static str, problem: &str, adds: &str, command: &str) -> Finding {
        let lines = [("missing", problem), ("adds", adds), ("get it", command)];
        let lines = lines.map(|(label, words)| format!("{label}: {words}")).to_vec();
        Finding { name, found: false, lines }
    }

    /// In lines of at most `width` columns; a command stays whole, so that it can be copied.
    pub fn text(&self, width: usize) -> String {
        let bold = Style::new().bold();
        let (mark, paint) = if self.found {
            ("✓", AnsiColor::Green.on_default())
        } else {
            ("–", AnsiColor::Yellow.on_default())
        };
        let mut text = format!("{paint}{mark}{paint:#} {bold}{}{bold:#}\n", self.name);
        for line in &self.lines {
            let commands = ["get it: sudo", "get it: python3"];
            let broken = match commands.iter().any(|command| line.starts_with(command)) {
                true => line.clone(),
                false => wrap(line, width.saturating_sub(6)).replace('\n', "\n      "),
            };
            text += &format!("    {broken}\n");
        }
        text
    }
}
