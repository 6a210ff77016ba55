//! A case on one GPU of several, which has bodies of its own and a tree of these. The others get the parts of it that they need.
//!
//! ```text
//! launches   begin … scan, regions │ link, moments │ mark, enumerate │       │ pack │ divide   │ force, advance │ begin …
//! exchanges                        │ regions       │                 │ sizes │      │ sections │
//! ```
//!
//! Sizes of parts are known when they are marked. The host reads them, since how much is sent follows from them.

mod gathered;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use device::{Buffer, Device, Error, Group, Module};
use ladder::judge::{Errors, Mismatch};
use ladder::problem::{Checked, Failed, SharedPass};

use crate::array::{Sections, Sizes};
use crate::case::{ALL_JUDGED, Case};
use crate::judge;
use crate::kept::Kept;
use crate::keyed::forest::{
    BODY, BOXES, NODE, PART, PARTS, REGION, SECONDS, WHOLE, WORDS, places, room, sent,
};
use crate::memory::{BOX, Memory};
use crate::pass::Placed;
use crate::share::Shares;
use crate::shared::copied;
use crate::step::{Call, Step};
use crate::values::Values;

/// Sections are so many parts larger than they need to be, so that their places change rarely.
const SLACK: u64 = 16;

/// Each lane of a warp puts a GPU's root on the stack.
const MOST_GPUS: usize = 32;

/// A case on one GPU of a group.
pub(crate) struct Forest<'m> {
    /// The own bodies, and how launches are made for them. A GPU without bodies has room for one, and launches nothing.
    placed: Placed<'m>,
    all: Arc<Case>,
    /// The bodies of each GPU, by their numbers.
    shares: Arc<Shares>,
    sections: Cell<Sections>,
    /// Copies of what this GPU begins with.
    kept: Kept,
    /// What was exchanged where the bodies lie at first.
    exchanged: RefCell<Option<Exchanged>>,
}

/// Sections, and buffers with copies of them.
struct Exchanged {
    sections: Sections,
    copies: Vec<(Buffer, Buffer)>,
}

/// What a GPU says of the part of its tree that it sends, in words: nodes, bodies, its regions, and how often its own walk found
/// nothing in a node that it opened.
type Part = [u32; PART];
const NODES: usize = 0;
const BODIES: usize = 1;
const REGIONS: usize = 2;
const MISSING: usize = 3;

impl<'m> Forest<'m> {
    /// Allocates what this GPU needs.
    ///
    /// # Errors
    /// The device's.
    pub(crate) fn new(
        device: &mut dyn Device,
        group: &dyn Group,
        (step, module): (&Step, &'m Module),
        all: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Forest<'m>, Error> {
        let (gpu, gpus) = (group.rank(), group.size());
        if gpus > MOST_GPUS {
            return Err(Error::Skipped {
                reason: format!("{} is for {MOST_GPUS} GPUs at most", step.name),
                remedy: format!("use fewer: --gpus {MOST_GPUS}"),
            });
        }
        let shares = all.shares(gpus);
        let case = Arc::new(all.of(&shares.of[gpu]));
        let own = Sizes::new((case.bodies.len() as u64).max(1), multiprocessors).on(gpu, gpus);
        let most = (all.bodies.len() as u64).div_ceil(gpus as u64);
        let memory = Memory::new(device, step.host.arrays, Sizes { most, ..own })?;
        let placed = Placed { step: step.name, module, host: step.host, memory, case };
        let sections = Cell::new(Sections { own: gpu as u64, ..Sections::default() });
        let (kept, exchanged) = (Kept::default(), RefCell::default());
        Ok(Forest { placed, all, shares, sections, kept, exchanged })
    }

    /// Places what is known of all bodies, not only of this GPU's: they as one node, and the cube that is cut into cells.
    fn upload_whole(&self, device: &mut dyn Device) -> Result<(), Error> {
        let memory = &self.placed.memory;
        device.upload(memory.buffer(WHOLE), bytemuck::cast_slice(&self.shares.whole))?;
        let boxes = memory.buffer(BOXES);
        let cube = self.shares.around.repeat(boxes.bytes() / BOX);
        device.upload(boxes, bytemuck::cast_slice(&cube))
    }

    fn time_step(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let memory = &self.placed.memory;
        let values = self.placed.case.values;
        for call in self.placed.host.calls {
            match call.kernel {
                "mark" => group.wait(device, memory.buffer(REGION))?,
                "pack" => self.agree(device, group)?,
                "force" => {
                    let sections = self.all_sections()?;
                    sections.iter().try_for_each(|it| group.wait(device, it))?;
                }
                _ => {}
            }
            self.launch(device, call, (values, self.sections.get()))?;
            match call.kernel {
                "regions" => group.all_gather(device, memory.buffer(REGION))?,
                "pack" => {
                    let sections = self.all_sections()?;
                    sections.iter().try_for_each(|it| group.all_gather(device, it))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Makes a launch, for a GPU that has bodies; without any it says so.
    fn launch(
        &self,
        device: &mut dyn Device,
        call: &Call,
        (values, sections): (Values, Sections),
    ) -> Result<(), Error> {
        let Placed { memory, module, case, .. } = &self.placed;
        if !case.bodies.is_empty() {
            let sizes = Sizes { sections, ..memory.sizes };
            return memory.call_at(device, module, (call, &values, &sizes));
        }
        match call.kernel {
            // Its root: no mass.
            "pack" => device.fill(&self.own(&self.section(NODE)?)?, 0),
            _ => Ok(()),
        }
    }

    /// Learns from all GPUs how large their parts are, and makes sections large enough for each.
    fn agree(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let Sizes { gpu, gpus, most, .. } = self.placed.memory.sizes;
        let parts = self.placed.memory.buffer(PARTS);
        group.all_gather(device, parts)?;
        group.wait(device, parts)?;
        let parts: Vec<Part> = device.read(parts)?;
        if parts[gpu as usize][MISSING] > 0 {
            return Err(Error::Fault(MISSED.to_owned()));
        }
        let needed = |of: usize| parts.iter().map(|part| u64::from(part[of])).max().unwrap_or(0);
        let fits = |what: &str, needed: u64, room: u64| match needed <= room {
            true => Ok(()),
            false => Err(Error::Fault(format!(
                "a GPU has {needed} {what} for the others to know, and there is room for {room}; use another number of GPUs"
            ))),
        };
        let grown = |now: u64, needed: u64, room: u64| match needed > now {
            true => (needed + needed.div_ceil(SLACK)).min(room),
            false => now,
        };
        let (nodes, bodies) = (needed(NODES), needed(BODIES));
        let room = sent(&self.placed.memory.sizes);
        if gpus > 1 {
            fits("regions", needed(REGIONS), places(&self.placed.memory.sizes))?;
        }
        fits("nodes", nodes, room)?;
        fits("bodies", bodies, most)?;
        let now = self.sections.get();
        self.sections.set(Sections {
            nodes: grown(now.nodes, nodes, room),
            bodies: grown(now.bodies, bodies, most),
            ..now
        });
        Ok(())
    }

    /// The sections of an array, of all GPUs.
    fn section(&self, name: &str) -> Result<Buffer, Error> {
        let Sizes { gpus, most, .. } = self.placed.memory.sizes;
        let Sections { nodes, bodies, .. } = self.sections.get();
        let (first, each, bytes) = match name {
            BODY => (most, bodies, 4 * size_of::<f32>() as u64),
            _ => (room(&self.placed.memory.sizes), nodes, WORDS * size_of::<f32>() as u64),
        };
        let range = first * bytes..(first + gpus * each) * bytes;
        self.placed.memory.buffer(name).part(range.start as usize..range.end as usize)
    }

    fn all_sections(&self) -> Result<Vec<Buffer>, Error> {
        [NODE, SECONDS, BODY].into_iter().map(|name| self.section(name)).collect()
    }

    /// This GPU's part of what all give.
    fn own(&self, all: &Buffer) -> Result<Buffer, Error> {
        let Sizes { gpu, gpus, .. } = self.placed.memory.sizes;
        let bytes = all.bytes() / gpus as usize;
        all.part(gpu as usize * bytes..(gpu as usize + 1) * bytes)
    }

    /// Keeps what was exchanged, for launches without exchanges.
    fn remember(&self, device: &mut dyn Device) -> Result<(), Error> {
        let memory = &self.placed.memory;
        let mut all = self.all_sections()?;
        for name in [REGION, PARTS] {
            let buffer = memory.buffer(name);
            all.push(buffer.part(0..buffer.bytes())?);
        }
        let mut copies = Vec::new();
        for buffer in all {
            let copy = device.alloc("known", buffer.bytes())?;
            copied(device, &buffer, &copy)?;
            copies.push((buffer, copy));
        }
        *self.exchanged.borrow_mut() = Some(Exchanged { sections: self.sections.get(), copies });
        Ok(())
    }
}

/// What a walk says of a node without children that it opened.
const MISSED: &str =
    "a node was opened whose children were not sent: is a region smaller than the groups in it?";

impl SharedPass for Forest<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        if !self.placed.restore_from(device, &self.kept)? {
            self.placed.memory.upload(device, &self.placed.case.bodies)?;
            self.upload_whole(device)?;
        }
        if let Some(Exchanged { sections, copies }) = self.exchanged.get_mut() {
            self.sections.set(*sections);
            copies.iter().try_for_each(|(buffer, copy)| copied(device, copy, buffer))?;
        }
        Ok(())
    }

    /// A time step after a first one. Where time counts, later ones begin with its accelerations, too: parts of trees are larger
    /// without.
    fn run(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let Placed { memory, case, host, .. } = &self.placed;
        if self.placed.is_later() {
            self.time_step(device, group)?;
            match case.is_timed {
                true => {
                    memory.begin_again(device, host.began_with)?;
                    // The first time step needs larger ones.
                    self.sections.set(Sections { nodes: 0, bodies: 0, ..self.sections.get() });
                    self.placed.keep_in(device, &self.kept)?;
                }
                false => {
                    self.placed.again(device)?;
                    self.upload_whole(device)?;
                }
            }
        }
        (0..self.placed.time_steps()).try_for_each(|_| self.time_step(device, group))?;
        if case.is_timed { self.remember(device) } else { Ok(()) }
    }

    fn wholes(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        _: u32,
        count: u32,
    ) -> Result<(), Error> {
        (0..count).try_for_each(|_| self.time_step(device, group))
    }

    /// Bodies stay where they are, for which the parts of the other GPUs are those that were sent. What this one would send goes
    /// behind them all.
    fn wholes_apart(&self, device: &mut dyn Device, _: u32, count: u32) -> Result<(), Error> {
        let at_rest = Values { dtime: 0.0, ..self.placed.case.values };
        let sections = Sections { own: self.placed.memory.sizes.gpus, ..self.sections.get() };
        for _ in 0..count {
            for call in self.placed.host.calls {
                self.launch(device, call, (at_rest, sections))?;
            }
        }
        // Accelerations may differ from those for which the parts were sent.
        device.fill(&self.own(self.placed.memory.buffer(PARTS))?, 0)
    }

    fn warm_up(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error> {
        let memory = &self.placed.memory;
        for name in [NODE, SECONDS, BODY, REGION, PARTS] {
            device.fill(memory.buffer(name), 0)?;
        }
        self.sections.set(Sections { nodes: 1, bodies: 1, ..self.sections.get() });
        self.wholes_apart(device, 0, 1)?;
        device.synchronize()?;
        for buffer in
            [memory.buffer(REGION), memory.buffer(PARTS)].into_iter().chain(&self.all_sections()?)
        {
            group.all_gather(device, buffer)?;
            group.wait(device, buffer)?;
            device.synchronize()?;
        }
        Ok(())
    }

    /// Each GPU judges its own bodies.
    fn check(&mut self, device: &mut dyn Device, group: &mut dyn Group) -> Result<Checked, Failed> {
        let Placed { memory, case, host, .. } = &self.placed;
        let n = self.all.bodies.len();
        let other = |what| Mismatch::Other { n: n as u64, what };
        let parts: Vec<Part> = device.read(memory.buffer(PARTS))?;
        if parts[memory.sizes.gpu as usize][MISSING] > 0 {
            return Err(other(MISSED.to_owned()).into());
        }
        let found = memory.download(device)?;
        let is_small = n <= ALL_JUDGED && case.trajectory.is_none();
        let trees = is_small.then(|| self.gathered(device, group, &found)).transpose()?;
        if case.bodies.is_empty() {
            return Ok(Checked::exact(Errors { rms: 0.0, worst: 0.0, worst_index: 0 }));
        }
        Ok(judge::check_among(case, host, &found, |own| {
            let Some(trees) = &trees else { return Ok(None) };
            let mut all = self.others(trees).map_err(|defect| defect.at(n as u64))?;
            all.push(own);
            Ok(Some(all))
        })?)
    }
}
