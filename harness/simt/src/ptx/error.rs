//! Something wrong with the text.

/// A text that is no PTX, or uses what the simulator does not support.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}:{column}: {message}")]
pub struct PtxError {
    /// The name that the text was parsed under.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// What is wrong.
    pub message: String,
}

/// Something wrong with the text, at a line.
#[derive(Debug)]
pub(crate) struct Error {
    pub line: u32,
    /// Where in the text, in bytes; without it where the line begins.
    pub start: Option<usize>,
    pub message: String,
    /// Whether it is PTX all the same, and only the simulator does not know it.
    pub unsupported: bool,
}

impl Error {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Error {
        Error { line, start: None, message: message.into(), unsupported: false }
    }

    /// The same, of what begins at `start` in that line.
    pub(crate) fn at(self, start: usize) -> Error {
        Error { start: Some(start), ..self }
    }

    /// The same for a reader of `text`, which was parsed under the name `file`.
    pub(crate) fn of(self, file: &str, text: &str) -> PtxError {
        let Error { line, message, .. } = self;
        let lines = text.split_inclusive('\n');
        let first: usize = lines.take(line.saturating_sub(1) as usize).map(str::len).sum();
        let own = text[first..].lines().next().unwrap_or_default();
        let blank = own.len() - own.trim_start().len();
        let offset = match self.start.and_then(|start| start.checked_sub(first)) {
            Some(offset) if offset <= own.len() && own.is_char_boundary(offset) => offset,
            _ => blank,
        };
        let column = own[..offset].chars().count() as u32 + 1;
        PtxError { file: file.to_string(), line, column, message }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_characters_from_the_line() {
        let text = "one\n  zwölf x\n\n";
        let column = |error: Error| error.of("a.ptx", text).to_string();
        assert_eq!(column(Error::new(2, "wrong")), "a.ptx:2:3: wrong");
        assert_eq!(column(Error::new(2, "wrong").at(text.find('x').unwrap())), "a.ptx:2:9: wrong");
        assert_eq!(column(Error::new(1, "wrong").at(2)), "a.ptx:1:3: wrong");
        // The end of the file, and what is not in the line.
        assert_eq!(column(Error::new(9, "wrong").at(99)), "a.ptx:9:1: wrong");
        assert_eq!(column(Error::new(2, "wrong").at(0)), "a.ptx:2:3: wrong");
    }
}
