//! Barriers of the grid in cooperative launches.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use simt::{Events, FaultKind, Launch, LaunchError, Machine, Module, Simulator, Watch};

use super::pattern::MACHINE;

/// Runs so many rounds; the counts, and the values after the last.
fn rounds(
    blocks: u32,
    threads: u32,
    count: u32,
    (cooperative, watch): (bool, &Watch),
) -> Result<(Events, Vec<u32>), LaunchError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/grid.ptx");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let module = Arc::new(Module::parse("grid.ptx", &text).expect("valid PTX"));
    assert!(module.kernel("rounds").expect("the kernel").synchronises_grid());
    let simulator = Simulator::new(1 << 22);
    let loaded = simulator.load(module).expect("enough memory");
    let n = blocks * threads;
    let a = simulator.alloc("a", u64::from(8 * n)).expect("enough memory");
    let first: Vec<u8> = (0..2 * n).flat_map(|i| (i % n % 7).to_le_bytes()).collect();
    simulator.write(a, &first).expect("the array's size");
    let launch = Launch::new([blocks, 1, 1], [threads, 1, 1])
        .cooperative(cooperative)
        .argument(a)
        .argument(count);
    let events = simulator.launch(&loaded, "rounds", &launch, watch)?;
    let mut bytes = vec![0; 4 * n as usize];
    simulator.read(a + u64::from(count % 2 * 4 * n), &mut bytes).expect("the array's size");
    let word = |c: &[u8]| u32::from_le_bytes([c[0], c[1], c[2], c[3]]);
    Ok((events, bytes.chunks_exact(4).map(word).collect()))
}

/// The same by a loop.
fn expected(n: u32, count: u32) -> Vec<u32> {
    let mut a: Vec<u32> = (0..n).map(|i| i % 7).collect();
    for _ in 0..count {
        a = (0..a.len()).map(|i| a[i].wrapping_add(a[(i + 1) % a.len()])).collect();
    }
    a
}

#[test]
fn a_cooperative_launch_has_barriers_of_the_grid() {
    let began = Instant::now();
    for (blocks, threads, count) in [(1, 1, 1), (3, 33, 6), (264, 256, 5)] {
        let (_, left) =
            rounds(blocks, threads, count, (true, &Watch::default())).expect("no fault");
        assert_eq!(left, expected(blocks * threads, count), "{blocks}×{threads}");
    }
    // About a second: where each round looks at every warp it is minutes.
    assert!(began.elapsed() < Duration::from_secs(30), "it takes {:?}", began.elapsed());
}

/// At full residency, watched for all there is.
#[test]
fn its_barriers_order_memory() {
    let watch = Watch { traffic: Some(MACHINE), hazards: true, ..Watch::default() };
    let (events, left) = rounds(8, 64, 4, (true, &watch)).expect("no fault");
    assert_eq!(left, expected(8 * 64, 4));
    assert!(events.hazards.is_empty(), "{}", events.hazards[0]);
    let atomics: u64 = events.instructions.iter().map(|i| i.atomics).sum();
    assert_eq!(atomics, 8 * 4);
}

#[test]
fn a_cooperative_launch_that_does_not_fit_is_refused() {
    let machine = Machine { resident_blocks: 2, multiprocessors: 132, ..MACHINE };
    let watch = Watch { traffic: Some(machine), ..Watch::default() };
    let Err(LaunchError::Shape { message, .. }) = rounds(265, 32, 1, (true, &watch)) else {
        panic!("no error")
    };
    assert_eq!(
        message,
        "a cooperative launch of 265 blocks, of which 264 run at once (2 on each of 132 multiprocessors); launch at most 264, and let each do the work of several"
    );
}

/// As on a GPU.
#[test]
fn any_other_launch_traps() {
    let Err(LaunchError::Fault(fault)) = rounds(2, 32, 1, (false, &Watch::default())) else {
        panic!("no fault")
    };
    assert_eq!(fault.kind, FaultKind::Trap);
}
