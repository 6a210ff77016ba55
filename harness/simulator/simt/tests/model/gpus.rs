//! The descriptions that come with the crate, and what is said of bad ones.

use simt::Coalescing;
use simt::model::{Attributes, Gpu, GpuError};
use std::path::Path;

const MINE: &str = "name = \"Mine\"\ncapability = \"8.6\"\n[chip]\nmultiprocessors = [10, \"x\"]\n\
                    clock_mhz = [1000, \"x\"]\ndram_gb_per_s = [100, \"x\"]\nl2_bytes = [0, \"x\"]\n";

fn message(text: &str) -> String {
    Gpu::from_toml("my.toml", text).unwrap_err().to_string()
}

#[test]
fn every_description_reads_and_every_figure_names_a_source() {
    for name in Gpu::names() {
        let gpu = Gpu::named(name).unwrap_or_else(|error| panic!("{error}"));
        for (section, key, figure) in gpu.figures() {
            assert!(figure.source.trim().len() > 2, "{name}: [{section}] {key}");
            assert!(figure.value.is_finite(), "{name}: [{section}] {key}");
        }
    }
}

#[test]
fn every_capability_that_has_data_can_be_chosen() {
    for capability in Gpu::capabilities() {
        assert_eq!(Gpu::named(capability).unwrap().compute_capability, capability);
    }
}

#[test]
fn all_that_the_issue_asks_for_are_there() {
    for name in [
        "Quadro FX 5800",
        "Tesla C2050",
        "GTX 680",
        "V100",
        "T4",
        "A100",
        "RTX 3080",
        "RTX 4090",
        "H100",
        "NVIDIA H200",
        "B200",
    ] {
        assert!(Gpu::named(name).is_ok(), "{name}");
    }
    for capability in [
        "1.3", "2.0", "3.0", "5.0", "6.0", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0",
    ] {
        assert!(Gpu::capabilities().any(|known| known == capability), "{capability}");
    }
}

#[test]
fn known_numbers_of_known_gpus() {
    let h200 = Gpu::named("h200").unwrap();
    assert_eq!(h200.chip.multiprocessors.value, 132.0);
    assert_eq!(h200.limits.warps.value, 64.0);
    assert_eq!(h200.coalescing, Coalescing::Sectors);
    // 132 multiprocessors × 128 lanes × 2 × 1.98 GHz: the 67 TFLOP/s of NVIDIA's data sheet.
    let peak = h200.chip.multiprocessors.value * h200.throughput.fp32.value * 2.0 * 1.98e-3;
    assert!((peak - 67.0).abs() < 0.5, "{peak}");
    // The tutorial's C2050 (slide 49): 1030 GFLOP/s in single precision.
    let c2050 = Gpu::named("c2050").unwrap();
    let peak = c2050.chip.multiprocessors.value * c2050.throughput.fp32.value * 2.0 * 1.15;
    assert!((peak - 1030.0).abs() < 1.0, "{peak}");
    assert_eq!(Gpu::named("1.3").unwrap().coalescing, Coalescing::HalfWarps);
    assert!(!Gpu::named("1.3").unwrap().ieee_division);
}

#[test]
fn machine_code_of_old_architectures_is_turings() {
    assert_eq!(Gpu::named("h200").unwrap().sass_arch(), ("sm_90", true));
    assert_eq!(Gpu::named("b200").unwrap().sass_arch(), ("sm_100", true));
    assert_eq!(Gpu::named("t4").unwrap().sass_arch(), ("sm_75", true));
    assert_eq!(Gpu::named("v100").unwrap().sass_arch(), ("sm_75", false));
}

#[test]
fn an_unknown_name_lists_the_nearest_and_the_way_out() {
    let error = Gpu::named("rtx 3090").unwrap_err().to_string();
    assert!(error.contains("`rtx 3090`") && error.contains("rtx-3080"), "{error}");
    assert!(error.contains("harness gpus"), "{error}");
    assert!(Gpu::named("voodoo2").is_err());
    assert!(Gpu::named("4.2").is_err());
    assert!(Gpu::named("").is_err());
}

#[test]
fn a_file_of_the_users_overrides_its_capability() {
    let gpu = Gpu::from_toml("my.toml", MINE).unwrap();
    assert_eq!(gpu.latency.shared, Gpu::named("8.6").unwrap().latency.shared);
    let gpu = Gpu::from_toml("my.toml", &format!("{MINE}[latency]\nshared = [22.5, \"own\"]\n"));
    let gpu = gpu.unwrap();
    assert_eq!((gpu.latency.shared.value, gpu.latency.shared.source.as_str()), (22.5, "own"));
    assert_eq!(gpu.name, "Mine");
}

#[test]
fn bad_files_are_refused_with_place_value_and_remedy() {
    let missing = message(&MINE.replace("clock_mhz = [1000, \"x\"]\n", ""));
    for part in ["my.toml", "[chip]", "clock_mhz", "add"] {
        assert!(missing.contains(part), "{missing}");
    }
    for (wrong, part) in [
        ("[0, \"x\"]", "is 0;"),
        ("[-5, \"x\"]", "is -5;"),
        ("[nan, \"x\"]", "is NaN;"),
        ("[inf, \"x\"]", "is inf;"),
        ("[\"fast\", \"x\"]", "must be [number"),
        ("\"fast\"", "must be [number"),
        ("1000", "names no source"),
        ("[1000]", "names no source"),
        ("[1000, \" \"]", "names no source"),
    ] {
        let error = message(&MINE.replace("[1000, \"x\"]", wrong));
        assert!(error.contains("my.toml: [chip] clock_mhz") && error.contains(part), "{error}");
    }
    let error = message(&format!("{MINE}[limits]\nwarps = [96, \"x\"]\n"));
    assert!(error.contains("[limits] warps is 96; possible are 1 to 64"), "{error}");
    let error = message(&format!("{MINE}[latency]\nshard = [22, \"x\"]\n"));
    assert!(error.contains("[latency] shard") && error.contains("shared?"), "{error}");
    let error = message(&format!("{MINE}[speed]\nx = [1, \"x\"]\n"));
    assert!(error.contains("my.toml: speed") && error.contains("throughput"), "{error}");
    let error = message(&MINE.replace("8.6", "4.2"));
    assert!(error.contains("my.toml") && error.contains("4.2") && error.contains("8.6"), "{error}");
    let error = message(&MINE.replace("capability = \"8.6\"\n", ""));
    assert!(error.contains("my.toml") && error.contains("capability"), "{error}");
    assert!(message(&MINE.replace("\"8.6\"", "8.6")).contains("quotes"));
    assert!(message(&format!("coalescing = \"magic\"\n{MINE}")).contains("half warps"));
    assert!(message("name = [").contains("my.toml is no TOML"));
    let error = Gpu::read(Path::new("/no/such/file.toml")).unwrap_err();
    assert!(matches!(error, GpuError::Unreadable { .. }), "{error}");
}

#[test]
fn a_device_in_hand_needs_no_file() {
    let device = Attributes {
        name: "Orin".into(),
        compute_capability: (8, 7),
        multiprocessors: 16,
        clock_khz: 1_300_000,
        memory_clock_khz: Some(3_200_000),
        memory_bus_bits: Some(256),
        l2_bytes: Some(4 << 20),
        shared_bytes: Some(164 << 10),
        block_shared_bytes: Some(163 << 10),
        ..Attributes::default()
    };
    let gpu = Gpu::of_device(&device).unwrap();
    assert_eq!((gpu.compute_capability.as_str(), gpu.data_of.as_str()), ("8.7", "8.6"));
    assert_eq!(gpu.sass_arch(), ("sm_86", false));
    assert_eq!(gpu.chip.clock_mhz.value, 1300.0);
    // Both edges of 3.2 GHz on 32 bytes.
    assert!((gpu.chip.dram_gb_per_s.value - 204.8).abs() < 1e-9);
    assert_eq!(gpu.limits.shared_bytes.value, 167_936.0);
    let silent = Attributes { multiprocessors: 0, ..device.clone() };
    let error = Gpu::of_device(&silent).unwrap_err().to_string();
    assert!(error.contains("Orin") && error.contains("multiprocessors = 0"), "{error}");
    let future = Attributes { compute_capability: (13, 0), ..device };
    let error = Gpu::of_device(&future).unwrap_err().to_string();
    assert!(error.contains("Orin") && error.contains("13.0"), "{error}");
}
