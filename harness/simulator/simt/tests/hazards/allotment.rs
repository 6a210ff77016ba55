//! Registers that warps give and take (PTX ISA, "setmaxnreg").

use std::sync::Arc;

use simt::{FaultKind, Launch, Module, Simulator, Watch};

/// The hazards of three warpgroups, of which the first gives registers and the others take some.
fn told(limit: &str, gives: u32, takes: u32) -> Vec<simt::Fault> {
    let text = format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry test() {limit}\n{{\n.reg .pred %p<2>;\n\
         .reg .b32 %r<2>;\nmov.u32 %r0, %tid.x;\nsetp.ge.u32 %p0, %r0, 128;\n@%p0 bra TAKES;\n\
         setmaxnreg.dec.sync.aligned.u32 {gives};\nret;\nTAKES:\nsetmaxnreg.inc.sync.aligned.u32 {takes};\nret;\n}}\n"
    );
    let module = Arc::new(Module::parse("test.ptx", &text).expect("valid PTX"));
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(module).expect("enough memory");
    let watch = Watch { hazards: true, ..Watch::default() };
    let launch = Launch::new([2, 1, 1], [384, 1, 1]);
    simulator.launch(&loaded, "test", &launch, &watch).expect("it runs").hazards
}

#[test]
fn warps_take_what_others_give() {
    // 168 registers for each of 384 threads.
    let limit = ".maxntid 384, 1, 1 .minnctapersm 1";
    assert_eq!(told(limit, 40, 232), []);
    let found = told(limit, 48, 232);
    let [fault] = &found[..] else { panic!("{found:?}") };
    let FaultKind::Registers { asked, has } = fault.kind else { panic!("{fault}") };
    assert_eq!((asked, has), (128 * 48 + 256 * 232, 384 * 168));
    // Without a limit it is not known how many there are.
    assert_eq!(told("", 48, 232), []);
}
