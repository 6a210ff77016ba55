//! Single keys from a terminal, which is left as it was found however the program ends.

use std::io::{self, IsTerminal};
use std::time::Duration;

use anyhow::{Context, Result};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};

/// What was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A letter, as a small one, or a digit.
    Letter(char),
    /// The return key.
    Enter,
    /// The key that takes the last digit back.
    Back,
    /// `q`, Ctrl-C, Ctrl-D: the program is to end.
    Quit,
}

/// A terminal that gives each key at once and shows none. It is as before once this is dropped.
pub struct Keys(());

impl Keys {
    /// Takes the keys, where a person sits at a terminal that can do more than print; else none.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn take() -> Result<Option<Keys>> {
        let is_simple = std::env::var("TERM").is_ok_and(|terminal| terminal == "dumb");
        if is_simple || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return Ok(None);
        }
        // A signal ends the program at once.
        ctrlc::set_handler(|| {
            let _ = disable_raw_mode();
            std::process::exit(130);
        })
        .context("cannot take over Ctrl-C")?;
        enable_raw_mode().context("the terminal gives no single keys")?;
        Ok(Some(Keys(())))
    }

    /// Does something with the terminal as it was before: text is printed as everywhere, and another program may read keys.
    ///
    /// # Errors
    /// The terminal refuses.
    pub fn lend<R>(&self, doing: impl FnOnce() -> R) -> Result<R> {
        disable_raw_mode().context("the terminal does not take its mode back")?;
        let done = doing();
        enable_raw_mode().context("the terminal gives no single keys")?;
        Ok(done)
    }

    /// The next key, if one comes within this time.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn next(&self, within: Duration) -> Result<Option<Key>> {
        let gone = "the terminal is gone";
        if !event::poll(within).context(gone)? {
            return Ok(None);
        }
        Ok(match event::read().context(gone)? {
            Event::Key(typed) if typed.kind == KeyEventKind::Press => key(typed),
            _ => None,
        })
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        let _ = disable_raw_mode();
    }
}

fn key(typed: KeyEvent) -> Option<Key> {
    let with_control = typed.modifiers.contains(KeyModifiers::CONTROL);
    match typed.code {
        KeyCode::Char('c' | 'd') if with_control => Some(Key::Quit),
        // What Enter became that was typed before the terminal gave single keys.
        KeyCode::Char('j') if with_control => Some(Key::Enter),
        KeyCode::Char('q' | 'Q') => Some(Key::Quit),
        KeyCode::Char(typed) if !with_control => Some(Key::Letter(typed.to_ascii_lowercase())),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Backspace | KeyCode::Esc => Some(Key::Back),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_keys_end_and_capitals_are_letters() {
        let with = |code, modifiers| key(KeyEvent::new(code, modifiers));
        let plain = |code| with(code, KeyModifiers::NONE);
        assert_eq!(with(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Quit));
        assert_eq!(with(KeyCode::Char('h'), KeyModifiers::CONTROL), None);
        assert_eq!(with(KeyCode::Char('H'), KeyModifiers::SHIFT), Some(Key::Letter('h')));
        assert_eq!(plain(KeyCode::Char('c')), Some(Key::Letter('c')));
        assert_eq!(plain(KeyCode::Enter), Some(Key::Enter));
        assert_eq!(with(KeyCode::Char('j'), KeyModifiers::CONTROL), Some(Key::Enter));
        assert_eq!(plain(KeyCode::F(1)), None);
    }
}
