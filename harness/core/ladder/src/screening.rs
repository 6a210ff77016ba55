//! A search for silent errors of a GPU. Steps run again and again over the same inputs: those that promise the same
//! bits in every run are compared with their first run, bit by bit, the others with the reference.
//!
//! Each block notes its multiprocessor (`%smid`), so that a difference shows where it was computed.

use std::path::Path;
use std::time::{Duration, Instant};

use device::{Conditions, Device, Error, Module, Source};
use report::Request;

use crate::diagnose::{Difference, first_difference};
use crate::ladder::{Ladder, OpenProblem};
use crate::measure::{Target, choose_size, is_modelled};
use crate::problem::{Copied, Failed, Input, Pass, multiprocessors};
use crate::{Step, problem};

/// How long one step runs before another has its turn.
const TURN: Duration = Duration::from_millis(500);

/// The largest size on the simulator, which has no silent errors.
const SIMULATED: u64 = 1000;

/// The variable in which blocks note their multiprocessor, and for how many it has room.
const PLACES: &str = "ladder_multiprocessor_of_block";
const ROOM: u64 = 1 << 16;

/// The result of a screening.
#[derive(Debug, Default)]
pub struct Screening {
    /// Steps that were run.
    pub steps: usize,
    /// Passes of all of them.
    pub passes: u64,
    /// Steps that the device cannot run, and why.
    pub left_out: Vec<String>,
    /// What differed, in words.
    pub found: Vec<String>,
}

/// Screens a device with the steps of some ladders, whose kernels are in these folders, until `is_over`; `tell` hears
/// of each difference at once.
///
/// # Errors
/// The device fails: nothing more can be said of it. A step that it cannot run is left out.
pub fn screen(
    device: &mut dyn Device,
    ladders: &[(&dyn Ladder, &Path)],
    is_over: &dyn Fn() -> bool,
    tell: &mut dyn FnMut(&str),
) -> Result<Screening, Error> {
    let mut screening = Screening::default();
    let mut opened = Vec::new();
    for (ladder, kernels) in ladders.iter().filter(|(ladder, _)| !ladder.is_for_cpu()) {
        // Without options there is nothing that could be impossible in them.
        let Ok(open) = ladder.open(&Request { seed: problem::SEED, ..Request::default() }) else {
            continue;
        };
        let steps = ladder.steps().into_iter();
        let steps = steps.filter(|step| step.elsewhere.is_none() && !step.is_one_gpu_thread());
        let subjects = steps.map(|step| Subject { step, ready: None, is_left_out: false });
        opened.push((open, *kernels, ladder.name(), subjects.collect::<Vec<_>>()));
    }
    while !is_over() {
        let passes = screening.passes;
        for (open, kernels, name, subjects) in &mut opened {
            for subject in subjects.iter_mut().filter(|subject| !subject.is_left_out) {
                if is_over() && screening.passes > 0 {
                    return Ok(screening);
                }
                if subject.ready.is_none() {
                    match Ready::new(device, &mut **open, &subject.step, kernels) {
                        Ok(ready) => subject.ready = Some(ready),
                        Err(error) if error.is_fatal() => return Err(error),
                        Err(error) => {
                            screening
                                .left_out
                                .push(format!("{name}/{}: {error}", subject.step.name));
                            subject.is_left_out = true;
                        }
                    }
                    screening.steps += usize::from(!subject.is_left_out);
                }
                let Some(ready) = &mut subject.ready else { continue };
                let label = format!("{name}/{} at n = {}", subject.step.name, ready.n);
                let mut found = |what: String| {
                    let what = format!("{label}: {what}");
                    tell(&what);
                    screening.found.push(what);
                };
                let step = &subject.step;
                screening.passes += ready.turn(device, &mut **open, step, is_over, &mut found)?;
            }
        }
        if screening.passes == passes {
            break; // no step can be run here
        }
    }
    Ok(screening)
}

/// A step to be run.
struct Subject {
    step: Step,
    ready: Option<Ready>,
    is_left_out: bool,
}

/// A step whose blocks note where they run.
struct Ready {
    n: u64,
    module: Module,
    /// What its first run left.
    first: Option<Vec<Copied>>,
}

impl Ready {
    fn new(
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        step: &Step,
        kernels: &Path,
    ) -> Result<Ready, Error> {
        let mut module = device.load(&noting(step.source(kernels)?))?;
        let most = if is_modelled(device.info()) { SIMULATED } else { u64::MAX };
        let n = open.default_size(step, device.info()).min(most);
        let target = Target { n, asked: true, parent: None };
        let (n, _) = choose_size(device, open, step, &mut module, target, &mut |_| {})?;
        Ok(Ready { n, module, first: None })
    }

    /// Runs the step for a while and says what differs; how many passes it was.
    fn turn(
        &mut self,
        device: &mut dyn Device,
        open: &mut dyn OpenProblem,
        step: &Step,
        is_over: &dyn Fn() -> bool,
        found: &mut dyn FnMut(String),
    ) -> Result<u64, Error> {
        let (began, n) = (Instant::now(), self.n);
        let launches = open.launches(step, n, multiprocessors(device));
        let blocks = match launches.as_slice() {
            [one] => Some(one.blocks()).filter(|&blocks| blocks <= ROOM),
            _ => None,
        };
        let mut passes = 0;
        // One pass at least, so that a short screening has run something.
        while passes == 0 || began.elapsed() < TURN && !is_over() {
            let input = Input::timed(n, problem::SEED);
            let mut pass = open.place(device, step, &mut self.module, input)?;
            let mut odd = None;
            while odd.is_none() && (passes == 0 || began.elapsed() < TURN && !is_over()) {
                odd = one_pass(device, &mut *pass, step.reproducible, &mut self.first)?;
                passes += 1;
            }
            drop(pass);
            let Some((difference, mut what)) = odd else { continue };
            if let Some(difference) = difference {
                let of = difference.of.max(1) as u64;
                let block = blocks.map(|blocks| difference.at as u64 * blocks / of);
                what = format!("this GPU gave two answers to one question: {difference}; {what}");
                if let Some(place) = block.and_then(|block| self.place(device, block)) {
                    what += &format!("; {place}");
                }
            }
            found(what + &state(device.conditions()));
        }
        Ok(passes)
    }

    /// Which multiprocessor ran a block of the latest launch.
    fn place(&self, device: &mut dyn Device, block: u64) -> Option<String> {
        let mut bytes = vec![0; 4 * ROOM as usize];
        device.read_symbol(&self.module, PLACES, &mut bytes).ok()?;
        let word = bytes.chunks_exact(4).nth(usize::try_from(block).ok()?)?;
        let number = u32::from_le_bytes(word.try_into().ok()?);
        Some(format!("block {block}, if blocks write in their order, on multiprocessor {number}"))
    }
}

/// What is odd in the results of a pass: where they differ from those of the first, and what the reference says.
type Odd = (Option<Difference>, String);

/// Runs a pass; what is odd, if anything is. The first keeps its results for the others.
fn one_pass(
    device: &mut dyn Device,
    pass: &mut dyn Pass,
    reproducible: bool,
    first: &mut Option<Vec<Copied>>,
) -> Result<Option<Odd>, Error> {
    pass.upload(device)?;
    pass.run(device)?;
    let copied = if reproducible { pass.download(device)? } else { Vec::new() };
    let difference = first.as_ref().and_then(|first| first_difference(first, &copied));
    if first.is_some() && reproducible && difference.is_none() {
        return Ok(None); // the same bits as what was right
    }
    match pass.check(device) {
        Ok(_) if difference.is_none() => {
            first.get_or_insert(copied);
            Ok(None)
        }
        Ok(_) => Ok(Some((difference, "it is within the tolerance".to_owned()))),
        Err(Failed::Wrong(wrong)) => Ok(Some((difference, format!("it is wrong: {wrong}")))),
        Err(Failed::Device(error)) => Err(error),
    }
}

/// The conditions of the GPU, as far as it tells them.
fn state(conditions: Option<Conditions>) -> String {
    let Some(Conditions { clock_mhz, temperature_c, power_w, .. }) = conditions else {
        return String::new();
    };
    let told = [
        clock_mhz.map(|clock| format!("{clock} MHz")),
        temperature_c.map(|degrees| format!("{degrees} °C")),
        power_w.map(|watts| format!("{watts:.0} W")),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    if told.is_empty() { String::new() } else { format!(" ({})", told.join(", ")) }
}

/// A step's PTX with a note of `%smid` at the beginning of each kernel.
pub fn noting(source: Source) -> Source {
    let mut ptx = source.ptx;
    for file in &mut ptx {
        file.text = note_places(&file.text);
    }
    Source { cuda: None, machine: None, ptx, ..source }
}

fn note_places(ptx: &str) -> String {
    let variable = format!(".visible .global .align 4 .b32 {PLACES}[{ROOM}];\n");
    let note = format!(
        "\t.reg .pred %noted;\n\t.reg .b32 %note<3>;\n\t.reg .b64 %noteat<3>;\n\
         \tmov.u32 %note1, %ctaid.x;\n\tsetp.lt.u32 %noted, %note1, {ROOM};\n\
         \tmov.u32 %note2, %smid;\n\tmov.u64 %noteat1, {PLACES};\n\
         \tmul.wide.u32 %noteat2, %note1, 4;\n\tadd.s64 %noteat1, %noteat1, %noteat2;\n\
         \t@%noted st.global.u32 [%noteat1], %note2;\n"
    );
    let (mut text, mut is_kernel) = (String::new(), false);
    for line in ptx.lines() {
        text += line;
        text.push('\n');
        if line.starts_with(".address_size") {
            text += &variable;
        }
        is_kernel |= line.contains(".entry ");
        if is_kernel && line.trim() == "{" {
            text += &note;
            is_kernel = false;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::clockwork::Clockwork;
    use crate::toy::{self, LADDER};

    /// Screens for so many looks at the clock on a device that changes what is downloaded.
    fn screened(lie: impl FnMut(&str, &mut [u8]) + Send + 'static) -> (Screening, Vec<String>) {
        let kernels = tempfile::tempdir().expect("a temporary folder");
        toy::write_kernels(kernels.path());
        let mut device = Clockwork::new(|_| 1e-3);
        device.lie = Some(Box::new(lie));
        let looks = Cell::new(0);
        let is_over = || {
            looks.set(looks.get() + 1);
            looks.get() > 40
        };
        let mut told = Vec::new();
        let ladders: [(&dyn Ladder, &Path); 1] = [(&LADDER, kernels.path())];
        let screening =
            screen(&mut device, &ladders, &is_over, &mut |what| told.push(what.to_owned()));
        (screening.expect("it runs"), told)
    }

    #[test]
    fn a_gpu_without_errors_passes() {
        let (screening, told) = screened(|_, _| {});
        assert!(screening.steps >= 1 && screening.passes > 10, "{screening:?}");
        assert!(told.is_empty() && screening.found.is_empty(), "{told:?}");
    }

    #[test]
    fn a_flipped_bit_is_found_with_the_place_where_it_was_computed() {
        let mut copies = 0;
        let (screening, told) = screened(move |name, bytes| {
            if name == "to" && bytes.len() > 4 * 40 {
                copies += 1;
                bytes[4 * 40 + 1] ^= if copies == 7 { 0x10 } else { 0 };
            }
        });
        assert_eq!((screening.found.len(), told.len()), (1, 1), "{told:?}");
        for words in [
            "toy/01-double at n = 64: this GPU gave two answers",
            "word 40 of `to` is",
            "block 1, if blocks write in their order, on multiprocessor 0",
        ] {
            assert!(told[0].contains(words), "{words}: {told:?}");
        }
    }
}
