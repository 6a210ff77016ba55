//! What tables, pictures and sentences say of a comparison alike.

use super::{Against, Entry, PublishedTimes, Side};
use crate::Machine;
use crate::format::{NONE, factor, grouped};

/// What the CPU's opponents are called, in the order of [`Against::times`].
pub const OPPONENTS: [&str; 3] = ["one CPU thread", "fastest on one thread", "best CPU step"];

impl Against {
    /// Which of the [`OPPONENTS`] a step is.
    pub fn roles(&self, entry: &Entry) -> Vec<&'static str> {
        let named = OPPONENTS.into_iter().zip(self.opponents());
        let is_entry = |of: Option<&Entry>| of.is_some_and(|of| std::ptr::eq(of, entry));
        named.filter(|(_, of)| is_entry(*of)).map(|(name, _)| name).collect()
    }

    /// Where the times come from, without a full stop.
    pub fn basis(&self) -> String {
        let (gpu, cpu) = (&self.gpu.name, &self.cpu.name);
        match self.modelled() {
            (false, _) => format!("on {gpu} and on {cpu}"),
            (true, true) => format!("{cpu} measured, {gpu} modelled (simulated)"),
            (true, false) => format!("{cpu} measured, {gpu} in part modelled"),
        }
    }

    /// That the GPU's times are not measured; none where they are.
    pub fn model(&self) -> Option<String> {
        let times = match self.modelled() {
            (false, _) => return None,
            (true, true) => "The GPU's times are",
            (true, false) => "Some of the GPU's times are",
        };
        Some(format!("{times} the simulator's model of {}, not measured.", self.gpu.name))
    }

    /// The sizes of the rates: "GPU 131 072 (8192 for 01-one-thread), CPU 16 384".
    pub fn sizes(&self) -> String {
        let of = |side: &Side| {
            let usual = side.usual_n().unwrap_or_default();
            let others = side.steps.iter().filter(|entry| entry.n != usual);
            let others = others.map(|entry| format!("{} for {}", grouped(entry.n), entry.step));
            match others.collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => grouped(usual),
                others => format!("{} ({others})", grouped(usual)),
            }
        };
        format!("GPU {}, CPU {}", of(&self.gpu), of(&self.cpu))
    }

    /// That two computers are compared, and which; none where it is one, or where the GPU is a model.
    pub fn machines(&self) -> Option<String> {
        let (gpu, cpu) = (&self.gpu.machine, &self.cpu.machine);
        let name = |machine: &Machine| {
            let name = machine.cpu.as_deref().unwrap_or("a processor without a name");
            format!("{name} ({}, {} hardware threads)", machine.arch, machine.cores)
        };
        (gpu != cpu && !self.modelled().1).then(|| {
            let (gpu, cpu) = (name(gpu), name(cpu));
            format!("Two computers: the GPU's has {gpu}, the CPU's ladder ran on {cpu}.")
        })
    }
}

impl PublishedTimes {
    /// The figure as it was printed: "107.5×", "1/72.4".
    pub fn printed(&self) -> String {
        let sign = if self.text.contains('/') { "" } else { "×" };
        format!("{}{sign}", self.text)
    }
}

/// A factor in three digits; far below one as documents print it: "1/72.4". A dash for what there
/// is not.
pub fn times(times: Option<f64>) -> String {
    match times {
        None => NONE.to_owned(),
        Some(times) if times < 0.0995 => {
            format!("1/{}", factor(times.recip()).trim_end_matches('×'))
        }
        Some(times) => factor(times),
    }
}
