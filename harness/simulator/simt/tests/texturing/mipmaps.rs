//! Levels of detail.

use super::*;

const LEVEL: &str = "tex.level.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}], %c2;";

/// An array of 8 by 4 texels with four levels, whose texels are ten times their level, and 1 more in the right half.
fn steps(bench: &Bench) -> Array {
    let shape = Shape { geometry: Geometry::Plane, extent: [8, 4, 1], format: Format::F32 };
    let mipmap = bench.simulator.alloc_mipmap("m", shape, 4).unwrap();
    for number in 0..4 {
        let level = mipmap.level(number).unwrap();
        let [width, height, depth] = level.shape().extent;
        assert_eq!([width, height, depth], [8 >> number, (4 >> number).max(1), 1]);
        let texel = |k: u32| (10 * number + u32::from(k % width >= width.div_ceil(2))) as f32;
        let texels = bytes_of((0..width * height).map(texel));
        bench.simulator.write_array(&level, [0; 3], level.shape().extent, &texels).unwrap();
    }
    assert_eq!((mipmap.levels(), mipmap.level(4)), (4, None));
    mipmap
}

const NORMALISED: Sampler = Sampler { normalised: true, levels: [0.0, 9.0], ..CLAMPED };

fn details(bench: &Bench, sampler: Sampler, details: &[f32]) -> Vec<f32> {
    let object = bench.texture(steps(bench), sampler);
    let at: Vec<[f32; 3]> = details.iter().map(|&detail| [0.75, 0.5, detail]).collect();
    bench.floats(object, &at)
}

#[test]
fn the_nearest_level_or_two_of_them_are_sampled() {
    let bench = Bench::new(LEVEL);
    let at = [-1.0, 0.0, 0.49, 0.51, 1.25, 2.0, 2.75, 7.0];
    let near = details(&bench, NORMALISED, &at);
    assert_eq!(near, [1., 1., 1., 11., 11., 21., 30., 30.]);
    let both = Sampler { mip_filter: Filter::Linear, ..NORMALISED };
    let found = details(&bench, both, &[0.0, 0.25, 0.5, 1.75, 2.5, 9.0]);
    assert_eq!(found, [1., 3.5, 6., 18.5, 25.5, 30.]);
    // As an H200: what is finer than 1/256 of a level is cut off.
    assert_eq!(
        details(&bench, both, &[1.0 + 15.0 / 4096.0, 1.0 + 16.0 / 4096.0]),
        [11., 11. + 10. / 256.]
    );
}

#[test]
fn a_bias_and_bounds_move_the_level() {
    let bench = Bench::new(LEVEL);
    let biased = Sampler { bias: 0.75, ..NORMALISED };
    assert_eq!(details(&bench, biased, &[0.0, 1.0, -3.0]), [11., 21., 1.]);
    let bounded = Sampler { levels: [1.0, 2.0], ..NORMALISED };
    assert_eq!(details(&bench, bounded, &[0.0, 1.0, 3.0]), [11., 11., 21.]);
}

#[test]
fn gradients_choose_the_level_at_which_the_longer_one_is_a_texel() {
    // The gradient in x is (c2, 0), that in y (0, c3).
    let bench = Bench::new(
        ".reg .b32 %zero; mov.b32 %zero, 0;\n\
         tex.grad.2d.v4.f32.f32 {%o0, %o1, %o2, %o3}, [%object, {%c0, %c1}], {%c2, %zero}, {%zero, %c3};",
    );
    let object = bench.texture(steps(&bench), NORMALISED);
    let of = |x: f32, y: f32| [0.75f32, 0.5, x, y].map(f32::to_bits);
    // A texel of level 0 is an eighth of the width, a quarter of the height.
    let gradients = [(0.125, 0.0), (0.25, 0.25), (0.0, 0.5), (0.5, 0.25), (0.0, 1.0), (0.0, 0.0)];
    let words: Vec<[u32; 4]> = gradients.iter().map(|&(x, y)| of(x, y)).collect();
    let found: Vec<f32> =
        bench.run(object, &words).iter().map(|it| f32::from_bits(it[0])).collect();
    assert_eq!(found, [1., 11., 11., 21., 21., 1.]);
}

#[test]
fn a_sample_without_a_level_is_of_level_0_and_levels_are_counted() {
    let bench = Bench::new(TEX2);
    assert_eq!(details(&bench, NORMALISED, &[3.0]), [1.]);
    // An H200 adds the bias where there is a level of detail, and bounds all.
    assert_eq!(details(&bench, Sampler { bias: 2.0, ..NORMALISED }, &[0.0]), [1.]);
    assert_eq!(details(&bench, Sampler { levels: [1.6, 9.0], ..NORMALISED }, &[0.0]), [21.]);
    let bench =
        Bench::new("txq.num_mipmap_levels.b32 %o0, [%object]; txq.width.b32 %o1, [%object];");
    let object = bench.texture(steps(&bench), NORMALISED);
    assert_eq!(bench.run(object, &[[0; 4]])[0][..2], [4, 8]);
}

#[test]
fn more_levels_than_there_can_be_are_refused() {
    let simulator = Simulator::new(1 << 20);
    let shape = Shape { geometry: Geometry::Space, extent: [5, 16, 1], format: Format::F32 };
    assert_eq!(simulator.alloc_mipmap("m", shape, 5).unwrap().levels(), 5);
    let error = simulator.alloc_mipmap("m", shape, 6).unwrap_err().to_string();
    assert_eq!(error, "an array of this extent has 1 to 5 levels of detail, not 6");
    assert!(simulator.alloc_mipmap("m", shape, 0).is_err());
}
