//! Damaged PTX is refused or accepted, but never makes the parser panic.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use simt::Module;

fn text() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../../kernels/nbody/06-shared-blocking.ptx");
    fs::read(path).expect("a step's PTX")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_replaced(changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = text();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = Module::parse("damaged.ptx", &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn lines_removed_and_doubled(remove in any::<prop::sample::Index>(), double in any::<prop::sample::Index>()) {
        let text = String::from_utf8(text()).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines.remove(remove.index(lines.len()));
        let at = double.index(lines.len());
        lines.insert(at, lines[at]);
        let _ = Module::parse("damaged.ptx", &lines.join("\n"));
    }

    #[test]
    fn cut_short(at in any::<prop::sample::Index>()) {
        let bytes = text();
        let _ = Module::parse("cut.ptx", &String::from_utf8_lossy(&bytes[..at.index(bytes.len())]));
    }
}
