//! `explain` and `gpus`, as a user runs them.

use std::fs;
use std::process::Output;

use serde_json::Value;

fn harness(arguments: &[&str]) -> Output {
    let mut command = crate::program();
    command.args(arguments).env("COLUMNS", "100").output().expect("it runs")
}

fn text(arguments: &[&str]) -> String {
    let output = harness(arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn blocking_saves_requests_and_the_numbers_are_exact() {
    let json = text(&["explain", "06", "--size", "4096", "--format", "json"]);
    let explained: Value = serde_json::from_str(&json).expect("JSON");
    let total = |side: &str, name: &str| explained[side]["launch"]["total"][name].as_u64();
    let (n, warps) = (4096, 4096 / 32);
    // Beside the loop each warp loads 3 positions, 3 velocities and 3 old accelerations, and stores 3
    // velocities and 3 accelerations: 15 requests of 4 sectors.
    let (beside, sectors_beside) = (15, 60);
    // In the loop: mass and position of body j, the same for all lanes, so one sector each.
    assert_eq!(total("before", "global_requests"), Some(warps * (4 * n + beside)));
    assert_eq!(total("before", "global_sectors"), Some(warps * (4 * n + sectors_beside)));
    // Each warp brings 32 bodies of each of the n/256 tiles, by 4 requests of 4 sectors.
    assert_eq!(total("after", "global_requests"), Some(warps * (4 * n / 256 + beside)));
    assert_eq!(total("after", "global_sectors"), Some(warps * (16 * n / 256 + sectors_beside)));
    // It writes them to shared memory and reads every body: no bank conflicts.
    let shared = warps * (4 * n / 256 + 4 * n);
    assert_eq!(total("after", "shared_requests"), Some(shared));
    assert_eq!(total("after", "shared_wavefronts"), Some(shared));
    assert_eq!(total("after", "barriers"), Some(warps * 2 * n / 256));
    let verdict = explained["verdict"].as_str().expect("a verdict");
    assert!(verdict.to_lowercase().contains("global requests fell 208×"), "{verdict}");
}

#[test]
fn everything_is_shown_and_what_changed_most_comes_first() {
    let text = text(&["explain", "rsqrt", "--size", "1k", "--ptx", "--sass"]);
    for words in [
        "05-rsqrt against 04-constant-params",
        "+                 const float dinv = rsqrtf",
        "rsqrt.approx.f32",
        "special function",
        "modelled time",
        "registers of a thread",
        "◀",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(place("division, square root") < place("global requests"), "{text}");
    // The verdict comes first, and says why.
    let words = text.replace('\n', " ");
    let (title, verdict) = words.split_once("  05-rsqrt is modelled at ").expect("the verdict");
    assert!(title.starts_with("05-rsqrt against 04-constant-params:"), "{text}");
    let (_, why) = verdict.split_once(" the speed of 04-constant-params, because ").expect("why");
    assert!(why.contains("bound") && why.find("whose time ") < why.find("Source"), "{text}");
    assert!(!words.contains("faster") && !words.contains("slower"), "{text}");
}

#[test]
fn a_step_that_changes_only_options_or_the_host_says_so() {
    let fast = text(&["explain", "10", "--size", "1k"]);
    assert!(
        fast.contains("the sources are the same") && fast.contains("+ --use_fast_math"),
        "{fast}"
    );
    assert!(fast.contains("o special functions (no FTZ) any more"), "{fast}");
    let many = text(&["explain", "02", "--size", "512"]).replace('\n', " ");
    assert!(many.contains("on the host, threads: 1 block of 1 thread → one per body"), "{many}");
    // In step 02 a lane parts from the others where its own body is left out.
    assert!(many.contains("active lanes rose from 3.1 to 99.8 %"), "{many}");
}

#[test]
fn the_gpu_decides_the_limits() {
    let text = text(&["explain", "06", "--size", "4k", "--gpu", "tesla-c2050"]);
    assert!(text.contains("Tesla C2050") && text.contains("of 48"), "{text}");
}

#[test]
fn a_readers_kernel_is_compared_with_the_step() {
    let kernel = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/nbody/05-rsqrt.ptx");
    let text = text(&["explain", "06", "--kernel", kernel, "--size", "1k"]);
    assert!(text.contains("05-rsqrt.ptx against 06-shared-blocking: your kernel"), "{text}");
    assert!(text.contains("o shared requests any more"), "{text}");
}

#[test]
fn a_timeline_is_drawn() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("06.svg");
    text(&["explain", "06", "--size", "1k", "--trace", &file.display().to_string()]);
    let picture = fs::read_to_string(file).expect("the picture");
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    assert_eq!(picture.matches(">warp 3<").count(), 2, "four warps of both");
    assert_eq!(picture.matches("class=\"bar\"").count(), 1, "the first tile is complete");
    assert!(picture.contains("__syncthreads(); // the tile is complete"), "lines answer the mouse");
}

/// Its blocks read what all blocks of the launch before wrote, so that few of them cannot stand for all.
#[test]
fn a_pass_is_explained_of_which_all_blocks_must_run() {
    let text = text(&["explain", "barnes-hut", "12", "--size", "2048"]);
    assert!(text.contains("force: 16 × 128 threads") && text.contains("n = 2048"), "{text}");
}

#[test]
fn mistakes_are_answered_with_what_would_be_right() {
    for (arguments, code, words) in [
        (&["explain"][..], 2, "STEP"),
        (&["explain", "77"], 2, "01-one-thread"),
        (&["explain", "01"], 2, "--against STEP"),
        (&["explain", "06", "--against", "nope"], 2, "`nope`"),
        (&["explain", "06", "--gpu", "voodoo"], 2, "harness gpus"),
        (&["explain", "06", "--gpu", "absent.toml"], 2, "absent.toml"),
        (&["explain", "06", "--size", "100M"], 2, "the most is"),
        (&["explain", "barnes-hut", "12", "--size", "20k"], 2, "the most is 10000"),
        (&["explain", "06", "--kernel", "absent.cu"], 1, "absent.cu"),
        (&["explain", "06", "--trace", "absent/06.svg"], 1, "06.svg"),
        (&["gpus", "rtx-409"], 2, "rtx-4090"),
    ] {
        let output = harness(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(words) && !error.contains("panicked"), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn gpus_are_listed_with_their_numbers_and_sources() {
    let all = text(&["gpus"]);
    for name in ["quadro-fx-5800", "tesla-c2050", "gtx-680", "v100", "h200", "b200", "rtx-4090"] {
        assert!(all.contains(name), "{name}: {all}");
    }
    // 132 SMs × 128 lanes × 2 operations × 1.98 GHz.
    let h200 = all.lines().find(|line| line.starts_with("h200")).expect("a line");
    assert!(h200.contains("66.9") && h200.contains("132"), "{h200}");
    let one = text(&["gpus", "h200"]);
    assert!(one.contains("CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT") && one.contains("[latency]"));
}
