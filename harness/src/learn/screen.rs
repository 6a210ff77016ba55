//! Pages on a terminal, and the lines at the bottom with the reader's file and the keys.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::cursor::{MoveTo, MoveToColumn, MoveUp};
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType};
use show::table::terminal;
use ui::output::{dim, print, shown};

use super::keys::{Key, Keys};

/// A terminal that shows one page after the other.
pub struct Screen {
    keys: Keys,
    /// Keys that were read and not obeyed yet.
    waiting: VecDeque<Key>,
    /// Whether the lines at the bottom are there.
    has_footer: bool,
}

/// Lines above the last one at the bottom: an empty one, and the file.
const ABOVE_KEYS: u16 = 2;

impl Screen {
    /// A screen that reads these keys.
    pub fn new(keys: Keys) -> Screen {
        Screen { keys, waiting: VecDeque::new(), has_footer: false }
    }

    /// The next key, if one comes within this time.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn key(&mut self, within: Duration) -> Result<Option<Key>> {
        match self.waiting.pop_front() {
            Some(key) => Ok(Some(key)),
            None => self.keys.next(within),
        }
    }

    /// Whether the reader wants to end before anything else; other keys wait until they are asked for.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn is_ended(&mut self) -> Result<bool> {
        while let Some(key) = self.keys.next(Duration::ZERO)? {
            self.waiting.push_back(key);
        }
        Ok(self.waiting.front() == Some(&Key::Quit))
    }

    /// Begins a page with `text`. What was there can be scrolled back to.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn page(&mut self, text: &str) -> Result<()> {
        self.erase_footer()?;
        let (_, rows) = crossterm::terminal::size().unwrap_or((80, 24));
        self.keys.lend(|| {
            let mut out = io::stdout();
            out.write_all("\n".repeat(rows.into()).as_bytes())?;
            queue!(out, MoveTo(0, 0))?;
            out.flush()
        })??;
        self.print(text)
    }

    /// Adds `text` to the page.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn print(&mut self, text: &str) -> Result<()> {
        self.lend(|| print(text))?
    }

    /// Lends the terminal, below the page, to something that prints or reads keys.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn lend<R>(&mut self, doing: impl FnOnce() -> R) -> Result<R> {
        self.erase_footer()?;
        self.keys.lend(doing)
    }

    /// Shows where the reader's file is, and below it what can be typed.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn footer(&mut self, file: &Path, keys: &str) -> Result<()> {
        self.erase_footer()?;
        let width = terminal::width();
        let cut = |text: &str| text.chars().take(width - 1).collect::<String>();
        let (before, name) = ("edit ", shown(file));
        let fits = before.len() + name.chars().count() < width;
        self.keys.lend(|| -> Result<()> {
            print(&format!("\n{before}"))?;
            match fits {
                true => link(file, &name)?,
                false => print(&cut(&name)[before.len()..])?,
            }
            print(&format!("\n{}", dim(&cut(keys))))?;
            io::stdout().flush().context("the terminal is gone")
        })??;
        self.has_footer = true;
        Ok(())
    }

    /// Takes the lines at the bottom away.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn erase_footer(&mut self) -> Result<()> {
        if std::mem::take(&mut self.has_footer) {
            let mut out = io::stdout();
            queue!(out, MoveUp(ABOVE_KEYS), MoveToColumn(0), Clear(ClearType::FromCursorDown))?;
            out.flush().context("the terminal is gone")?;
        }
        Ok(())
    }
}

/// Prints a name on which a click opens the file, in terminals that know such links.
fn link(file: &Path, name: &str) -> Result<()> {
    let raw = |text: &str| {
        let mut out = io::stdout();
        out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("the terminal is gone")
    };
    raw(&format!("\x1b]8;;{}\x1b\\", address(file)))?;
    print(name)?;
    raw("\x1b]8;;\x1b\\")
}

/// The file as an address, without anything that a terminal obeys.
fn address(file: &Path) -> String {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_path_buf());
    let text = file.to_string_lossy().replace('\\', "/");
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b':' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    format!("file:///{}", text.trim_start_matches('/').bytes().map(byte).collect::<String>())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[cfg(unix)]
    #[test]
    fn an_address_holds_nothing_that_a_terminal_obeys() {
        let address = super::address(Path::new("/a b/\u{1b}]0;x\u{7}/ü.cu"));
        assert_eq!(address, "file:///a%20b/%1B%5D0%3Bx%07/%C3%BC.cu");
    }
}
