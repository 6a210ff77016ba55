//! The same kernels, watched: no false hazard is reported for frames, stacks and the heap.

use simt::{Scheduling, Simulator, Watch};

use super::fixture::Fixture;

#[test]
fn no_hazard_is_seen_in_correct_kernels() {
    for (stem, kernel, blocks, threads, n) in [
        ("calls", "recursion", 3, 40, 100),
        ("calls", "frames", 1, 64, 9),
        ("calls", "mutual", 1, 64, 0),
        ("calls", "exchanges", 1, 64, 0),
        ("calls", "structures", 1, 40, 0),
        ("calls", "pointers", 1, 64, 0),
        ("calls", "virtuals", 1, 64, 0),
        ("prints", "formats", 1, 32, 7),
        ("prints", "order", 3, 64, 0),
        ("prints", "lists", 4, 64, 20),
        ("prints", "keep", 1, 40, 10),
    ] {
        for scheduling in [Scheduling::Independent, Scheduling::Lockstep] {
            let [plain, watched] = [(); 2].map(|()| {
                let fixture = Fixture::new(stem, Simulator::new(1 << 20));
                Fixture { scheduling, ..fixture }
            });
            let counted = plain.launch(kernel, blocks, threads, n).expect("no fault");
            let watch = Watch { hazards: true, coverage: true, ..Watch::default() };
            let seen = watched.watch(kernel, blocks, threads, n, &watch).expect("no fault");
            assert!(seen.hazards.is_empty(), "{kernel}: {}", seen.hazards[0]);
            assert_eq!(seen.blocks, counted.blocks, "{kernel}");
            assert!(plain.read(64) == watched.read(64), "{kernel}");
            assert_eq!(plain.simulator.take_printed(), watched.simulator.take_printed());
        }
    }
}

/// Worked out by hand: `fibonacci(n)` takes 2·fib(n + 1) − 1 calls, and each executes its `ret`.
#[test]
fn calls_and_returns_are_counted_for_every_thread() {
    for (n, calls) in [(0u32, 1), (2, 3), (7, 2 * 21 - 1)] {
        let fixture = Fixture::new("calls", Simulator::new(1 << 20));
        fixture.simulator.write(fixture.input, &n.to_le_bytes()).expect("inside");
        let events = fixture.launch("recursion", 1, 1, 1).expect("no fault");
        let kernel = fixture.loaded.module().kernel("recursion").expect("it exists");
        let counted = |opcode: &str| -> u64 {
            let own = kernel.instructions().filter(|i| i.opcode.starts_with(opcode));
            own.map(|i| events.blocks[i.block].lanes).sum()
        };
        // The kernel's own end is the last `ret`.
        assert_eq!((counted("call"), counted("ret")), (calls, calls + 1), "{n}");
    }
}
