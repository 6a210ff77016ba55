//! Tensor maps that a kernel changes (PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy", "membar / fence").

use std::sync::Arc;

use program::Proxied;
use simt::texture::{Fill, TensorElement, TensorMap};
use simt::{Fault, FaultKind, Launch, LaunchError, Module, Simulator, Watch};

const COPY: &str = "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd2], [%r2], 128;";
const RELEASE: &str = "fence.proxy.tensormap::generic.release.gpu;";
const ACQUIRE: &str = "fence.proxy.tensormap::generic.acquire.gpu [%rd2], 128;";

/// A warp brings the map to shared memory, where `change` stands; `publish` brings it to `place`; thread 0 loads the box at its
/// beginning, 4 words in each of 2 rows, and all store it to `out`.
fn text(change: &str, publish: &str) -> String {
    format!(
        ".version 8.3\n.target sm_90a\n.address_size 64\n\
         .visible .entry test(.param .align 64 .b8 map[128], .param .u64 place, .param .u64 out, .param .u64 other)\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.shared .align 128 .b8 copy[128];\n\
         .shared .align 128 .b8 tile[32];\n.shared .align 8 .b64 bar;\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, bar;\n\
         mov.u32 %r2, copy;\nmov.u32 %r3, tile;\nmov.b64 %rd0, map;\ncvta.param.u64 %rd0, %rd0;\n\
         ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [place];\nld.param.u64 %rd3, [other];\nsetp.eq.u32 %p0, %r0, 0;\n\
         @%p0 mbarrier.init.shared::cta.b64 [%r1], 1;\nfence.proxy.async;\nmad.wide.u32 %rd4, %r0, 4, %rd0;\n\
         ld.u32 %r4, [%rd4];\nshl.b32 %r5, %r0, 2;\nadd.u32 %r5, %r2, %r5;\nst.shared.u32 [%r5], %r4;\nbar.warp.sync -1;\n\
         {change}\nbar.warp.sync -1;\n{publish}\n@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r1], 32;\n\
         mov.u32 %r6, 0;\n\
         @%p0 cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r3], [%rd2, {{%r6, %r6}}], [%r1];\n\
         WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r1], 0;\n@!%p1 bra WAIT;\nsetp.lt.u32 %p2, %r0, 8;\n\
         @!%p2 ret;\nshl.b32 %r5, %r0, 2;\nadd.u32 %r5, %r3, %r5;\nld.shared.u32 %r7, [%r5];\n\
         mad.wide.u32 %rd5, %r0, 4, %rd1;\nst.global.u32 [%rd5], %r7;\nret;\n}}\n"
    )
}

/// What the box held, and the hazards.
fn run(change: &str, publish: &str) -> Result<(Vec<u32>, Vec<Fault>), LaunchError> {
    let simulator = Simulator::new(1 << 22);
    let alloc = |name, bytes| simulator.alloc(name, bytes).expect("enough memory");
    let (tensor, other) = (alloc("tensor", 64), alloc("other", 64));
    let (place, out) = (alloc("place", 128), alloc("out", 32));
    for (address, first) in [(tensor, 0), (other, 100)] {
        let words = (first..first + 16).flat_map(u32::to_le_bytes).collect::<Vec<_>>();
        simulator.write(address, &words).expect("its size");
    }
    let element = TensorElement { bytes: 4, is_float: false, is_brain: false, is_signed: false };
    let map = TensorMap {
        element,
        dimensions: 2,
        address: tensor,
        sizes: [4, 4, 1, 1, 1],
        strides: [4, 16, 4, 4, 4],
        boxes: [4, 2, 1, 1, 1],
        swizzle: 16,
        fill: Fill::Zeros,
    };
    // The kernel's copy replaces it, unless it changes `place` itself.
    simulator.write(place, &map.encode()).expect("its size");
    let text = text(change, publish);
    let module = Module::parse("test.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let loaded = simulator.load(Arc::new(module)).expect("enough memory");
    let launch = Launch::new([1; 3], [32, 1, 1])
        .arguments([map.encode().to_vec()])
        .argument(place)
        .argument(out)
        .argument(other);
    let watch = Watch { hazards: true, ..Watch::default() };
    let events = simulator.launch(&loaded, "test", &launch, &watch)?;
    let mut left = vec![0; 32];
    simulator.read(out, &mut left).expect("its size");
    let word = |word: &[u8]| u32::from_le_bytes(word.try_into().expect("four bytes"));
    Ok((left.chunks_exact(4).map(word).collect(), events.hazards))
}

/// A field of the map in shared memory.
fn replace(field: &str, operands: &str) -> String {
    let width = if field.starts_with("global_dim") { "b32" } else { "b64" };
    format!("@%p0 tensormap.replace.tile.{field}.shared::cta.b1024.{width} [%r2], {operands};")
}

#[test]
fn replaced_fields_are_those_of_the_next_copy() {
    let change = [
        replace("global_address", "%rd3"),
        "mov.u64 %rd6, 32; mov.u32 %r8, 3;".to_string(),
        replace("global_stride", "0, %rd6"),
        replace("global_dim", "0, %r8"),
    ];
    // Nothing need be at the address of a fence.
    let nowhere = "mov.u64 %rd7, 0; fence.proxy.tensormap::generic.acquire.gpu [%rd7], 128;";
    let publish = [COPY, nowhere, ACQUIRE].concat();
    let (left, hazards) = run(&change.join("\n"), &publish).expect("it runs");
    assert_eq!((left, hazards), (vec![100, 101, 102, 0, 108, 109, 110, 0], vec![]));
}

#[test]
fn a_map_in_global_memory_is_changed_and_released() {
    let change = "@%p0 tensormap.replace.tile.global_address.global.b1024.b64 [%rd2], %rd3;";
    let (left, hazards) = run(change, &[RELEASE, ACQUIRE].concat()).expect("it runs");
    assert_eq!((left, hazards), ((100..108).collect(), vec![]));
    for publish in [RELEASE, ACQUIRE] {
        let (_, hazards) = run(change, publish).expect("it runs");
        assert!(is_unfenced(&hazards), "{hazards:?}");
    }
}

#[test]
fn a_copy_without_the_fence_that_acquires_its_map_is_found() {
    let (_, hazards) = run(&replace("global_address", "%rd3"), COPY).expect("it runs");
    assert!(is_unfenced(&hazards), "{hazards:?}");
    let message = hazards[0].to_string();
    assert!(message.contains("tensor map at offset 0 of `place`"), "{message}");
    assert!(message.contains("fence.proxy.tensormap::generic.acquire.gpu"), "{message}");
}

#[test]
fn a_map_that_no_copy_can_use_is_named() {
    let change = format!("add.u64 %rd3, %rd3, 8;\n{}", replace("global_address", "%rd3"));
    let error = run(&change, &[COPY, ACQUIRE].concat()).expect_err("it fails").to_string();
    assert!(error.contains("no multiple of 16"), "{error}");
}

fn is_unfenced(hazards: &[Fault]) -> bool {
    matches!(hazards, [one] if matches!(one.kind, FaultKind::MissingProxyFence(Proxied::Maps, _)))
}
