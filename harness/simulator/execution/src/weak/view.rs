//! Which writes are known.

use std::collections::HashMap;
use std::rc::Rc;

/// Most units that a view has by themselves.
const MOST_UNITS: usize = 64;

/// A warp: its block, and its number there. Its lanes are one thread of the memory model.
pub(super) type Writer = (u64, u32);

/// A write: whose it is, when it was executed, and its place among the writes to its unit.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub writer: Writer,
    pub time: u64,
    pub place: u64,
}

/// A time for each of many, sorted: through a chain of atomics all blocks of a grid come to be known.
#[derive(Clone)]
struct Times<K>(Vec<(K, u64)>);

impl<K> Default for Times<K> {
    fn default() -> Times<K> {
        Times(Vec::new())
    }
}

impl<K: Ord + Copy> Times<K> {
    fn of(&self, key: K) -> Option<u64> {
        let place = self.0.binary_search_by_key(&key, |&(key, _)| key).ok()?;
        Some(self.0[place].1)
    }

    fn add(&mut self, key: K, time: u64) {
        match self.0.binary_search_by_key(&key, |&(key, _)| key) {
            Ok(place) => self.0[place].1 = time.max(self.0[place].1),
            Err(place) => self.0.insert(place, (key, time)),
        }
    }

    fn join(&mut self, other: &Times<K>) {
        if other.0.len() < 8 {
            return other.0.iter().for_each(|&(key, time)| self.add(key, time));
        }
        let mut all = Vec::with_capacity(self.0.len().max(other.0.len()));
        let mut own = self.0.as_slice();
        for &(key, time) in &other.0 {
            let before = own.iter().take_while(|(known, _)| *known < key).count();
            all.extend_from_slice(&own[..before]);
            own = &own[before..];
            let time = match own.split_first() {
                Some((&(known, own_time), rest)) if known == key => {
                    own = rest;
                    time.max(own_time)
                }
                _ => time,
            };
            all.push((key, time));
        }
        all.extend_from_slice(own);
        self.0 = all;
    }
}

/// Which writes are known.
#[derive(Clone, Default)]
pub(super) struct View {
    /// For each block the time up to which the writes of all its warps are.
    blocks: Times<u64>,
    /// For each warp the time up to which its own are, where that is later.
    warps: Times<Writer>,
    /// By unit the last write, in the order of the unit, that was read there.
    units: HashMap<u64, Mark>,
}

impl View {
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn len(&self) -> usize {
        self.blocks.0.len() + self.warps.0.len() + self.units.len()
    }

    pub(super) fn join(&mut self, other: &View) {
        self.blocks.join(&other.blocks);
        self.warps.join(&other.warps);
        other.units.iter().for_each(|(&unit, &mark)| self.add_unit(unit, mark));
    }

    /// All writes of a block that has no other warps than those of which that is known.
    pub(super) fn add_whole_block(&mut self, block: u64, time: u64) {
        self.blocks.add(block, time);
        self.warps.0.retain(|(writer, _)| writer.0 != block);
    }

    pub(super) fn add_warp(&mut self, writer: Writer, time: u64) {
        if self.blocks.of(writer.0).is_none_or(|known| known < time) {
            self.warps.add(writer, time);
        }
    }

    pub(super) fn add_unit(&mut self, unit: u64, mark: Mark) {
        let known = self.units.entry(unit).or_insert(mark);
        *known = if mark.place > known.place { mark } else { *known };
    }

    /// Whether nothing that comes before a write may be read in its unit.
    pub(super) fn knows(&self, unit: u64, mark: &Mark) -> bool {
        let covers = |time: u64| mark.time <= time;
        self.blocks.of(mark.writer.0).is_some_and(covers)
            || self.warps.of(mark.writer).is_some_and(covers)
            || self.units.get(&unit).is_some_and(|known| mark.place <= known.place)
    }

    /// Where it has many units, it knows all that their writers wrote before instead: that is more than it must, and short.
    pub(super) fn shorten(&mut self) {
        if self.units.len() > MOST_UNITS {
            for (_, mark) in std::mem::take(&mut self.units) {
                self.add_warp(mark.writer, mark.time);
            }
        }
    }
}

/// Adds one view to another; they stay shared where they are the same, and the longer one is the one that is copied.
pub(super) fn join(view: &mut Rc<View>, other: &Rc<View>) {
    if Rc::ptr_eq(view, other) || other.is_empty() {
        return;
    }
    let mut shorter = Rc::clone(other);
    if view.len() < other.len() {
        std::mem::swap(view, &mut shorter);
    }
    if !shorter.is_empty() {
        Rc::make_mut(view).join(&shorter);
    }
}
