//! Output of `printf` in kernels, in the order of the blocks, and within a block in the order of execution.

mod format;
mod number;
mod spec;

pub use format::{Arguments, format};

/// Most bytes kept, as many as the default buffer of a GPU has (`cudaLimitPrintfFifoSize`).
const MOST: usize = 1 << 20;

/// Output of `printf` in kernels.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Printed {
    /// The first MiB of the text.
    pub text: String,
    /// Calls of `printf` whose text was dropped because the buffer was full.
    pub cut: u64,
}

impl Printed {
    /// Appends later output.
    pub fn append(&mut self, later: Printed) {
        if self.cut == 0 && self.text.len() + later.text.len() <= MOST {
            self.text += &later.text;
            self.cut = later.cut;
        } else {
            self.cut += later.cut + u64::from(!later.text.is_empty());
        }
    }
}

/// Output of the blocks that one CPU thread runs.
#[derive(Debug, Default)]
pub struct Prints {
    /// The block and the text of each call.
    calls: Vec<(u64, Vec<u8>)>,
    bytes: usize,
    cut: u64,
}

impl Prints {
    pub fn push(&mut self, block: u64, text: Vec<u8>) {
        self.bytes += text.len();
        self.calls.push((block, text));
        if self.bytes > 2 * MOST {
            self.cut();
        }
    }

    /// Sorts the calls by block and drops those beyond the limit.
    fn cut(&mut self) {
        self.calls.sort_by_key(|(block, _)| *block);
        let mut bytes = 0;
        let fit = self.calls.iter().take_while(|(_, text)| {
            bytes += text.len();
            bytes <= MOST
        });
        let fit = fit.count();
        self.cut += (self.calls.len() - fit) as u64;
        self.calls.truncate(fit);
        self.bytes = self.calls.iter().map(|(_, text)| text.len()).sum();
    }

    /// Adds the output of another CPU thread.
    pub fn add(&mut self, other: Prints) {
        self.calls.extend(other.calls);
        self.cut += other.cut;
    }

    /// All output in order. If a launch failed in block `last`, only that of the blocks up to it.
    pub fn printed(mut self, last: u64) -> Printed {
        self.calls.retain(|(block, _)| *block <= last);
        self.cut();
        let bytes: Vec<u8> = self.calls.into_iter().flat_map(|(_, text)| text).collect();
        Printed { text: String::from_utf8_lossy(&bytes).into_owned(), cut: self.cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mebibyte_in_order_is_kept_however_it_came() {
        let text = |block: u64| format!("{block:1023}\n").into_bytes();
        let [mut one, mut two] = [Prints::default(), Prints::default()];
        for block in (0..5000).rev() {
            let prints = if block % 3 == 0 { &mut one } else { &mut two };
            prints.push(block, text(block));
        }
        one.add(two);
        let Printed { text, cut } = one.printed(u64::MAX);
        assert_eq!((text.len(), cut), (1 << 20, 5000 - 1024));
        assert!(text.lines().enumerate().all(|(k, line)| line.trim() == k.to_string()));
    }

    #[test]
    fn what_comes_after_the_block_that_failed_is_left_out() {
        let mut prints = Prints::default();
        for (block, text) in [(2, "c"), (0, "a"), (1, "b"), (0, "A")] {
            prints.push(block, text.into());
        }
        assert_eq!(prints.printed(1), Printed { text: "aAb".to_string(), cut: 0 });
    }
}
