//! The tutorial says of this step that `-ftz=true` suffices. It does: the PTX is the same.

use ladder::workspace;
use nbody_10_fast_math::STEP;
use toolchain::nvrtc;

#[test]
fn flushing_subnormals_alone_gives_the_same_ptx() {
    let Some(nvrtc) = nvrtc::installed().first() else {
        println!(
            "skipped: no NVRTC is found here; `cargo run -p harness -- doctor` says how to get it"
        );
        return;
    };
    let kernels = workspace::root().unwrap().join("kernels/nbody");
    let source = STEP.source(&kernels).unwrap();
    let target = format!("--gpu-architecture=compute_{}", nvrtc.architectures()[0]);
    let compile = |option: Option<&str>| {
        let options =
            [target.as_str()].into_iter().chain(option).map(str::to_owned).collect::<Vec<_>>();
        nvrtc.compile(&source.cuda_name, source.cuda.as_deref().unwrap(), &options).unwrap().ptx
    };
    let fast_math = compile(Some("--use_fast_math"));
    assert_eq!(fast_math, compile(Some("--ftz=true")));
    assert_ne!(fast_math, compile(None), "fast math changes something");
}
