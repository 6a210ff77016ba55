//! The parts of the book that a reader plays with: the simulator, compiled to WebAssembly and run in the page.
//!
//! A [`Part`] has knobs. Their values make a [`Request`]: a launch of a committed kernel, the same that
//! [`Request::command`] runs in a terminal. [`run`] simulates it, and the page draws the [`Answer`].
//! The book's builder uses this crate too: a page without JavaScript shows the answers as a table.

mod answer;
mod error;
#[cfg(target_arch = "wasm32")]
#[expect(unsafe_code, reason = "functions that a page calls have fixed names")]
mod exports;
mod part;
mod parts;
mod request;
mod run;
mod trace;
mod value;

pub use answer::{Answer, Fact};
pub use error::Error;
pub use part::{Kind, Knob, Part, Values};
pub use parts::PARTS;
pub use request::Request;
pub use run::{Buffer, run};
pub use trace::{Addresses, Touch, Trace, trace};

/// What a page asks: a part's name, and a value for each of its knobs.
#[derive(serde::Deserialize)]
struct Question {
    part: String,
    values: Values,
}

/// The part of this name.
///
/// # Errors
/// There is none; the names that exist are listed.
pub fn part(name: &str) -> Result<&'static Part, Error> {
    PARTS.iter().copied().find(|part| part.name == name).ok_or_else(|| {
        let all: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
        Error::Part { name: name.to_owned(), all: all.join(", ") }
    })
}

/// Answers a question in JSON, `{"part": "stride", "values": {"stride": "2", …}}`, in JSON; `{"error": …}` where that
/// is not possible.
pub fn answer(question: &str) -> String {
    let answered = serde_json::from_str(question)
        .map_err(Error::Question)
        .and_then(|Question { part: name, values }| part(&name)?.answer(&values))
        .and_then(|answer| serde_json::to_string(&answer).map_err(Error::Answer));
    answered.unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string())
}
