//! What went past an L1 cache, in order, until it is looked up in the L2 cache.

/// Neighbouring sectors that an instruction requested one after the other.
#[derive(Clone, Copy)]
struct Run {
    /// The number of the first, with the bytes that a store left (see `partial`).
    first: u64,
    count: u32,
    instruction: u32,
}

/// Sectors requested beyond an L1 cache, in order.
#[derive(Default)]
pub struct Later {
    runs: Vec<Run>,
    sectors: usize,
    /// For each instruction the sectors that did not fit in the list.
    dropped: Vec<u64>,
}

impl Later {
    /// Of a kernel of so many instructions, that has requested nothing.
    pub(super) fn new(instructions: usize) -> Later {
        Later { runs: Vec::new(), sectors: 0, dropped: vec![0; instructions] }
    }

    /// Adds a sector, unless there are `most`.
    pub(super) fn add(&mut self, instruction: u32, sector: u64, most: usize) {
        if self.sectors >= most {
            self.dropped[instruction as usize] += 1;
            return;
        }
        self.sectors += 1;
        match self.runs.last_mut() {
            Some(last)
                if last.instruction == instruction
                    && last.first + u64::from(last.count) == sector
                    && last.count < u32::MAX =>
            {
                last.count += 1;
            }
            _ => self.runs.push(Run { first: sector, count: 1, instruction }),
        }
    }

    /// The number of sectors in the list.
    pub(super) fn len(&self) -> usize {
        self.sectors
    }

    /// How many of an instruction's sectors did not fit.
    pub(super) fn dropped(&self, instruction: usize) -> u64 {
        self.dropped[instruction]
    }

    /// The list from its beginning.
    pub(super) fn cursor(&self) -> Cursor<'_> {
        Cursor { runs: &self.runs, done: 0, last: None, before: None }
    }
}

/// An instruction, and a sector that it requests, with the bytes that a store left.
type Request = (u32, u64);

/// A place in a list of sectors.
pub(super) struct Cursor<'l> {
    /// The runs that have not been passed.
    runs: &'l [Run],
    /// How many sectors of the first of them have been passed.
    done: u32,
    /// The request that was passed last, and the one before it.
    last: Option<Request>,
    before: Option<Request>,
}

impl Cursor<'_> {
    fn following(&self) -> Option<Request> {
        let run = self.runs.first()?;
        Some((run.instruction, run.first + u64::from(self.done)))
    }

    /// Passes a request and returns it.
    pub(super) fn pass(&mut self) -> Option<Request> {
        let request = self.following()?;
        self.before = self.last.replace(request);
        self.done += 1;
        if self.runs.first().is_some_and(|run| run.count == self.done) {
            self.runs = &self.runs[1..];
            self.done = 0;
        }
        Some(request)
    }

    /// Whether this request is next to the one that was passed last.
    pub(super) fn is_beside(&self, request: Request) -> bool {
        self.before == Some(request) || self.following() == Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_gives_what_was_added_in_order() {
        let requests = [(0, 4), (0, 5), (0, 6), (1, 7), (1, 7), (1, 8), (0, 9), (0, 4)];
        let mut later = Later::new(2);
        requests.iter().for_each(|&(instruction, sector)| later.add(instruction, sector, 7));
        assert_eq!((later.runs.len(), later.len()), (4, 7));
        assert_eq!((later.dropped(0), later.dropped(1)), (1, 0));
        let mut cursor = later.cursor();
        for k in 0..7 {
            assert_eq!(cursor.pass(), Some(requests[k]));
            for (other, &request) in requests.iter().enumerate() {
                let is_beside = other + 1 == k || other == k + 1 && other < 7;
                assert!(!is_beside || cursor.is_beside(request), "{k} and {other}");
            }
            assert!(!cursor.is_beside((0, 100)));
        }
        assert_eq!(cursor.pass(), None);
    }
}
