//! A problem from arrays to arrays, with the kernels of the toy ladder.

use device::texture::{Channel, Filter, Format, Geometry, Sampler, Shape as Extents};
use device::{CodeRoute, Ptx, Shape, Simulation, SimulatorDevice, Source};

use super::*;
use crate::problem::Failed;
use crate::toy;
use crate::verify::evaluate;

#[derive(Default)]
struct Doubling;

/// A step that launches no more blocks than there are multiprocessors. It is only asked for its inputs.
const PLANNED: &str = "planned";

impl Arrays for Doubling {
    type Host = ();

    const SIZES: Sizes = Sizes {
        verified: &[1, 33],
        drawn: &[(40, 50)],
        planned_for_few: &[100],
        repeated: Some(60),
        measured: 1 << 20,
        simulated: 64,
        most: 1 << 21,
    };
    const KINDS: &'static [&'static str] = &["small numbers", "large numbers"];

    fn figure() -> Figure {
        <toy::Toy as Problem>::figure()
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    fn moved(&self, n: u64) -> f64 {
        8.0 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        8 * n
    }

    fn data([n, ..]: Extent, kind: &str, random: &mut Random) -> Data {
        let most = if kind == "large numbers" { u32::MAX / 2 } else { 1000 };
        let elements: Vec<u32> = (0..n).map(|_| random.next_u32() % most).collect();
        let doubles: Vec<u32> = elements.iter().map(|it| 2 * it).collect();
        let data = Data::default().constant("of_other_steps", &[2u32]);
        data.input("from", elements).output("to", doubles, Judge::Exactly)
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let most = if step.name == PLANNED { multiprocessors } else { u32::MAX };
        let launch = Launch::row("twice", (n as u32).div_ceil(32).min(most), 32);
        vec![Call::Launch(launch, vec![(n as i32).into(), "from".into(), "to".into()])]
    }
}

#[test]
fn every_kind_of_data_is_verified_at_every_size() {
    let inputs = Doubling.verification(&toy::PARENT, false, 5);
    let of = |purpose| inputs.iter().filter(move |it| it.purpose == purpose);
    let large = of(Purpose::Verified("large numbers")).filter(|it| it.multiprocessors.is_none());
    let sizes: Vec<u64> = large.map(|it| it.n).collect();
    assert_eq!(sizes[..2], [1, 33]);
    assert!((40..50).contains(&sizes[2]) && sizes.len() == 3, "{sizes:?}");
    assert_eq!(of(Purpose::Repeated("small numbers")).map(|it| it.n).collect::<Vec<_>>(), [60]);
    let few: Vec<_> = inputs.iter().filter_map(|it| it.multiprocessors).collect();
    assert_eq!(few, [1], "nothing is planned, so once is enough");
}

#[test]
fn launches_that_are_planned_are_verified_for_one_and_for_two_multiprocessors() {
    let step = Step { name: PLANNED, ..toy::PARENT };
    let inputs = Doubling.verification(&step, false, 5);
    let few: Vec<_> = inputs.iter().filter_map(|it| it.multiprocessors).collect();
    assert_eq!(few, [1, 2, 1, 2], "both kinds, on each");
}

/// What a pass of the toy's kernels says, which do `instruction` to each element and 2.
fn checked(instruction: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    toy::write_broken(folder.path(), toy::PARENT, instruction);
    let source = toy::PARENT.source(folder.path()).expect("kernels");
    let gpu = simt::model::Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let mut module = device.load(&source).expect("loaded");
    let case = Arc::new(case(&Doubling, 33, "small numbers", 1));
    let mut pass = <Doubling as Problem>::place(&mut device, &toy::PARENT, &mut module, case, 1)
        .expect("placed");
    match evaluate(&mut device, pass.as_mut()) {
        Ok(right) => format!("right, {:?}", right.checked.errors),
        Err(wrong) => format!("{wrong:?}"),
    }
}

#[test]
fn results_are_judged_and_named() {
    assert!(checked("mul.lo.s32").starts_with("right"), "{}", checked("mul.lo.s32"));
    let wrong = checked("add.s32");
    assert!(wrong.contains("\"to\"") && wrong.contains("element 0"), "{wrong}");
}

/// What the bits of all elements add up to.
#[derive(Debug)]
struct SumOfBits(u32);

impl Residues for SumOfBits {
    fn defect(&self, got: &Values, _: Judge) -> Option<String> {
        let Values::F32(got) = got else { return Some("are not floats".to_owned()) };
        let sum: u32 = got.iter().map(|it| it.to_bits()).sum();
        (sum != self.0).then(|| format!("adds up to {sum}, expected {}", self.0))
    }
}

/// What a pass says of which only some results are compared, after `instruction` was done to each element and 2; and of a
/// block alone.
fn sampled(instruction: &str, guard: &str) -> [String; 2] {
    let folder = tempfile::tempdir().expect("a folder");
    toy::write_broken(folder.path(), toy::PARENT, instruction);
    let mut source = toy::PARENT.source(folder.path()).expect("kernels");
    for ptx in &mut source.ptx {
        ptx.text = ptx.text.replacen("st.global", &format!("{guard}st.global"), 1);
    }
    let gpu = simt::model::Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let module = device.load(&source).expect("loaded");
    let elements: Vec<f32> = (0..100).map(f32::from_bits).collect();
    let at = vec![0, 31, 32, 99];
    let expected: Vec<f32> = at.iter().map(|&i| f32::from_bits(2 * i as u32)).collect();
    let data = Data::default()
        .input("from", elements)
        .sampled_output("to", 100, (at, expected), Judge::Exactly)
        .with_residues(Arc::new(SumOfBits(9900)));
    let case = Case::new((100, "some", [100, 1, 1]), data, 1);
    let place = |_: Extent, _: &str, i| format!("element {i}");
    let calls = Doubling::calls(&toy::PARENT, [100, 1, 1], 1);
    let mut pass =
        DeviceArrays::new(&mut device, &module, Arc::new(case), calls, |_, it| it, place)
            .expect("placed");
    let whole = match evaluate(&mut device, &mut pass) {
        Ok(_) => "right".to_owned(),
        Err(wrong) => wrong.to_string(),
    };
    pass.upload(&mut device).expect("inputs");
    device.simulate(Simulation { blocks: Some(vec![1]), ..Simulation::default() });
    pass.run(&mut device).expect("a block");
    device.simulate(Simulation::default());
    let block = match pass.check_blocks(&mut device, &[1]) {
        Ok(()) => "right".to_owned(),
        Err(Failed::Wrong(wrong)) => wrong.to_string(),
        Err(Failed::Device(error)) => error.to_string(),
    };
    [whole, block]
}

#[test]
fn some_results_are_compared_in_their_places_and_all_are_written() {
    assert_eq!(sampled("mul.lo.s32", ""), ["right", "right"]);
    let [whole, block] = sampled("add.s32", "");
    assert!(whole.starts_with("to at n = 100: element 0 got"), "{whole}");
    assert!(block.starts_with("to by block 1 of 4 at n = 100: element 32 got"), "{block}");
    // Element 50, which is not compared, is wrong.
    let guard = ".reg .pred %is50; setp.eq.s32 %is50, %r5, 50; @%is50 add.s32 %r7, %r7, 3; ";
    let [whole, _] = sampled("mul.lo.s32", guard);
    assert!(whole.contains("to adds up to 9903, expected 9900"), "{whole}");
    // It is not written.
    let guard = ".reg .pred %is50; setp.eq.s32 %is50, %r5, 50; @!%is50 ";
    let [whole, block] = sampled("mul.lo.s32", guard);
    assert!(whole.contains("1 of 100 elements of to are not written"), "{whole}");
    assert_eq!(block, "right");
}

#[test]
fn renewed_data_differ() {
    let first = case(&Doubling, 33, "small numbers", 1);
    let other = <Doubling as Problem>::renewed(&first, 9).expect("other data");
    assert_eq!((other.n, other.extent), (first.n, first.extent));
    let values = |case: &Case| match &case.data.arrays[0].role {
        Role::Input(values) => values.clone(),
        _ => panic!("the first array is an input"),
    };
    assert_ne!(values(&other), values(&first));
}

#[test]
fn a_block_is_whole_warps_where_kernels_state_it() {
    let stated = Step { threads: Threads::Blocks { block: 64, stated: true }, ..toy::PARENT };
    let refused = BlockError::Multiple { block: 40, multiple: 32 };
    assert_eq!(whole_warps(&stated, 40).expect_err("refused"), refused);
    assert_eq!(whole_warps(&stated, 96).expect("whole").threads.block(), Some(96));
    assert_eq!(whole_warps(&toy::PARENT, 40).expect("any").threads.block(), Some(40));
}

/// What a pass with the kernels of the device's own tests of textures says.
fn with_texels(n: u64, data: Data, calls: Vec<Call>) -> String {
    let text = include_str!("../../../device/tests/textures/textures.ptx").to_owned();
    let source = Source {
        name: "textures".to_owned(),
        file: "textures.cu".to_owned(),
        ptx: vec![Ptx { file: "textures.ptx".to_owned(), text }],
        ..Source::default()
    };
    let gpu = simt::model::Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let module = device.load(&source).expect("loaded");
    let case = Arc::new(Case::new((n, "texels", [n, 1, 1]), data, 7));
    let place = |_: Extent, _: &str, i| format!("element {i}");
    let mut pass = DeviceArrays::new(&mut device, &module, case, calls, |_, stated| stated, place)
        .expect("placed");
    match evaluate(&mut device, &mut pass) {
        Ok(right) => format!("right, {:?}", right.checked.errors),
        Err(wrong) => format!("{wrong:?}"),
    }
}

const WORD: Format = Format { channel: Channel::Unsigned, bits: 32, components: 1 };
const FOUR_FLOATS: Format = Format { components: 4, ..Format::F32 };

#[test]
fn surfaces_are_read_written_and_judged() {
    let shape = Extents { geometry: Geometry::Plane, extent: [4, 2, 1], format: WORD };
    let texels = Texels::Array(shape, Sampler::default());
    let turned = |expected: Vec<u32>| {
        let data = Data::default()
            .input("from", (0..8u32).collect::<Vec<_>>())
            .as_texels(texels)
            .output("to", expected, Judge::Exactly)
            .as_texels(texels);
        let given = vec![
            KernelArgument::Surface("from"),
            KernelArgument::Surface("to"),
            4.into(),
            2.into(),
        ];
        let launch = Launch { kernel: "turn", shape: Shape::new([1, 1], [8, 8]) };
        with_texels(8, data, vec![Call::Launch(launch, given)])
    };
    assert!(turned(vec![5, 6, 7, 8, 1, 2, 3, 4]).starts_with("right"));
    let wrong = turned(vec![5, 6, 7, 9, 1, 2, 3, 4]);
    assert!(wrong.contains("element 3") && wrong.contains("\"to\""), "{wrong}");
}

#[test]
fn textures_are_sampled_in_arrays_and_in_linear_memory() {
    let texels: Vec<f32> = (0..8u16).map(f32::from).collect();
    let shape = Extents { geometry: Geometry::Row, extent: [2, 1, 1], format: FOUR_FLOATS };
    let linear = Sampler { filter: Filter::Linear, ..Sampler::default() };
    let sampled = |kernel, expected: Vec<f32>| {
        let data = Data::default()
            .input("array", texels.clone())
            .as_texels(Texels::Array(shape, linear))
            .input("linear", texels.clone())
            .as_texels(Texels::Linear(FOUR_FLOATS))
            .input("at", vec![1.0f32, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0])
            .output("out", expected, Judge::Exactly);
        let texture = KernelArgument::Texture(if kernel == "fetch" { "linear" } else { "array" });
        let given = vec![2.into(), texture, "at".into(), "out".into()];
        with_texels(2, data, vec![Call::Launch(Launch::row(kernel, 1, 32), given)])
    };
    assert!(sampled("fetch", texels.clone()).starts_with("right"));
    let between = vec![2.0, 3.0, 4.0, 5.0, 4.0, 5.0, 6.0, 7.0];
    let found = sampled("sample1", between);
    assert!(found.starts_with("right"), "{found}");
    assert!(sampled("sample1", texels.clone()).contains("element 0"));
}

#[test]
#[should_panic(expected = "the texels `in` have no address")]
fn an_array_of_texels_has_no_address() {
    let shape = Extents { geometry: Geometry::Row, extent: [2, 1, 1], format: WORD };
    let data = Data::default()
        .input("in", vec![1u32, 2])
        .as_texels(Texels::Array(shape, Sampler::default()))
        .output("out", vec![1u32, 2], Judge::Exactly);
    let given = vec![0.into(), "in".into(), "out".into(), "in".into()];
    with_texels(2, data, vec![Call::Launch(Launch::row("fetch", 1, 32), given)]);
}
