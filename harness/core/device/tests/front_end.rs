//! CUDA C++ by clang's front end alone, where a clang is found (skipped aloud elsewhere).

use std::fs;

use device::{Argument, CodeRoute, Device, Shape, SimulatorDevice, Source};
use toolchain::clang::{self, Clang};

#[test]
fn a_front_end_is_enough_where_the_crate_ir_makes_the_ptx() {
    let Some(clang) = clang::installed().first().map(Clang::front_end) else {
        return println!("SKIPPED: no clang was found; get one: {}", clang::INSTALL);
    };
    let text = "extern \"C\" __global__ void k(float* x) {\n    x[threadIdx.x] = powf(x[threadIdx.x], 2.5f);\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.cu");
    fs::write(&file, text).expect("a file");
    let source = Source::from_file(&file, &[]).expect("it is read");
    let made = toolchain::ptx::generate(&source, &clang, "compute_80").expect("PTX");
    assert!(made.contains("and the crate ir") && made.contains(".target sm_80"), "{made}");
    let ptx = vec![device::Ptx { file: "k.ptx".to_string(), text: made }];
    let source = Source { cuda: None, ptx, ..source };
    let gpu = device::described("h200").expect("a GPU that is known");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let module = device.load(&source).expect("valid PTX");
    let x = device.alloc("x", 128).expect("memory");
    let values: Vec<f32> = (0..32).map(|i| 0.25 * i as f32).collect();
    device.upload(&x, bytemuck::cast_slice(&values)).expect("a copy");
    device.launch(&module, "k", Shape::row(1, 32), &[Argument::from(&x)]).expect("it runs");
    let results = (&mut device as &mut dyn Device).read::<f32>(&x).expect("results");
    for (value, result) in values.into_iter().zip(results) {
        let exact = f64::from(value).powf(2.5);
        assert!((f64::from(result) - exact).abs() <= 1e-6 * exact, "{value}: {result}");
    }
}
