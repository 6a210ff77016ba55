//! A host that reads mapped memory before the kernel has ended: what flags order, and what they do not.

use std::sync::Arc;

use simt::{EarlyReadError, FaultKind, Launch, Missing, Module, Simulator, Watch};

const BLOCKS: u32 = 3;
const THREADS: u32 = 64;

/// Each thread writes its element, and the first of each block sets the block's flag.
const NOTICE: &str = "
    .version 7.8
    .target sm_70
    .address_size 64
    .visible .entry k(.param .u64 data, .param .u64 flags) {
        .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<7>;
        ld.param.u64 %rd1, [data];
        ld.param.u64 %rd2, [flags];
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %tid.x;
        mad.lo.u32 %r3, %r1, 64, %r2;
        mul.wide.u32 %rd3, %r3, 4;
        add.s64 %rd4, %rd1, %rd3;
        st.global.u32 [%rd4], %r3;
        bar.sync 0;
        setp.ne.u32 %p1, %r2, 0;
        @%p1 bra END;
        membar.sys;
        mul.wide.u32 %rd5, %r1, 4;
        add.s64 %rd6, %rd2, %rd5;
        mov.u32 %r4, 1;
        st.volatile.global.u32 [%rd6], %r4;
    END:
        ret;
    }";

/// A launch of such a kernel that has run, for the host to read.
struct Ran {
    simulator: Simulator,
    data: u64,
    flags: u64,
}

impl Ran {
    fn new(text: &str, seed: u64, times: usize) -> Ran {
        let simulator = Simulator::new(1 << 20);
        let module = Arc::new(Module::parse("k.ptx", text).expect("valid PTX"));
        let loaded = simulator.load(module).expect("enough memory");
        let zeros = |name, bytes| {
            let address = simulator.alloc_mapped(name, bytes).expect("enough memory");
            simulator.fill(address, bytes, 0).expect("the array's size");
            address
        };
        let data = zeros("data", u64::from(4 * BLOCKS * THREADS));
        let flags = zeros("flags", u64::from(4 * BLOCKS));
        let launch = Launch::new([BLOCKS, 1, 1], [THREADS, 1, 1]).seed(seed);
        let launch = launch.argument(data).argument(flags);
        let watch = Watch { hazards: true, ..Watch::default() };
        for _ in 0..times {
            simulator.fill(flags, u64::from(4 * BLOCKS), 0).expect("the array's size");
            let events = simulator.launch(&loaded, "k", &launch, &watch).expect("no fault");
            assert_eq!(events.hazards, []);
        }
        Ran { simulator, data, flags }
    }

    fn word(&self, address: u64) -> Result<u32, EarlyReadError> {
        let mut word = [0; 4];
        self.simulator.read_early(address, &mut word)?;
        Ok(u32::from_le_bytes(word))
    }

    /// Waits for a block's flag and reads what its threads have written.
    fn block(&self, block: u32) -> Result<Vec<u32>, EarlyReadError> {
        while self.word(self.flags + u64::from(4 * block))? == 0 {}
        let first = block * THREADS;
        (first..first + THREADS).map(|i| self.word(self.data + u64::from(4 * i))).collect()
    }

    /// The same of all blocks.
    fn all(&self) -> Result<Vec<u32>, EarlyReadError> {
        let blocks: Result<Vec<_>, _> = (0..BLOCKS).map(|block| self.block(block)).collect();
        Ok(blocks?.concat())
    }
}

fn written() -> Vec<u32> {
    (0..BLOCKS * THREADS).collect()
}

/// What is missing where the host reads too early, and whether a flag of the block is named.
fn missing(read: Result<impl Sized, EarlyReadError>) -> Option<(Missing, bool)> {
    let error = read.err()?;
    let EarlyReadError::Fault(fault) = &error else { panic!("{error}") };
    let FaultKind::EarlyRead(read) = &fault.kind else { panic!("{fault}") };
    assert!(fault.is_hazard() && fault.line > 0, "{fault}");
    Some((read.missing, read.flag.is_some()))
}

#[test]
fn a_flag_after_a_barrier_and_a_fence_of_the_system_orders() {
    for seed in 0..20 {
        assert_eq!(Ran::new(NOTICE, seed, 1).all(), Ok(written()));
    }
    let released = NOTICE.replace("membar.sys;", "").replace("st.volatile", "st.release.sys");
    assert_eq!(Ran::new(&released, 1, 1).all(), Ok(written()));
    // A later launch begins when the first has ended, and takes the place of what that has stored.
    assert_eq!(Ran::new(NOTICE, 1, 2).all(), Ok(written()));
}

#[test]
fn what_is_missing_is_named() {
    for (from, to, expected) in [
        ("bar.sync 0;", "", (Missing::Order, true)),
        ("membar.sys;", "", (Missing::Release, true)),
        ("membar.sys", "membar.cta", (Missing::Release, true)),
        ("membar.sys", "membar.gl", (Missing::Scope, true)),
        ("membar.sys; ", "", (Missing::Order, false)),
        ("st.volatile", "st", (Missing::Order, false)),
        ("st.volatile", "st.relaxed.gpu", (Missing::Order, false)),
    ] {
        let text = NOTICE.replace(from, to);
        let ran = Ran::new(&text, 3, 1);
        match from {
            // Nobody waits for the flag.
            "membar.sys; " => assert_eq!(missing(ran.word(ran.data)), Some(expected)),
            _ => assert_eq!(missing(ran.all()), Some(expected), "{from} -> {to}"),
        }
    }
}

#[test]
fn a_flag_says_nothing_of_another_block() {
    let ran = Ran::new(NOTICE, 0, 1);
    assert!(ran.block(0).is_ok());
    assert_eq!(missing(ran.word(ran.data + u64::from(4 * THREADS))), Some((Missing::Order, false)));
    // Both at once are in no order.
    let ran = Ran::new(&NOTICE.replace("[%rd6]", "[%rd1+4]"), 0, 1);
    assert!(ran.simulator.read_early(ran.data, &mut [0; 8]).is_err());
}

#[test]
fn who_waits_for_the_end_may_read_everything() {
    for without in ["bar.sync 0;", "membar.sys;"] {
        let ran = Ran::new(&NOTICE.replace(without, ""), 0, 1);
        ran.simulator.wait();
        assert_eq!(ran.all(), Ok(written()));
    }
    // What the host wrote itself is no kernel's any more.
    let ran = Ran::new(NOTICE, 0, 1);
    ran.simulator.write(ran.data, &7u32.to_le_bytes()).unwrap();
    assert_eq!(ran.word(ran.data), Ok(7));
}

#[test]
fn a_strong_store_without_a_fence_may_come_after_the_flag() {
    let strong = NOTICE.replace("st.global.u32 [%rd4]", "st.volatile.global.u32 [%rd4]");
    let unfenced = strong.replace("membar.sys;", "");
    let late =
        |text: &str| (0..8).filter(|&seed| Ran::new(text, seed, 1).all() != Ok(written())).count();
    assert_eq!(late(&strong), 0);
    assert!(late(&unfenced) > 0, "an element that has not come is 0");
}
