//! A case on a device: run, and judged.

use device::{Buffer, Device, Error, Graph, Group};
use report::{Extra, words};

use crate::judge::{Errors, Mismatch, Tolerance};

/// A case on a device, for one step.
pub trait Pass {
    /// Copies the inputs to the device, and poisons the outputs so that an element that no kernel writes is wrong.
    ///
    /// # Errors
    /// The device's.
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error>;

    /// The same before each sample of many. Inputs may come from copies that the device keeps of them.
    ///
    /// # Errors
    /// The device's.
    fn restore(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.upload(device)
    }

    /// Starts one pass, from inputs to outputs: what is timed.
    ///
    /// # Errors
    /// The device's: a fault of a kernel, a lost GPU.
    fn run(&self, device: &mut dyn Device) -> Result<(), Error>;

    /// Records what [`Pass::run`] starts, for whoever starts it again and again: that is timed then, and the recording is
    /// not. None of a step whose launches are made one by one.
    ///
    /// # Errors
    /// The device's.
    fn record<'p>(&'p self, device: &mut dyn Device) -> Result<Option<Graph<'p>>, Error> {
        let _ = device;
        Ok(None)
    }

    /// Makes `count` of the figure's `whole` ready, for whoever times them alone. None of a problem
    /// that has no such thing.
    ///
    /// # Errors
    /// The device's.
    fn wholes<'p>(
        &'p self,
        device: &mut dyn Device,
        count: u32,
    ) -> Result<Option<Work<'p>>, Error> {
        let _ = (device, count);
        Ok(None)
    }

    /// Waits for `count` wholes of the uploaded inputs, and judges what they left as far as that can
    /// be afforded.
    ///
    /// # Errors
    /// The device's; or what is wrong with the results.
    fn check_wholes(&mut self, device: &mut dyn Device, count: u32) -> Result<(), Failed> {
        let _ = (device, count);
        Ok(())
    }

    /// What a whole consists of beyond the pass, where that can be started alone.
    ///
    /// # Errors
    /// The device's.
    fn rest(&self, device: &mut dyn Device) -> Result<(), Error> {
        let _ = device;
        Ok(())
    }

    /// Copies results to the host, and nothing else.
    ///
    /// # Errors
    /// The device's, also of launches that had not ended.
    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error>;

    /// Waits for the launches, looks whether they wrote outside their memory, downloads, and judges
    /// the results.
    ///
    /// # Errors
    /// The device's; or what is wrong with the results.
    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed>;

    /// The same where of the launch only these blocks ran ([`Problem::sampled_blocks`](crate::Problem::sampled_blocks)):
    /// judges what they wrote.
    ///
    /// # Errors
    /// As [`Pass::check`].
    fn check_blocks(&mut self, device: &mut dyn Device, blocks: &[u64]) -> Result<(), Failed> {
        let _ = (device, blocks);
        Ok(())
    }

    /// Bytes that are copied to the device, and back.
    fn bytes(&self) -> (u64, u64);
}

/// The contents of a buffer, bit by bit.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// What the buffer is called.
    pub name: String,
    /// Contents, as 32-bit words.
    pub words: Vec<u32>,
}

impl Copied {
    /// Copies a buffer to the host.
    ///
    /// # Errors
    /// The device's.
    pub fn from(device: &mut dyn Device, buffer: &Buffer) -> Result<Copied, Error> {
        Ok(Copied { name: buffer.name().to_owned(), words: device.read(buffer)? })
    }
}

/// Launches that are ready to start.
pub type Work<'p> = Box<dyn FnMut(&mut dyn Device) -> Result<(), Error> + 'p>;

/// A case on one GPU of a group, for one step.
pub trait SharedPass {
    /// Places the inputs.
    ///
    /// # Errors
    /// The device's.
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error>;

    /// One pass of this GPU's part, with what is exchanged for it.
    ///
    /// # Errors
    /// The device's or the group's.
    fn run(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error>;

    /// `count` of the figure's `whole` from number `first` on, with all exchanges; waits for the
    /// last of them.
    ///
    /// # Errors
    /// The device's or the group's.
    fn wholes(
        &self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        first: u32,
        count: u32,
    ) -> Result<(), Error>;

    /// Gathers what `count` wholes of the uploaded inputs left on all GPUs, and judges it as far as
    /// that can be afforded.
    ///
    /// # Errors
    /// The device's or the group's; or what is wrong with the results.
    fn check_wholes(
        &mut self,
        device: &mut dyn Device,
        group: &mut dyn Group,
        count: u32,
    ) -> Result<(), Failed> {
        let _ = (device, group, count);
        Ok(())
    }

    /// Their launches without the exchanges. The results are meaningless.
    ///
    /// # Errors
    /// The device's.
    fn wholes_apart(&self, device: &mut dyn Device, first: u32, count: u32) -> Result<(), Error>;

    /// Launches every kernel and makes every exchange once, each alone: the driver loads code when
    /// it is first used, and a GPU that waits for another must not wait for that.
    ///
    /// # Errors
    /// The device's or the group's.
    fn warm_up(&self, device: &mut dyn Device, group: &mut dyn Group) -> Result<(), Error>;

    /// Gathers the results of all GPUs and judges them.
    ///
    /// # Errors
    /// The device's or the group's; or what is wrong with the results.
    fn check(&mut self, device: &mut dyn Device, group: &mut dyn Group) -> Result<Checked, Failed>;
}

/// "block 17 of 512", "blocks 0, 17 and 511 of 512".
pub fn named(blocks: &[u64], all: u64) -> String {
    let plural = if blocks.len() == 1 { "" } else { "s" };
    let numbers: Vec<String> = blocks.iter().map(u64::to_string).collect();
    format!("block{plural} {} of {all}", words::list(&numbers))
}

/// What is known of results that passed.
#[derive(Debug, Clone)]
pub struct Checked {
    /// How far off they are.
    pub errors: Errors,
    /// How far off they may be.
    pub tolerance: Tolerance,
    /// What only this problem says of them.
    pub extras: Vec<Extra>,
    /// The bits of the results, an entry a number, and how many make a result.
    pub bits: (Vec<u64>, usize),
}

impl Checked {
    /// Results that are exact, and so the same in every run.
    pub fn exact(errors: Errors) -> Checked {
        Checked { errors, tolerance: Tolerance::EXACT, extras: Vec::new(), bits: (Vec::new(), 1) }
    }
}

/// Why results did not pass.
#[derive(Debug)]
pub enum Failed {
    /// The results are wrong.
    Wrong(Mismatch),
    /// The device failed.
    Device(Error),
}

impl From<Mismatch> for Failed {
    fn from(wrong: Mismatch) -> Failed {
        Failed::Wrong(wrong)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Device(error)
    }
}
