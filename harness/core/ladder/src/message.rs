//! What is wrong with a reader's kernel, as compilers write it: what, where with the line of the source, and what to do.
//!
//! [`compiler`] reads a compiler's messages, [`fault`] says what the simulator stopped, [`results`] what is wrong with
//! results, [`form`] writes it. All is plain text; whoever shows it may paint it.

mod compiler;
mod fault;
mod form;
mod results;
mod text;

use device::{Error, Source};

use crate::verify::Failure;
use form::{HELP, Message, Place};

pub use form::Versions;
pub use results::UNWRITTEN;

/// Explains why a reader's kernel did not verify. `doing` says what was done with it then, and may be empty.
pub fn explain(failure: &Failure, versions: Versions, doing: &str) -> String {
    let mut message = match failure {
        Failure::Device(Error::Code(toolchain::Error::Compile { compiler, log, .. })) => {
            return compiler::messages(log, compiler, versions.source);
        }
        Failure::Device(Error::Kernel { fault, others }) => {
            fault::message(fault, *others, versions)
        }
        Failure::Device(Error::NoKernel { kernel, .. }) => results::no_kernel(kernel, versions),
        Failure::Device(Error::Arguments { kernel, message, .. }) => {
            results::refused(kernel, message, versions)
        }
        Failure::Wrong(wrong) => results::message(wrong, versions),
        other => Message {
            head: other.to_string(),
            places: results::first_difference(versions).into_iter().collect(),
            ..Message::default()
        },
    };
    // Wrong results have their size in the head, and what is refused never ran.
    let ran = match failure {
        Failure::Device(Error::NoKernel { .. } | Error::Arguments { .. }) | Failure::Wrong(_) => {
            false
        }
        _ => !doing.is_empty(),
    };
    if ran {
        let place = message.facts.iter().position(|(name, _)| *name == HELP);
        message.facts.insert(place.unwrap_or(message.facts.len()), ("during", doing.to_owned()));
    }
    message.text()
}

/// A message on a kernel whose results are right: `head`, then lines of the kernel with a label each, then further
/// facts.
pub fn remark(
    head: String,
    source: &Source,
    places: Vec<(u32, String)>,
    facts: Vec<(&'static str, String)>,
) -> String {
    let text = source.cuda.as_deref().unwrap_or_default();
    let at = |(line, label)| Place::at(&source.file, text, line, None, label);
    Message { head, places: places.into_iter().filter_map(at).collect(), facts }.text()
}
