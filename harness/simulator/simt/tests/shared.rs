//! Where variables of shared memory lie.

use std::sync::Arc;

use simt::{Launch, Module, Simulator, Watch};

/// The dynamic memory comes after the static, at a multiple of its own alignment, and is all there.
#[test]
fn dynamic_shared_memory_is_aligned() {
    let text = ".version 8.0 .target sm_90 .address_size 64
        .extern .shared .align 1024 .b8 tiles[];
        .visible .entry k(.param .u64 out) { .reg .b32 %r<9>; .reg .b64 %rd<4>; .shared .align 8 .b64 bar;
        ld.param.u64 %rd0, [out]; mov.u32 %r0, tiles; mov.u32 %r1, bar;
        st.shared.u32 [%r1], 5; st.shared.u32 [%r0+2044], 6; ld.shared.u32 %r2, [%r1];
        st.global.v2.u32 [%rd0], {%r0, %r2}; ret; }";
    let module = Arc::new(Module::parse("k.ptx", text).expect("valid PTX"));
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(module).expect("enough memory");
    let out = simulator.alloc("out", 8).expect("enough memory");
    let launch = Launch::new([1; 3], [1; 3]).shared_bytes(2048).argument(out);
    simulator.launch(&loaded, "k", &launch, &Watch::default()).expect("no fault");
    let mut bytes = [0; 8];
    simulator.read(out, &mut bytes).expect("its size");
    let [tiles, word] =
        [0, 4].map(|at| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4")));
    assert_eq!((tiles % 1024, word), (0, 5));
}
