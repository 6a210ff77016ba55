//! What is known of the threads of other blocks: up to which tick each one's accesses happen before.

use std::sync::Arc;

use super::clocks::Thread;
use super::epoch::Epoch;

/// For each thread of a block the tick up to which it is known. After a barrier nearly all are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BlockClock {
    /// The tick of all other threads.
    all: u32,
    /// Threads with later ticks, sorted.
    more: Box<[(Thread, u32)]>,
}

impl BlockClock {
    pub(super) fn new(ticks: impl Iterator<Item = u32> + Clone) -> BlockClock {
        let all = ticks.clone().min().unwrap_or(0);
        let more = (0..).zip(ticks).filter(|&(_, tick)| tick > all).collect();
        BlockClock { all, more }
    }

    fn of(&self, thread: Thread) -> u32 {
        let place = self.more.binary_search_by_key(&thread, |&(other, _)| other);
        place.map_or(self.all, |place| self.more[place].1)
    }

    /// Whether `other` knows no thread up to a later tick.
    fn covers(&self, other: &BlockClock) -> bool {
        let mut own = self.more.iter().peekable();
        other.all <= self.all
            && other.more.iter().all(|&(thread, tick)| {
                while own.next_if(|&&(earlier, _)| earlier < thread).is_some() {}
                tick <= self.all
                    || own.peek().is_some_and(|&&(at, own)| at == thread && tick <= own)
            })
    }

    fn add(&mut self, other: &BlockClock) {
        let all = self.all.max(other.all);
        let (mut own, mut others) = (self.more.iter().peekable(), other.more.iter().peekable());
        let mut more = Vec::with_capacity(self.more.len() + other.more.len());
        while let Some(&&(next, _)) = own.peek().into_iter().chain(others.peek()).min() {
            let of_next = [&mut own, &mut others].map(|all| all.next_if(|&&(at, _)| at == next));
            let tick = of_next.into_iter().flatten().map(|&(_, tick)| tick).max();
            more.extend(tick.filter(|&tick| tick > all).map(|tick| (next, tick)));
        }
        *self = BlockClock { all, more: more.into() };
    }
}

/// What is known of each block, sorted by block.
type Blocks = Vec<(u64, Arc<BlockClock>)>;

/// What is known of blocks; shared by threads and addresses with equal knowledge.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct GridClock(Option<Arc<Blocks>>);

impl GridClock {
    fn blocks(&self) -> &[(u64, Arc<BlockClock>)] {
        self.0.as_ref().map_or(&[], |blocks| blocks)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether `other` knows no more of any block.
    fn covers(&self, other: &GridClock) -> bool {
        let mut own = self.blocks().iter();
        other.blocks().iter().all(|(block, ticks)| {
            let same = own.by_ref().find(|(own, _)| own >= block);
            same.is_some_and(|(own, known)| own == block && covers(known, ticks))
        })
    }

    pub(super) fn add(&mut self, other: &GridClock) {
        let is_same = match (&self.0, &other.0) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (_, None) => true,
            (None, _) => false,
        };
        if is_same || self.covers(other) {
            return;
        }
        if other.covers(self) {
            *self = other.clone();
            return;
        }
        let mut place = 0;
        for (block, ticks) in other.blocks() {
            place += self.blocks()[place..].iter().take_while(|(own, _)| own < block).count();
            self.add_block(place, *block, ticks);
        }
    }

    /// Adds what is known of one block.
    pub(super) fn add_of_block(&mut self, block: u64, ticks: &Arc<BlockClock>) {
        let place = self.blocks().partition_point(|&(other, _)| other < block);
        self.add_block(place, block, ticks);
    }

    /// Adds what is known of one block, at its sorted position.
    fn add_block(&mut self, place: usize, block: u64, ticks: &Arc<BlockClock>) {
        let blocks = Arc::make_mut(self.0.get_or_insert_default());
        match blocks.get_mut(place) {
            Some((own, known)) if *own == block => {
                if covers(ticks, known) {
                    *known = Arc::clone(ticks);
                } else if !covers(known, ticks) {
                    Arc::make_mut(known).add(ticks);
                }
            }
            _ => blocks.insert(place, (block, Arc::clone(ticks))),
        }
    }

    pub(super) fn has(&self, epoch: Epoch) -> bool {
        let blocks = self.blocks();
        let place = blocks.binary_search_by_key(&epoch.block(), |&(block, _)| block);
        place.is_ok_and(|place| epoch.is_before(blocks[place].1.of(epoch.thread())))
    }
}

fn covers(one: &Arc<BlockClock>, other: &Arc<BlockClock>) -> bool {
    Arc::ptr_eq(one, other) || one.covers(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tick of each thread.
    fn each(ticks: &BlockClock, threads: u32) -> Vec<u32> {
        (0..threads).map(|thread| ticks.of(thread)).collect()
    }

    #[test]
    fn of_each_thread_the_later_tick_is_known() {
        let some = [[3, 3, 3, 3], [4, 1, 1, 1], [0, 0, 9, 2], [5, 5, 5, 6], [0; 4]];
        for one in some {
            for other in some {
                let mut sum = BlockClock::new(one.into_iter());
                assert_eq!(each(&sum, 4), one);
                let added = BlockClock::new(other.into_iter());
                assert_eq!(sum.covers(&added), one.iter().zip(other).all(|(one, b)| b <= *one));
                sum.add(&added);
                let most: Vec<u32> = one.iter().zip(other).map(|(one, b)| b.max(*one)).collect();
                assert_eq!(each(&sum, 4), most, "{one:?} and {other:?}");
                assert!(sum.covers(&added));
            }
        }
    }

    #[test]
    fn blocks_are_known_in_their_order() {
        let of = |blocks: &[u64]| {
            let ticks = |block: u64| Arc::new(BlockClock::new([block as u32 + 1, 2].into_iter()));
            GridClock(Some(Arc::new(blocks.iter().map(|&block| (block, ticks(block))).collect())))
        };
        let mut known = of(&[2, 5]);
        known.add(&of(&[0, 5, 7]));
        assert_eq!(known, of(&[0, 2, 5, 7]));
        assert!(known.has(Epoch::new(5, 0, 0, 5)) && !known.has(Epoch::new(5, 0, 0, 6)));
        assert!(known.has(Epoch::new(5, 0, 1, 1)) && !known.has(Epoch::new(5, 0, 1, 2)));
        assert!(!known.has(Epoch::new(3, 0, 0, 1)), "nothing is known of it");
    }
}
