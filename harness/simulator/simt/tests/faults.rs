//! What faults and refusals say.

use crate::common;

use common::{Bench, kernel};
use simt::{
    AccessError, FaultKind, Launch, LaunchError, Line, MemoryError, Module, Origin, Simulator,
    Watch,
};

fn fault(body: &str, threads: u32) -> simt::Fault {
    let bench = Bench::new(Simulator::new(1 << 20), &kernel(body));
    match bench.launch(4, threads) {
        Err(LaunchError::Fault(fault)) => *fault,
        other => panic!("expected a fault, got {other:?}"),
    }
}

#[test]
fn an_access_behind_an_allocation() {
    let fault = fault("add.s64 %rd4, %rd3, 4000;\nst.global.u32 [%rd4], %r1;\nret;", 64);
    let text = fault.to_string();
    assert!(text.starts_with("out of bounds: global write of 4 bytes at address 0x7"), "{text}");
    assert!(text.contains("0 bytes after the end of allocation `out` of 4096 bytes"), "{text}");
    assert!(text.contains("in kernel `k` at test.ptx:10"), "{text}");
    assert!(
        text.contains("by thread (24,0,0) of block (0,0,0)\n  to do: check the index"),
        "{text}"
    );
}

#[test]
fn an_access_that_begins_inside_and_ends_outside() {
    let text = fault("ld.global.v4.u32 {%r2,%r3,%r4,%r5}, [%rd1+4088];", 1).to_string();
    // 4088 is no multiple of 16 either, and that is found first.
    assert!(text.starts_with("misaligned: global read of 16 bytes"), "{text}");
    assert!(text.contains("at offset 4088 of allocation `out`"), "{text}");
}

#[test]
fn null_shared_and_local() {
    let problem = |body: &str| match fault(body, 32).kind {
        FaultKind::InvalidAccess(access) => (access.error, access.address),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(problem("mov.u64 %rd4, 0; ld.global.u32 %r2, [%rd4+8];"), (AccessError::Null, 8));
    assert_eq!(
        problem("mov.u32 %r2, 4096; st.shared.u32 [%r2], %r1;"),
        (AccessError::OutOfBounds, 4096)
    );
    assert_eq!(problem("mov.u32 %r2, 2; ld.shared.u32 %r3, [%r2];"), (AccessError::Misaligned, 2));
    assert_eq!(problem("mov.u32 %r2, 0; ld.local.u32 %r3, [%r2];"), (AccessError::OutOfBounds, 0));
    // An offset into an array without the array's address, however large the array is.
    let own = |body: &str| problem(&format!(".local .align 4 .b8 own[524288];\n{body}"));
    let last = "mov.u64 %rd4, 524284; st.local.u32 [%rd4], %r1;";
    assert_eq!(own(last), (AccessError::OutOfBounds, 524_284));
    let null = "mov.u64 %rd4, 0; cvta.local.u64 %rd4, %rd4; st.u32 [%rd4], %r1;";
    assert_eq!(own(null), (AccessError::OutOfBounds, ptx::space::LOCAL_WINDOW));
}

#[test]
fn constant_memory_is_read_only_however_it_is_reached() {
    for store in
        ["st.u32 [%rd4], %r1;", "st.global.u32 [%rd4], %r1;", "atom.add.u32 %r2, [%rd4], 1;"]
    {
        let body = format!("mov.u64 %rd4, c; cvta.const.u64 %rd4, %rd4; {store} ret;");
        let text = kernel(&body).replacen(".visible", ".const .align 4 .u32 c;\n.visible", 1);
        let bench = Bench::new(Simulator::new(1 << 20), &text);
        let Err(LaunchError::Fault(fault)) = bench.launch(1, 32) else {
            panic!("no fault: {store}")
        };
        assert!(fault.to_string().starts_with("read-only memory:"), "{fault}");
    }
}

#[test]
fn the_line_of_the_cuda_source() {
    let text = kernel(".loc 1 42 7\ntrap;\n") + "\n.file 1 \"/kernels/x.cu\"";
    let bench = Bench::new(Simulator::new(1 << 20), &text);
    let Err(LaunchError::Fault(fault)) = bench.launch(1, 33) else { panic!("no fault") };
    assert_eq!(fault.kind, FaultKind::Trap);
    let at = Line { file: "/kernels/x.cu".to_string(), line: 42 };
    assert_eq!(fault.cuda, Some(Origin { at, inlined: None }));
}

#[test]
fn the_line_of_the_own_source_into_which_a_header_was_inlined() {
    let text = kernel(
        ".loc 1 42 7\nadd.u32 %r1, %r1, 1;\n.loc 2 9 1, function_name $f, inlined_at 1 42 7\ntrap;\n",
    ) + "\n.file 1 \"/kernels/x.cu\"\n.file 2 \"/kernels/copy.cuh\"";
    let bench = Bench::new(Simulator::new(1 << 20), &text);
    let Err(LaunchError::Fault(fault)) = bench.launch(1, 33) else { panic!("no fault") };
    let place = "(/kernels/x.cu:42, in code inlined from /kernels/copy.cuh:9)\n";
    assert!(fault.to_string().contains(place), "{fault}");
}

#[test]
fn the_first_block_that_fails_is_told() {
    for threads in [1, 4] {
        let text = kernel(
            "mov.u32 %r2, %ctaid.x; setp.lt.u32 %p1, %r2, 7; @%p1 bra END; trap;\nEND: ret;",
        );
        let bench = Bench::new(Simulator::new(1 << 20).with_threads(threads), &text);
        let Err(LaunchError::Fault(fault)) = bench.launch(64, 32) else { panic!("no fault") };
        assert_eq!(fault.block, [7, 0, 0]);
    }
}

#[test]
fn launches_that_cannot_be() {
    let bench = Bench::new(Simulator::new(1 << 20), &kernel("ret;"));
    let try_with = |name: &str, block: [u32; 3], arguments: &[&[u8]]| {
        let launch = Launch::new([1, 1, 1], block).arguments(arguments);
        bench
            .simulator
            .launch(&bench.loaded, name, &launch, &Watch::default())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(try_with("q", [1, 1, 1], &[&[0; 8]]), "no kernel `q`; the module has `k`");
    assert!(try_with("k", [1, 1, 1], &[]).contains("takes 1 parameters, 0 were given"));
    assert!(try_with("k", [1, 1, 1], &[&[0; 4]]).contains("`out` has 8 bytes, 4 were given"));
    assert!(try_with("k", [1025, 1, 1], &[&[0; 8]]).contains("1 to 1024 are possible"));
    let refused = bench.simulator.alloc("huge", 1 << 21).unwrap_err();
    assert!(matches!(refused, MemoryError::OutOfMemory { .. }));
}

#[test]
fn unsupported_instructions_are_named_with_their_line() {
    for (instruction, name) in [
        ("lg3.approx.f32 %f1, %f2;", "lg3.approx.f32"),
        ("foo.bar.f32 %f1, %f2;", "foo.bar.f32"),
        ("add.u128 %r1, %r1, %r1;", "add.u128"),
        ("mul.lo.b32 %r1, %r1, %r1;", "mul.lo.b32"),
    ] {
        let error = Module::parse("x.ptx", &kernel(&format!("ret;\n{instruction}"))).unwrap_err();
        assert_eq!(error.to_string(), format!("x.ptx:10:1: unsupported instruction `{name}`"));
    }
}

#[test]
fn an_unsupported_kernel_leaves_the_others_of_its_file_alone() {
    let other = ".visible .entry other(.param .u64 out)\n{\n.reg .f32 %f<5>;\n\
                 lg3.approx.f32 %f1, %f2;\nret;\n}";
    let text = format!("{}\n{other}", kernel("st.global.u32 [%rd3], %r1; ret;"));
    let bench = Bench::new(Simulator::new(1 << 20), &text);
    bench.launch(1, 32).expect("no fault");
    assert_eq!(bench.words(32)[31], 31);
    let launch = Launch::new([1; 3], [1; 3]).argument(0u64);
    let refused =
        bench.simulator.launch(&bench.loaded, "other", &launch, &Watch::default()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "kernel `other` cannot be simulated: test.ptx:14:1: unsupported instruction `lg3.approx.f32`"
    );
    // Nor does a malformed one.
    for (wrong, column, told) in [
        ("  mov.u32 %f1, %q", 3, "`%q` is not declared"),
        ("  mov.u32 %f1 %f2", 15, "expected `,`, found `%f2`"),
        ("mov.u64 %f1, %f2", 1, "wrong type"),
    ] {
        let wrong = text.replace("lg3.approx.f32 %f1, %f2", wrong);
        let module = Module::parse("x.ptx", &wrong).unwrap();
        assert!(module.kernel("k").is_some());
        let error = module.find("other").unwrap_err().to_string();
        let place = format!("kernel `other` cannot be simulated: x.ptx:14:{column}: ");
        assert!(error.starts_with(&place) && error.contains(told), "{error}");
    }
    // A text of which nothing can run still says what it has.
    let module = Module::parse_all("x.ptx", &format!(".version 8.0\n{other}")).unwrap();
    assert_eq!(module.refused().map(|(name, _)| name).collect::<Vec<_>>(), ["other"]);
}

#[test]
fn absurd_sizes_are_errors() {
    let refused = |declaration: &str| {
        let text = kernel(&format!("{declaration}\nst.global.u32 [%rd3], %r1; ret;"));
        Module::parse("x.ptx", &text).unwrap_err().to_string()
    };
    assert_eq!(
        refused(".local .align 4 .b8 big[2000000000];"),
        "x.ptx:9:1: `big` does not fit: 2000000000 bytes of local memory, of which there are at most 524288"
    );
    assert!(refused(".local .b8 one[524288]; .local .b8 two;").contains("524289 bytes of local"));
    assert!(refused(".local .b8 b[18446744073709551615][18446744073709551615];").contains("large"));
    assert!(refused(".shared .b8 b[4294967296];").contains("bytes of shared memory"));
    assert_eq!(
        refused(".shared .b8 a[45056]; .shared .b8 b;"),
        "x.ptx:9:1: `b` does not fit: 49153 bytes of shared memory, of which there are at most 49152; declare it as \
         `extern __shared__`, and let the launch say how much"
    );
    assert!(refused(".reg .b32 %q<4294967295>;").contains("too many"));
    let text = kernel("ret;").replace(".param .u64 out", ".param .align 8 .b8 out[4294967296]");
    let error = Module::parse("x.ptx", &text).unwrap_err().to_string();
    assert!(error.contains("take 4294967296 bytes, but at most 32764 are allowed"), "{error}");

    // What a GPU has is there, and no more is touched than one block needs.
    let last =
        "mov.u64 %rd4, own; st.local.u32 [%rd4+524284], %r1; ld.local.u32 %r2, [own+524284];";
    let text = kernel(&format!(
        ".local .align 4 .b8 own[524288];\n{last}\nst.global.u32 [%rd3], %r2; ret;"
    ));
    let bench = Bench::new(Simulator::new(1 << 20), &text);
    bench.launch(2, 33).expect("no fault");
    assert_eq!(bench.words(33)[32], 32);

    // A launch's numbers.
    let shared = Launch::new([1; 3], [1; 3]).shared_bytes(u32::MAX).argument(0u64);
    let error = bench
        .simulator
        .launch(&bench.loaded, "k", &shared, &Watch::default())
        .unwrap_err()
        .to_string();
    assert!(error.contains("bytes of shared memory; a block has at most"), "{error}");
    let most = Launch::new([u32::MAX; 3], [u32::MAX; 3]);
    assert!(bench.simulator.launch(&bench.loaded, "k", &most, &Watch::default()).is_err());
    assert!(bench.simulator.alloc("all", u64::MAX).is_err());
    assert!(bench.simulator.fill(u64::MAX, u64::MAX, 0).is_err());
    assert!(bench.simulator.fill(bench.out, u64::MAX, 0).is_err());
}

#[test]
fn a_block_beyond_the_launch_bounds() {
    let error = |bounds: &str, block: [u32; 3]| {
        let text = kernel("ret;").replacen("\n{", &format!("\n{bounds}\n{{"), 1);
        let bench = Bench::new(Simulator::new(1 << 20), &text);
        let launch = Launch::new([1; 3], block).argument(0u64);
        bench
            .simulator
            .launch(&bench.loaded, "k", &launch, &Watch::default())
            .err()
            .map(|error| error.to_string())
    };
    assert_eq!(error(".maxntid 128, 1, 1\n.minnctapersm 2", [64, 2, 1]), None);
    assert_eq!(
        error(".maxntid 128, 1, 1", [129, 1, 1]).unwrap(),
        "cannot launch kernel `k`: a block of 129 threads; it was compiled for at most 128 \
         (`__launch_bounds__`, `.maxntid`): launch smaller blocks, or raise that bound"
    );
    assert!(error(".maxntid 16,16", [16, 16, 2]).unwrap().contains("at most 256"));
    assert_eq!(error(".reqntid 32, 2", [32, 2, 1]), None);
    assert!(error(".reqntid 32, 2", [64, 1, 1]).unwrap().contains("compiled for 32×2×1"));
}
