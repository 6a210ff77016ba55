//! Which code is chosen, with and without compilers.

use super::*;
use crate::ptx::{Header, digest, options};

const HOPPER: Reader = Reader::Gpu { capability: (9, 0), cuda: (13, 0) };

const NONE: Compilers = Compilers { nvrtc: || &[], clang: || &[] };

const NEVER: Compilers = Compilers {
    nvrtc: || panic!("no compiler should have been looked for"),
    clang: || panic!("no compiler should have been looked for"),
};

const ROUTES: [CodeRoute; 4] = [
    CodeRoute::Auto,
    CodeRoute::Compiled(Some(Maker::Nvrtc)),
    CodeRoute::Compiled(Some(Maker::Clang)),
    CodeRoute::Committed,
];

/// A source with PTX for each target, made from it.
fn source(targets: &[(&str, &str)]) -> Source {
    let mut source = Source {
        name: "toy/01".to_string(),
        file: "kernels/toy/01.cu".to_string(),
        cuda: Some("source".to_string()),
        cuda_name: "/kernels/toy/01.cu".to_string(),
        needs: (5, 0),
        ..Source::default()
    };
    for (target, version) in targets {
        let options = options(&source, &format!("compute_{target}"));
        let header = Header {
            digest: digest("NVRTC 1.2.3", &options, "source"),
            source: "kernels/toy/01.cu".to_string(),
            options,
            compiler: "NVRTC 1.2.3".to_string(),
        };
        source.ptx.push(Ptx {
            file: format!("01.{target}.ptx"),
            text: format!("{header}.version {version}\n.target sm_{target}\n"),
        });
    }
    source
}

#[test]
fn the_simulator_runs_what_is_committed_without_a_compiler() {
    let source = source(&[("50", "7.8"), ("90", "8.4")]);
    let code = choose(&source, CodeRoute::Auto, Reader::Simulator, NEVER).unwrap();
    assert_eq!(code.file, "01.50.ptx");
    assert_eq!(code.says, "committed PTX 7.8 (compute_50)");
    assert!(code.cubin.is_none());
}

#[test]
fn a_gpu_without_a_compiler_runs_the_newest_that_is_committed() {
    let source = source(&[("50", "7.8"), ("90", "8.4")]);
    let code = choose(&source, CodeRoute::Auto, HOPPER, NONE).unwrap();
    assert_eq!(code.says, "committed PTX 8.4 (compute_90)");
    choose(&source, CodeRoute::Committed, HOPPER, NEVER).unwrap();
}

#[test]
fn an_edited_source_is_skipped_and_never_replaced() {
    let mut source = source(&[("50", "7.8")]);
    source.cuda = Some("edited".to_string());
    for reader in [Reader::Simulator, HOPPER] {
        for route in ROUTES {
            let error = choose(&source, route, reader, NONE).unwrap_err();
            let Error::Skipped { reason, remedy } = error else {
                panic!("{route}: {error}");
            };
            assert!(reason.contains("01.50.ptx"), "{reason}");
            let expected = match route {
                CodeRoute::Committed => "ptx --write",
                _ => "pip install",
            };
            assert!(remedy.contains(expected), "{remedy}");
        }
    }
}

#[test]
fn one_stale_file_leaves_the_others() {
    let mut source = source(&[("50", "7.8"), ("90", "8.4")]);
    source.ptx[1].text = source.ptx[1].text.replace("compute_90", "compute_89");
    let code = choose(&source, CodeRoute::Auto, HOPPER, NONE).unwrap();
    assert_eq!(code.file, "01.50.ptx");
}

#[test]
fn a_readers_own_ptx_needs_no_digest() {
    let mut source = source(&[]);
    source.cuda = None;
    source.ptx.push(Ptx {
        file: "mine.ptx".to_string(),
        text: ".version 8.0\n.target sm_80\n".to_string(),
    });
    let code = choose(&source, CodeRoute::Auto, Reader::Simulator, NEVER).unwrap();
    assert_eq!(code.says, "PTX 8.0 (compute_80)");
    let error = choose(&source, CodeRoute::Compiled(None), Reader::Simulator, NEVER).unwrap_err();
    assert!(error.is_skipped(), "{error}");
}

#[test]
fn a_gpu_without_the_instructions_is_told_so_and_the_simulator_is_not() {
    let mut source = source(&[("80", "7.8")]);
    source.needs = (8, 0);
    for route in ROUTES {
        let turing = Reader::Gpu { capability: (7, 5), cuda: (13, 0) };
        let Error::Skipped { reason, remedy } = choose(&source, route, turing, NEVER).unwrap_err()
        else {
            panic!("{route}: no skip");
        };
        assert!(reason.contains("8.0") && reason.contains("7.5"), "{reason}");
        assert!(remedy.contains("--device simt"), "{remedy}");
    }
    let ampere = Reader::Gpu { capability: (8, 0), cuda: (12, 0) };
    for reader in [ampere, HOPPER, Reader::Simulator] {
        let code = choose(&source, CodeRoute::Committed, reader, NEVER).unwrap();
        assert_eq!(code.says, "committed PTX 7.8 (compute_80)");
    }
}

#[test]
fn a_readers_code_for_the_simulator_is_todays() {
    let mut source = source(&[]);
    assert_eq!(least(&source, Reader::Simulator), (5, 0));
    source.is_readers = true;
    assert_eq!((least(&source, Reader::Simulator), least(&source, HOPPER)), ((7, 0), (5, 0)));
    source.needs = (8, 0);
    assert_eq!(least(&source, Reader::Simulator), (8, 0));
}

#[test]
fn a_route_forced_to_a_compiler_does_not_fall_back() {
    let source = source(&[("50", "7.8")]);
    let error = choose(&source, CodeRoute::Compiled(None), HOPPER, NONE).unwrap_err();
    assert!(error.is_skipped(), "{error}");
}
