//! JSON that is pleasant to read and to compare: a line for each field, and an array on the line of
//! its field unless it holds objects.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// A value as JSON text, with a final line end.
///
/// # Errors
/// The value's own: a map whose keys are no text, a path that is none.
pub(super) fn to_text(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut text, Lines::default()))?;
    text.push(b'\n');
    // What was written is the formatter's ASCII and the serialiser's text.
    Ok(String::from_utf8_lossy(&text).into_owned())
}

/// Where lines begin.
#[derive(Default)]
struct Lines {
    /// Arrays and objects that are open.
    depth: usize,
    /// For each open array, whether it holds objects.
    holds_objects: Vec<bool>,
    /// Whether what comes next stands directly in an array.
    in_array: bool,
    /// Whether the object that ends next has a field.
    has_field: bool,
}

impl Lines {
    fn begin(&self, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
        to.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| to.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.in_array = false;
        self.depth += 1;
        self.holds_objects.push(false);
        to.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.in_array = true;
        if first { Ok(()) } else { to.write_all(b",") }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.in_array = false;
        Ok(())
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.holds_objects.pop() == Some(true) {
            self.begin(to)?;
        }
        to.write_all(b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        if std::mem::take(&mut self.in_array) {
            self.holds_objects.last_mut().into_iter().for_each(|holds| *holds = true);
            self.begin(to)?;
        }
        self.depth += 1;
        self.has_field = false;
        to.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        if !first {
            to.write_all(b",")?;
        }
        self.begin(to)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        to.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_field = true;
        Ok(())
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.depth -= 1;
        if self.has_field {
            self.begin(to)?;
        }
        to.write_all(b"}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_objects_begin_lines() {
        let value = json!({
            "a": [1, 2.5, "x, [y]"],
            "b": [{"c": [], "d": {}}, {"e": [[1, 2], [3]]}],
            "f": [[{"g": null}]],
        });
        let expected = r#"{
  "a": [1,2.5,"x, [y]"],
  "b": [
    {
      "c": [],
      "d": {}
    },
    {
      "e": [[1,2],[3]]
    }
  ],
  "f": [[
      {
        "g": null
      }
    ]]
}
"#;
        assert_eq!(to_text(&value).expect("text"), expected);
        assert_eq!(serde_json::from_str::<serde_json::Value>(expected).expect("JSON"), value);
    }
}
