use super::*;
use crate::Reference;

fn radius(bodies: &Bodies, i: usize) -> f64 {
    bodies.position_of(i).map(f64::from).iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn the_centre_of_mass_rests_at_the_origin() {
    let bodies = plummer(10_000, 1);
    for axes in [&bodies.position, &bodies.velocity] {
        for axis in axes {
            let weighted =
                axis.iter().zip(&bodies.mass).map(|(&x, &m)| f64::from(x) * f64::from(m));
            let mean = weighted.sum::<f64>();
            assert!(mean.abs() < 1e-7, "{mean}");
        }
    }
}

#[test]
fn masses_are_uniform_around_their_mean() {
    let bodies = plummer(10_000, 1);
    let masses: Vec<f64> = bodies.mass.iter().map(|&m| f64::from(m) * 10_000.0).collect();
    let mean = masses.iter().sum::<f64>() / 10_000.0;
    assert!((mean - 1.0).abs() < 1e-7, "{mean}");
    assert!(masses.iter().all(|m| (0.49..1.51).contains(m)));
    // The variance of a uniform share of width 1 is 1/12.
    let variance = masses.iter().map(|m| (m - mean) * (m - mean)).sum::<f64>() / 10_000.0;
    assert!((variance * 12.0 - 1.0).abs() < 0.05, "{variance}");
}

/// Of Plummer's model, half the mass lies within 1.3048 scale lengths and a quarter within 0.8096
/// (r³/(1 + r²)^(3/2) = 0.5 and 0.25); the scale length is 3π/16 in standard units.
#[test]
fn mass_is_spread_as_in_the_model() {
    let n = 40_000;
    let bodies = plummer(n, 2);
    let mut radii: Vec<f64> = (0..n).map(|i| radius(&bodies, i)).collect();
    radii.sort_by(f64::total_cmp);
    // 0.1% of the mass is left out, and 40 000 bodies scatter by about 0.5%.
    assert!((radii[n / 2] / (1.3048 * 0.589_048_6) - 1.0).abs() < 0.02, "{}", radii[n / 2]);
    assert!((radii[n / 4] / (0.8096 * 0.589_048_6) - 1.0).abs() < 0.02, "{}", radii[n / 4]);
}

/// In standard units the kinetic energy is 1/4 and the total −1/4, so that the cluster neither
/// falls together nor flies apart.
#[test]
fn the_cluster_is_in_equilibrium() {
    let n = 8192;
    let bodies = plummer(n, 3);
    let kinetic: f64 = (0..n)
        .map(|i| {
            let squares = bodies.velocity_of(i).map(f64::from).map(|v| v * v);
            f64::from(bodies.mass[i]) * squares.iter().sum::<f64>() / 2.0
        })
        .sum();
    assert!((kinetic - 0.25).abs() < 0.01, "kinetic energy {kinetic}");
    let total = Reference::new(&bodies).energy();
    let virial = kinetic / (kinetic - total);
    assert!((virial - 0.5).abs() < 0.02, "virial ratio {virial}");
}

/// Bits of the first bodies, so that any change of the generator, on any system, shows.
#[test]
fn every_system_makes_the_same_cluster() {
    let bodies = plummer(1000, crate::SEED);
    let mut bits = Vec::new();
    for i in [0, 1, 999] {
        bits.push(bodies.mass[i].to_bits());
        bits.extend(bodies.position_of(i).map(f32::to_bits));
        bits.extend(bodies.velocity_of(i).map(f32::to_bits));
    }
    let expected: [u32; 21] = [
        984360089, 3177950855, 3197372137, 1046619734, 3196898969, 1051456363,
        3201367128, // body 0
        981948952, 3229757154, 1080544128, 1082280197, 3196498508, 3172529749,
        1030443164, // body 1
        985637836, 3215788382, 1060219759, 1053886613, 3188463989, 1044085437,
        1036877619, // body 999
    ];
    assert_eq!(bits, expected);
    assert_ne!(plummer(4, 1), plummer(4, 2));
}

#[test]
fn small_clusters_exist() {
    assert!(plummer(0, 1).is_empty());
    let one = plummer(1, 1);
    assert_eq!((one.mass[0], one.position_of(0), one.velocity_of(0)), (1.0, [0.0; 3], [0.0; 3]));
}
