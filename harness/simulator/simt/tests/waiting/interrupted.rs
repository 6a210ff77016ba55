//! Warps that are interrupted between two accesses: what each goes on with, and what others see meanwhile.

use std::collections::BTreeSet;
use std::sync::Arc;

use simt::{Launch, Module, Simulator, Watch};

/// Lanes of the first warp load from neighbouring words, and all of the second from one word; each loads twice by one register.
const TWICE: &str = ".version 7.8 .target sm_70 .address_size 64
    .visible .entry k(.param .u64 words, .param .u64 results) {
    .reg .pred %p<2>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [results];
    mov.u32 %r1, %tid.x; min.u32 %r2, %r1, 32;
    mul.wide.u32 %rd3, %r1, 4; add.s64 %rd2, %rd2, %rd3;
    mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3;
    ld.volatile.global.u32 %r3, [%rd1]; ld.volatile.global.u32 %r4, [%rd1+256];
    sub.u32 %r5, %r4, %r3; st.global.u32 [%rd2], %r5; membar.gl; ret; }";

/// What a launch of `k` leaves in its second array of this many words; these are in its first.
fn results(module: &Arc<Module>, launch: Launch, words: &[u32], count: usize) -> Vec<u32> {
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(module.clone()).expect("enough memory");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let [first, second] = [bytes.len(), 4 * count]
        .map(|size| simulator.alloc("words", size as u64).expect("enough memory"));
    simulator.write(first, &bytes).expect("its size");
    let watch = Watch { hazards: true, ..Watch::default() };
    simulator.launch(&loaded, "k", &launch.arguments([first, second]), &watch).expect("no fault");
    let mut left = vec![0; 4 * count];
    simulator.read(second, &mut left).expect("its size");
    left.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("4"))).collect()
}

#[test]
fn a_warp_that_is_interrupted_goes_on_with_its_own_addresses() {
    let module = Arc::new(Module::parse("k.ptx", TWICE).expect("valid PTX"));
    let squares: Vec<u32> = (0..128).map(|k| k * k).collect();
    let difference = |k: u32| (k + 64) * (k + 64) - k * k;
    let expected: Vec<u32> = (0..64).map(|thread| difference(32.min(thread))).collect();
    for seed in 0..50 {
        let launch = Launch::new([1, 1, 1], [64, 1, 1]).cooperative(true).seed(seed);
        assert_eq!(results(&module, launch, &squares, 64), expected, "seed {seed}");
    }
}

/// The first block stores a pair by one instruction, and the second loads it by one.
const PAIR: &str = ".version 7.8 .target sm_70 .address_size 64
    .visible .entry k(.param .u64 words, .param .u64 results) {
    .reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [words]; ld.param.u64 %rd2, [results];
    mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra READ;
    mov.u32 %r2, 1; st.relaxed.gpu.global.v2.u32 [%rd1], {%r2, %r2}; ret;
    READ: ld.relaxed.gpu.global.v2.u32 {%r2, %r3}, [%rd1]; st.global.v2.u32 [%rd2], {%r2, %r3}; ret; }";

/// A vector is as many accesses as it has elements, in no order (PTX ISA, "Vector Data-types").
#[test]
fn a_vector_may_be_seen_in_part() {
    let module = Arc::new(Module::parse("k.ptx", PAIR).expect("valid PTX"));
    let launch = Launch::new([2, 1, 1], [1, 1, 1]).cooperative(true);
    let seen: BTreeSet<_> =
        (0..200).map(|seed| results(&module, launch.clone().seed(seed), &[0, 0], 2)).collect();
    let wanted = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|pair| pair.to_vec());
    assert!(seen.iter().eq(&wanted), "{seen:?}");
}
