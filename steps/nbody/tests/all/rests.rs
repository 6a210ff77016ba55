//! Tensor cores take halves, so each number is two of them, and the second is what the first lost. Where
//! a second half has the wrong sign, results are off by some 10⁻⁶: that must be found wrong.

use device::{Choice, CodeRoute, Source};
use ladder::Ladder;
use ladder::testing::verify_silently;
use ladder::verify::Failure;
use nbody_ladder::LADDER;
use report::Request;

use super::kernels;

/// Of the second halves in a kernel's code, one in so many is tried.
const EACH: usize = 9;

/// PTX, and the lines that subtract from a number the half that it became.
struct Rests {
    text: String,
    lines: Vec<usize>,
}

impl Rests {
    fn of(source: &Source) -> Rests {
        let text = source.ptx[0].text.clone();
        let (mut halves, mut lines) = (Vec::new(), Vec::new());
        for (number, line) in text.lines().enumerate() {
            match words(line).as_slice() {
                ["cvt.f32.f16", to, _] => halves.push((*to).to_owned()),
                ["sub.ftz.f32", _, _, half] if halves.iter().any(|it| it == half) => {
                    lines.push(number);
                }
                _ => {}
            }
        }
        Rests { text, lines }
    }

    /// The PTX with the other sign of one of them.
    fn flipped(&self, at: usize) -> String {
        let flip = |(number, line): (usize, &str)| match words(line).as_slice() {
            [name, to, whole, half] if number == self.lines[at] => {
                format!("\t{name} {to}, {half}, {whole};\n")
            }
            _ => format!("{line}\n"),
        };
        self.text.lines().enumerate().map(flip).collect()
    }
}

/// An instruction and its operands.
fn words(line: &str) -> Vec<&str> {
    line.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).collect()
}

#[test]
fn a_second_half_of_the_wrong_sign_is_wrong() {
    let mut passed = Vec::new();
    for name in ["16-tensor-sums", "17-tensor-distances", "18-longer-sums", "18x-fixed-point"] {
        let step = LADDER.step(name).expect("a step");
        let source = step.source(&kernels()).expect("its code");
        let rests = Rests::of(&source);
        let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200").expect("it");
        let mut open = LADDER.open(&Request::default()).expect("a problem");
        assert!(rests.lines.len() >= 164, "{name}: of each pair that a lane has, and of moments");
        for at in (0..rests.lines.len()).step_by(EACH) {
            let mut mutant = Source { cuda: None, machine: None, ..source.clone() };
            mutant.ptx.truncate(1);
            mutant.ptx[0].text = rests.flipped(at);
            let mut module = device.load(&mutant).expect("PTX");
            match verify_silently(&mut *device, &mut *open, &step, &mut module) {
                Err(Failure::Wrong(_)) => {}
                other => passed.push(format!("{name}, rest {at}: {other:?}")),
            }
        }
    }
    assert!(passed.is_empty(), "{}", passed.join("\n"));
}
