use super::*;
use crate::DTIME;

fn bodies(list: &[(f32, [f32; 3], [f32; 3])]) -> Bodies {
    let mut bodies = Bodies::default();
    list.iter().for_each(|&(mass, position, velocity)| bodies.push(mass, position, velocity));
    bodies
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// By hand: masses 2 and 3 at distance 1 pull with 3 and 2 over (1 + ε²)^(3/2).
#[test]
fn two_bodies_pull_by_hand() {
    let two = bodies(&[(2.0, [0.0; 3], [0.0; 3]), (3.0, [1.0, 0.0, 0.0], [0.0; 3])]);
    let a = Reference::new(&two).accelerations(&[0, 1]);
    // 1.0025^1.5 by long multiplication: 1.0025 × 1.00124922…
    let soft = 1.003_752_342_038_086;
    close(a[0][0], 3.0 / soft, 1e-8);
    close(a[1][0], -2.0 / soft, 1e-8);
    assert_eq!([a[0][1], a[0][2], a[1][1], a[1][2]], [0.0; 4]);
}

/// By hand: at the right angle of a 3-4-5 triangle, the masses 9 and 16 pull along the two legs.
#[test]
fn three_bodies_pull_by_hand() {
    let three = bodies(&[
        (1.0, [0.0; 3], [0.0; 3]),
        (9.0, [0.0, 3.0, 0.0], [0.0; 3]),
        (16.0, [0.0, 0.0, 4.0], [0.0; 3]),
    ]);
    let reference = Reference::new(&three);
    let a = reference.accelerations(&[0])[0];
    // 9·3/(9.0025)^1.5 and 16·4/(16.0025)^1.5, which are just under 1.
    assert_eq!(a[0], 0.0);
    close(a[1], 1.0 - 1.5 * 0.0025 / 9.0, 1e-6);
    close(a[2], 1.0 - 1.5 * 0.0025 / 16.0, 1e-6);
    // −(1·9/3 + 1·16/4 + 9·16/5); softening takes ε²/2d² of each: 0.000417, 0.000313, 0.00144.
    close(reference.energy(), -35.8 + 0.002_169, 1e-5);
}

#[test]
fn a_body_alone_and_bodies_in_one_place_feel_nothing() {
    let alone = bodies(&[(5.0, [1.0, 2.0, 3.0], [0.0; 3])]);
    assert_eq!(Reference::new(&alone).accelerations(&[0]), [[0.0; 3]]);
    let stacked = bodies(&[(5.0, [1.0, 2.0, 3.0], [0.0; 3]); 6]);
    assert_eq!(Reference::new(&stacked).accelerations(&[5]), [[0.0; 3]]);
}

/// Two bodies on a circle: with ω² = M/(d² + ε²)^(3/2) their distance stays, and the method's
/// error after a fixed time falls with the square of the step; here the step is 2.5% and the orbit
/// is slow, so a tenth of a turn is followed closely.
#[test]
fn two_bodies_stay_on_their_circle() {
    let speed = (1.0 / 1.003_752_342_038_086_f64).sqrt() / 2.0;
    let pair = bodies(&[
        (0.5, [-0.5, 0.0, 0.0], [0.0, -speed as f32, 0.0]),
        (0.5, [0.5, 0.0, 0.0], [0.0, speed as f32, 0.0]),
    ]);
    let start = Reference::new(&pair);
    let end = start.clone().after(25);
    let [position, velocity, _] = end.state();
    let angle = 25.0 * f64::from(DTIME) * 2.0 * speed;
    close(position[1][0], 0.5 * angle.cos(), 5e-5);
    close(position[1][1], 0.5 * angle.sin(), 5e-5);
    close(velocity[1][0], -speed * angle.sin(), 5e-5);
    close(velocity[1][1], speed * angle.cos(), 5e-5);
    close(end.energy(), start.energy(), 1e-6);
    let (momentum, scale) = end.momentum();
    assert!(momentum.iter().all(|p| p.abs() < 1e-15), "{momentum:?}");
    close(scale, speed, 1e-4);
}

/// Without the correction in `force` the velocities would be off by a first-order error.
#[test]
fn a_constant_pull_moves_a_body_as_a_thrown_stone() {
    // A mass of 1e6 at distance 1000 pulls a light body with almost exactly 1.
    let stone = bodies(&[(1e-9, [0.0; 3], [0.0; 3]), (1e6, [1000.0, 0.0, 0.0], [0.0; 3])]);
    let [position, velocity, _] = Reference::new(&stone).after(8).state();
    let time = 8.0 * f64::from(DTIME);
    close(velocity[0][0], time, 1e-4);
    close(position[0][0], 0.5 * time * time, 1e-5);
}
