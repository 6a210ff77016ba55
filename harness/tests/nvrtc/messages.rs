//! What a reader sees of mistakes in a `.cu`, one save after the other.

use std::fs;
use std::path::Path;

use super::watching::Watching;

/// A mistake in step 06, and what the verdict on it must say.
const MISTAKES: [(&str, &str, &[&str]); 9] = [
    ("ay += dy * scale;", "ay += dy * scale", &["mine.cu:41:33", "a `;` is missing here"]),
    ("j2++, j++) {", "j2++, j++ {", &["expected a \")\"", "mine.cu:32:"]),
    ("dsq + epssq", "dsq + epsq", &["mine.cu:38:49", "^^^^", "did you mean `epssq`?"]),
    ("void force(", "void forces(", &["has no kernel `force`", "mine.cu:12:28"]),
    (
        "int step)",
        "int step, int more)",
        &["kernel `force`", "mine.cu:12:28", "06-shared-blocking.cu:12:28"],
    ),
    (
        "dtime, dthf, epssq;",
        "dtime, dthf, eps; const float epssq = 1;",
        &["mine.cu:7:1", "`eps`, which stays 0"],
    ),
    ("j1 + tid < n", "j1 + tid <= n", &["out of bounds", "mine.cu:25:26", "`mass`"]),
    (
        "        __syncthreads(); // the tile is complete",
        "        if (i < n) __syncthreads();",
        &["barrier in divergent code", "mine.cu:30:9"],
    ),
    (
        "dinv * dinv * dinv",
        "dinv * dinv",
        &["wrong accelerations", "mine.cu:39:17", "got:", "expected:"],
    ),
];

#[test]
fn mistakes_are_shown_where_they_are_and_a_right_kernel_against_its_original() {
    if toolchain::nvrtc::installed().is_empty() {
        return println!("SKIPPED: no NVRTC here; {}", toolchain::nvrtc::INSTALL);
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kernels/nbody/06-shared-blocking.cu");
    let own = fs::read_to_string(own).expect("a kernel");
    let wrong = MISTAKES.map(|(from, to, words)| {
        assert_eq!(own.matches(from).count(), 1, "{from}");
        (own.replace(from, to), words)
    });
    let mut watching = Watching::begin(crate::program(), "mine.cu", &wrong[0].0);
    for (index, (text, words)) in wrong.iter().enumerate() {
        if index > 0 {
            watching.save(text);
        }
        let verdict = watching.verdict();
        assert!(verdict.contains("error: "), "{verdict}");
        for word in *words {
            assert!(verdict.contains(word), "no {word:?} in: {verdict}");
        }
        assert!(!verdict.contains("/kernels/mine.cu"), "{verdict}");
    }
    watching.save(&own.replace("for (int j2", "#pragma unroll 8\n        for (int j2"));
    let right = watching.verdict();
    for word in ["correct at every size", "1.0", "against 06-shared-blocking (modelled", "branches"]
    {
        assert!(right.contains(word), "no {word:?} in: {right}");
    }
    assert_eq!(watching.interrupt(), Some(0));
}
