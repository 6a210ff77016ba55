//! With what exercises in Rust are judged: a verdict to tell, random numbers, a cache that counts its lines, and numbers that
//! know how long they took. Time is measured nowhere, so that a verdict is the same on every machine.
#![allow(dead_code)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::{Add, AddAssign, Mul, Sub};
use std::rc::Rc;

/// A check that goes on: what is asked, and what was found.
pub struct Check {
    /// What only the judge and this check know; every line begins with it.
    word: String,
    /// Decides what is random.
    pub seed: u64,
    /// The size of the data.
    pub n: usize,
}

impl Check {
    /// Reads what is asked from standard input.
    pub fn begin() -> Check {
        let mut line = String::new();
        io::stdin().read_line(&mut line).expect("a line that says what is asked");
        let mut words = line.split_whitespace();
        let mut next = || words.next().expect("a word, a seed and a size").to_owned();
        let word = next();
        Check { word, seed: next().parse().expect("a seed"), n: next().parse().expect("a size") }
    }

    fn say(&self, what: &str) {
        println!("\n{} {}", self.word, what.replace('\n', "\\n"));
        io::stdout().flush().expect("a pipe");
    }

    /// A result is wrong: this ends the check.
    pub fn wrong(&self, why: &str) -> ! {
        self.say(&format!("wrong {why}"));
        std::process::exit(0)
    }

    /// A number for the goals.
    pub fn count(&self, name: &str, number: f64) {
        self.say(&format!("count {name} {number}"));
    }

    /// Nothing is wrong.
    pub fn end(&self) {
        self.say("end");
    }

    /// Random numbers for this check.
    pub fn random(&self) -> Random {
        Random(self.seed.wrapping_mul(2).wrapping_add(1))
    }
}

/// Random numbers that depend on the seed alone (splitmix64: Steele, Lea and Flood, OOPSLA 2014).
pub struct Random(u64);

impl Random {
    /// Any number.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 to 1.
    pub fn fraction(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u32 << 24) as f32
    }
}

/// The words (of 4 bytes) of a cache line of 64 bytes.
pub const LINE: usize = 16;

/// A cache that holds some lines, and drops the one that was used longest ago.
pub struct Cache {
    room: usize,
    clock: u64,
    used: HashMap<usize, u64>,
    fetched: u64,
}

impl Cache {
    /// An empty one with room for so many lines.
    pub fn new(room: usize) -> Cache {
        Cache { room, clock: 0, used: HashMap::new(), fetched: 0 }
    }

    /// A word is read or written, by its place in memory.
    pub fn touch(&mut self, place: usize) {
        let line = place / LINE;
        self.clock += 1;
        if self.used.insert(line, self.clock).is_some() {
            return;
        }
        self.fetched += 1;
        if self.used.len() > self.room {
            let oldest = self.used.iter().min_by_key(|(_, clock)| **clock).map(|(line, _)| *line);
            self.used.remove(&oldest.expect("a line"));
        }
    }

    /// How often a line had to be fetched.
    pub fn fetched(&self) -> u64 {
        self.fetched
    }
}

/// An array of numbers. What a reader writes knows no more of it than this, so that nothing goes past the cache.
pub trait Array {
    /// Reads an element.
    fn get(&self, at: usize) -> f32;
    /// Writes an element.
    fn set(&self, at: usize, value: f32);
}

/// An array behind a cache. Others may be behind the same one.
pub struct Cached {
    values: RefCell<Vec<f32>>,
    cache: Rc<RefCell<Cache>>,
    /// The place of its first word in memory.
    first: usize,
}

impl Cached {
    /// An array of these values whose first word lies at a place in memory.
    pub fn new(values: Vec<f32>, cache: &Rc<RefCell<Cache>>, first: usize) -> Cached {
        Cached { values: RefCell::new(values), cache: cache.clone(), first }
    }

    /// All elements, without the cache.
    pub fn values(&self) -> Vec<f32> {
        self.values.borrow().clone()
    }
}

impl Array for Cached {
    #[track_caller]
    fn get(&self, at: usize) -> f32 {
        let value = self.values.borrow()[at];
        self.cache.borrow_mut().touch(self.first + at);
        value
    }

    #[track_caller]
    fn set(&self, at: usize, value: f32) {
        self.values.borrow_mut()[at] = value;
        self.cache.borrow_mut().touch(self.first + at);
    }
}

thread_local! {
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
}

/// A number in f32. What a reader writes knows no more of it than this, so that every operation counts.
pub trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + AddAssign
{
    /// Nothing.
    const ZERO: Self;
}

/// A number in f32 that knows how many operations, each waiting for the one before it, led to it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counted {
    value: f32,
    chain: u64,
}

impl Counted {
    /// A number that is there from the beginning.
    pub fn new(value: f32) -> Counted {
        Counted { value, chain: 0 }
    }

    /// The number.
    pub fn value(self) -> f32 {
        self.value
    }

    /// The operations that waited for each other.
    pub fn chain(self) -> u64 {
        self.chain
    }

    /// All operations so far.
    pub fn operations() -> u64 {
        OPERATIONS.get()
    }

    fn of(value: f32, one: Counted, other: Counted) -> Counted {
        OPERATIONS.set(OPERATIONS.get() + 1);
        Counted { value, chain: one.chain.max(other.chain) + 1 }
    }
}

impl Number for Counted {
    const ZERO: Counted = Counted { value: 0.0, chain: 0 };
}

impl Add for Counted {
    type Output = Counted;

    fn add(self, other: Counted) -> Counted {
        Counted::of(self.value + other.value, self, other)
    }
}

impl Sub for Counted {
    type Output = Counted;

    fn sub(self, other: Counted) -> Counted {
        Counted::of(self.value - other.value, self, other)
    }
}

impl Mul for Counted {
    type Output = Counted;

    fn mul(self, other: Counted) -> Counted {
        Counted::of(self.value * other.value, self, other)
    }
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Counted) {
        *self = *self + other;
    }
}
