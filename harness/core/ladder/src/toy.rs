//! A small problem for the tests of the core: every element of an array, doubled.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use device::{Argument, Buffer, Device, Error, Info, Module};
use report::{Figure, Request};
use toolchain::ptx::{Header, digest};

use crate::judge::{Tolerance, judge_exactly};
use crate::limits::Chip;
use crate::problem::{
    Checked, Copied, Failed, Growth, Input, OptionError, Pass, Problem, ProblemOption, Purpose,
    Work,
};
use crate::{Code, Launch, Step, Steps};

/// Threads of a block.
const BLOCK: u32 = 32;

/// The most elements that there can be.
pub const MOST: u64 = 1 << 20;

/// What no kernel has written: it is odd, and doubles are even.
const POISON: u8 = 0xff;

/// The first step.
pub const PARENT: Step = Step::first("01-double", "an idea", "one line", BLOCK, ());

/// Another, derived from it.
pub const CHILD: Step = Step {
    code: Code::Cuda { file: "02-again", options: &[] },
    name: "02-again",
    after: Some("01-double"),
    ..PARENT
};

/// The ladder of both.
pub static LADDER: Steps<Toy> = Steps::of("toy", &[PARENT, CHILD]);

/// Every element doubled.
pub struct Toy;

/// Elements.
pub struct Case {
    elements: Vec<u32>,
}

struct Doubled<'m> {
    case: Arc<Case>,
    module: &'m Module,
    from: Buffer,
    to: Buffer,
}

impl Problem for Toy {
    type Host = ();
    type Case = Case;

    const OPTIONS: &'static [ProblemOption] =
        &[ProblemOption { name: "rounds", value: "N", help: "Rounds of nothing" }];
    const GROWTH: Growth = Growth::Work;

    fn figure() -> Figure {
        Figure {
            pass: "doubling".to_owned(),
            whole: Some("round".to_owned()),
            results: "doubles".to_owned(),
            ..Figure::of("Toy", "elements")
        }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        n as f64 / chip.lanes_per_second()
    }

    fn default_size(&self, _: &Step, _: &Info) -> u64 {
        64
    }

    fn most(&self) -> u64 {
        MOST
    }

    fn verification(&self, _: &Step, _: bool, seed: u64) -> Vec<Input> {
        let verified = |n| Input::verified(n, "doubles", seed);
        let repeated = Input { purpose: Purpose::Repeated("doubles"), ..verified(33) };
        vec![verified(1), repeated, verified(100)]
    }

    fn case(&self, input: Input) -> Case {
        let element = |i: u64| u32::try_from(i * 7 + 1).expect("few elements");
        Case { elements: (0..input.n).map(element).collect() }
    }

    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let by = 1 + u32::try_from(seed % 7).expect("few");
        Some(Case { elements: case.elements.iter().map(|it| it + by).collect() })
    }

    fn bytes(&self, _: &Step, n: u64) -> u64 {
        8 * n
    }

    fn launches(&self, _: &Step, n: u64, _: u32) -> Vec<Launch> {
        vec![line("twice", n)]
    }

    fn place<'m>(
        device: &mut dyn Device,
        _: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        _: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let bytes = 4 * case.elements.len();
        let (from, to) = (device.alloc("from", bytes)?, device.alloc("to", bytes)?);
        Ok(Box::new(Doubled { case, module, from, to }))
    }

    fn open(request: &Request) -> Result<Toy, OptionError> {
        match request.problem.get("rounds").map(String::as_str) {
            Some("0") => Err(OptionError::Value {
                option: "rounds",
                value: "0".to_owned(),
                possible: "there must be at least one round".to_owned(),
            }),
            _ => Ok(Toy),
        }
    }
}

fn line(kernel: &'static str, n: u64) -> Launch {
    Launch::row(kernel, u32::try_from(n).expect("few elements").div_ceil(BLOCK), BLOCK)
}

impl Doubled<'_> {
    fn launch(&self, device: &mut dyn Device, kernel: &'static str) -> Result<(), Error> {
        let n = self.case.elements.len();
        let arguments = [
            Argument::I32(i32::try_from(n).expect("few elements")),
            Argument::Buffer(&self.from),
            Argument::Buffer(&self.to),
        ];
        device.launch(self.module, kernel, line(kernel, n as u64).shape, &arguments)
    }

    fn copy(&self, device: &mut dyn Device) -> Result<Vec<u32>, Error> {
        let mut bytes = vec![0; self.to.bytes()];
        device.download(&self.to, &mut bytes)?;
        let word = |word: &[u8]| u32::from_le_bytes(word.try_into().expect("four bytes"));
        Ok(bytes.chunks_exact(4).map(word).collect())
    }
}

impl Pass for Doubled<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        let bytes: Vec<u8> = self.case.elements.iter().flat_map(|it| it.to_le_bytes()).collect();
        device.upload(&self.from, &bytes)?;
        device.fill(&self.to, POISON)?;
        device.forget(&self.to, 0, self.to.bytes())
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.launch(device, "twice")
    }

    /// A pass, and its elements copied once more.
    fn wholes<'p>(&'p self, _: &mut dyn Device, count: u32) -> Result<Option<Work<'p>>, Error> {
        Ok(Some(Box::new(move |device| {
            for _ in 0..count {
                self.run(device)?;
                self.rest(device)?;
            }
            Ok(())
        })))
    }

    fn rest(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.launch(device, "once")
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        Ok(vec![Copied::from(device, &self.to)?])
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        device.check_guards(&self.from)?;
        device.check_guards(&self.to)?;
        let got = self.copy(device)?;
        let expected: Vec<u32> = self.case.elements.iter().map(|it| 2 * it).collect();
        let place = |i: usize| format!("element {i}");
        let errors = judge_exactly("doubles", got.len() as u64, (&got, &expected), place)?;
        let bits = got.iter().map(|&it| it.into()).collect();
        Ok(Checked { errors, tolerance: Tolerance::EXACT, extras: Vec::new(), bits: (bits, 1) })
    }

    fn bytes(&self) -> (u64, u64) {
        (self.from.bytes() as u64, self.to.bytes() as u64)
    }
}

/// Writes the kernels of both steps into a folder as they are committed: sources, and PTX that bears
/// their digest.
pub fn write_kernels(folder: &Path) {
    write(folder, PARENT, &ptx("mul.lo.s32"));
    write(folder, CHILD, &ptx("mul.lo.s32"));
}

/// Writes the kernels of one step, as which `twice` does something else with each element and 2.
pub fn write_broken(folder: &Path, step: Step, instruction: &str) {
    write(folder, step, &ptx(instruction));
}

fn write(folder: &Path, step: Step, ptx: &str) {
    let compiler = "NVRTC 11.8.89".to_owned();
    let options = ["--gpu-architecture=compute_50", "-lineinfo"].map(str::to_owned).to_vec();
    let source = step.file().expect("it has kernels");
    let header = Header {
        digest: digest(&compiler, &options, CUDA),
        source: source.clone(),
        options,
        compiler,
    };
    fs::write(folder.join(&source), CUDA).expect("written");
    fs::write(folder.join(format!("{}.ptx", step.name)), format!("{header}{ptx}"))
        .expect("written");
}

/// What stands for the source of the kernels.
const CUDA: &str = "// twice and once\n";

/// The kernels: `to[i] = from[i] * 2` and `to[i] = from[i] * 1`.
fn ptx(instruction: &str) -> String {
    let kernel = |name: &str, instruction: &str, with: u32| {
        format!(
            ".visible .entry {name}(.param .u32 count, .param .u64 source, .param .u64 target)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    ld.param.u32 %r1, [count];
    ld.param.u64 %rd1, [source];
    ld.param.u64 %rd2, [target];
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r3, %r2, %r4;
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra $DONE;
    cvta.to.global.u64 %rd3, %rd1;
    cvta.to.global.u64 %rd4, %rd2;
    mul.wide.s32 %rd5, %r5, 4;
    add.s64 %rd6, %rd3, %rd5;
    add.s64 %rd7, %rd4, %rd5;
    ld.global.u32 %r6, [%rd6];
    {instruction} %r7, %r6, {with};
    st.global.u32 [%rd7], %r7;
$DONE:
    ret;
}}
"
        )
    };
    let head = ".version 7.8\n.target sm_50\n.address_size 64\n";
    format!("{head}{}{}", kernel("twice", instruction, 2), kernel("once", "mul.lo.s32", 1))
}
