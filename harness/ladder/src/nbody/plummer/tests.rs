use super::*;
use crate::nbody::Reference;

fn radius(bodies: &Bodies, i: usize) -> f64 {
    bodies.position_of(i).map(f64::from).iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[test]
fn the_centre_of_mass_rests_at_the_origin() {
    let bodies = plummer(10_000, 1);
    for axes in [&bodies.position, &bodies.velocity] {
        for axis in axes {
            let mean = axis.iter().map(|&x| f64::from(x)).sum::<f64>() / 10_000.0;
            assert!(mean.abs() < 1e-7, "{mean}");
        }
    }
    assert!(bodies.mass.iter().all(|&m| m == 1e-4));
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
        .map(|i| bodies.velocity_of(i).map(f64::from).iter().map(|v| v * v).sum::<f64>())
        .sum::<f64>()
        / (2 * n) as f64;
    assert!((kinetic - 0.25).abs() < 0.01, "kinetic energy {kinetic}");
    let total = Reference::new(&bodies).energy();
    let virial = kinetic / (kinetic - total);
    assert!((virial - 0.5).abs() < 0.02, "virial ratio {virial}");
}

/// Bits of the first bodies, so that any change of the generator, on any system, shows.
#[test]
fn every_system_makes_the_same_cluster() {
    let bodies = plummer(1000, crate::nbody::SEED);
    let mut bits = Vec::new();
    for i in [0, 1, 999] {
        bits.extend(bodies.position_of(i).map(f32::to_bits));
        bits.extend(bodies.velocity_of(i).map(f32::to_bits));
    }
    let expected: [u32; 18] = [
        3179694414, 3197045037, 1047610759, 3196843623, 1051438394, 3201454939, // body 0
        3229773994, 1080585016, 1082311167, 3196443162, 3172673506, 1029740676, // body 1
        3215855742, 1060383309, 1054382126, 3188353297, 1044049497, 1036526376, // body 999
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
