//! Code that is made on other threads before it is loaded: NVRTC takes a third of a second for a step.

use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

use super::choose::{Code, choose};
use super::compiler::INSTALLED;
use super::ptx::Reader;
use super::route::CodeRoute;
use super::source::Source;
use crate::error::Error;

/// Code, and how long it took to make it, s.
pub type Made = (Result<Code, Error>, f64);

/// Code that is being made.
#[derive(Default)]
pub struct Ahead(Vec<(Source, Receiver<Made>)>);

impl Ahead {
    /// Begins to make code of these sources.
    pub fn begin(&mut self, sources: Vec<Source>, route: CodeRoute, reader: Reader) {
        for source in sources {
            let (sender, made) = channel();
            self.0.push((source.clone(), made));
            // Nobody waits any more where sending fails.
            rayon::spawn(move || drop(sender.send(make(&source, route, reader))));
        }
    }

    /// The code of a source: what was made ahead, or else made now.
    pub fn take(&mut self, source: &Source, route: CodeRoute, reader: Reader) -> Made {
        let place = self.0.iter().position(|(pending, _)| pending == source);
        let ahead = place.and_then(|place| self.0.swap_remove(place).1.recv().ok());
        ahead.unwrap_or_else(|| make(source, route, reader))
    }
}

fn make(source: &Source, route: CodeRoute, reader: Reader) -> Made {
    let began = Instant::now();
    let code = choose(source, route, reader, INSTALLED);
    (code, began.elapsed().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::super::ptx::Ptx;
    use super::*;

    fn source(name: &str) -> Source {
        let text = ".version 7.8\n.target sm_50\n.address_size 64\n".to_owned();
        let ptx = vec![Ptx { file: format!("{name}.ptx"), text }];
        Source { name: name.to_owned(), ptx, ..Source::default() }
    }

    #[test]
    fn code_is_that_of_its_source_whether_made_ahead_or_not() {
        let (route, reader) = (CodeRoute::Committed, Reader::Simulator);
        let mut ahead = Ahead::default();
        ahead.begin(["a", "b"].map(source).into(), route, reader);
        for name in ["b", "c", "a", "a"] {
            let (code, seconds) = ahead.take(&source(name), route, reader);
            assert_eq!(code.expect("PTX").file, format!("{name}.ptx"));
            assert!(seconds > 0.0);
        }
        assert!(ahead.0.is_empty());
    }
}
