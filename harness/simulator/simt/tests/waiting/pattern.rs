//! The kernels of `waiting.cu`, with what they must leave.

use std::fs;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use simt::{Events, Launch, LaunchError, Machine, Module, Simulator, Watch};

/// A small GPU.
pub const MACHINE: Machine = Machine {
    multiprocessors: 4,
    resident_blocks: 2,
    l1_bytes: 16 << 10,
    l2_bytes: 64 << 10,
    ..crate::events::machine::MACHINE
};

/// The kernels.
pub fn module() -> Arc<Module> {
    static MODULE: LazyLock<Arc<Module>> = LazyLock::new(|| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/waiting.ptx");
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        Arc::new(Module::parse("waiting.ptx", &text).expect("valid PTX"))
    });
    MODULE.clone()
}

/// What the threads do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    Lock,
    Ticket,
    Relay,
    Letters,
    List,
    Tree,
    Barriers,
    Sums,
}

impl Pattern {
    pub const ALL: [Pattern; 8] = [
        Pattern::Lock,
        Pattern::Ticket,
        Pattern::Relay,
        Pattern::Letters,
        Pattern::List,
        Pattern::Tree,
        Pattern::Barriers,
        Pattern::Sums,
    ];

    fn kernel(self) -> &'static str {
        match self {
            Pattern::Lock => "lock",
            Pattern::Ticket => "ticket",
            Pattern::Relay => "relay",
            Pattern::Letters => "letters",
            Pattern::List => "list",
            Pattern::Tree => "tree",
            Pattern::Barriers => "barriers",
            Pattern::Sums => "sums",
        }
    }
}

/// A launch of one of them.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    pub pattern: Pattern,
    pub blocks: u32,
    pub threads: u32,
    pub rounds: u32,
    /// Which threads follow each other; [`Schedule::step`] makes it fit.
    pub seed: u32,
    /// Decides the order of warps.
    pub warp_seed: u64,
    pub cpu_threads: usize,
    pub cooperative: bool,
}

impl Schedule {
    fn n(&self) -> u32 {
        self.blocks * self.threads
    }

    /// A number without a factor in common with the number of threads.
    fn step(&self) -> u32 {
        fn common(a: u32, b: u32) -> u32 {
            if b == 0 { a } else { common(b, a % b) }
        }
        let n = self.n();
        (self.seed % n..).find(|&step| step > 0 && common(n, step) == 1).expect("n + 1 is one")
    }

    /// Runs it; its counts, and the two arrays that it left.
    pub fn run(&self, watch: &Watch) -> Result<(Events, [Vec<u32>; 2]), LaunchError> {
        let simulator = Simulator::new(1 << 26).with_threads(self.cpu_threads);
        let loaded = simulator.load(module()).expect("enough memory");
        let words = 2 * (self.n() * self.rounds.max(1) + 1).max(32);
        let arrays = ["first", "second"].map(|name| {
            let address = simulator.alloc(name, u64::from(4 * words)).expect("enough memory");
            simulator.fill(address, u64::from(4 * words), 0).expect("the array's size");
            address
        });
        let launch = Launch::new([self.blocks, 1, 1], [self.threads, 1, 1])
            .seed(self.warp_seed)
            .cooperative(self.cooperative)
            .argument(arrays[0])
            .argument(arrays[1])
            .argument(self.rounds)
            .argument(self.step());
        let events = simulator.launch(&loaded, self.pattern.kernel(), &launch, watch)?;
        let read = |address| {
            let mut bytes = vec![0; 4 * words as usize];
            simulator.read(address, &mut bytes).expect("the array's size");
            bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect()
        };
        Ok((events, arrays.map(read)))
    }

    /// Whether what a launch left is right.
    pub fn check(&self, [first, second]: &[Vec<u32>; 2]) {
        let (n, rounds, step) = (self.n(), self.rounds, self.step());
        match self.pattern {
            Pattern::Lock => assert_eq!((first[0], second[0]), (0, n * rounds), "{self:?}"),
            Pattern::Ticket => {
                assert_eq!((first[0], first[1], second[0]), (n * rounds, n * rounds, n * rounds));
            }
            Pattern::Relay => {
                for turn in 0..n * rounds {
                    let who = u64::from(second[turn as usize]) * u64::from(step);
                    assert_eq!(who % u64::from(n), u64::from(turn % n), "{self:?}");
                }
            }
            Pattern::Letters => {
                assert!(first[..n as usize].iter().all(|&letter| letter == 0), "{self:?}");
                for to in 0..n {
                    let from = (to + n - step % n) % n;
                    let sum: u32 = (1..=rounds).map(|r| r + from).sum();
                    assert_eq!(second[to as usize], sum, "{self:?}");
                }
            }
            Pattern::List => {
                let mut seen = vec![false; (n * rounds) as usize + 1];
                let mut node = first[0];
                while node != 0 {
                    assert!(!std::mem::replace(&mut seen[node as usize], true), "{self:?}");
                    node = second[node as usize];
                }
                assert!(seen[1..].iter().all(|&seen| seen), "{self:?}");
            }
            Pattern::Tree => {
                let key = |own: u32| u64::from(own) * u64::from(step) % u64::from(n);
                let mut keys = Vec::new();
                walk(first, first[1], 0, &mut |node, depth| {
                    assert_eq!(second[node as usize], depth, "{self:?}");
                    keys.push(key(node));
                });
                assert_eq!(keys.len() as u32, n, "{self:?}");
                assert!(keys.is_sorted(), "{self:?}");
            }
            Pattern::Barriers => {
                assert_eq!(first[0], self.blocks * rounds);
                let last = (rounds % 2 * n) as usize;
                let values = &second[last..last + n as usize];
                assert!(values.iter().all(|&value| value == rounds), "{self:?}");
            }
            Pattern::Sums => assert_eq!(first[..32].iter().sum::<u32>(), n * rounds, "{self:?}"),
        }
    }
}

/// The nodes of a tree in order, with their depths.
fn walk(nodes: &[u32], node: u32, depth: u32, each: &mut impl FnMut(u32, u32)) {
    if node != 0 {
        walk(nodes, nodes[2 * node as usize], depth + 1, each);
        each(node, depth);
        walk(nodes, nodes[2 * node as usize + 1], depth + 1, each);
    }
}
