//! A device that runs kernels on the simulator and whose clock is the test's.

use device::{
    Argument, Buffer, CodeRoute, Conditions, Device, Error, Info, Module, Shape, SimulatorDevice,
    Source, Start, TimeSource, Timing,
};
use simt::model::Gpu;

/// The simulator as if it were hardware.
pub struct Clockwork {
    simulator: SimulatorDevice,
    info: Info,
    /// The next time, given how many launches it is of.
    clock: Box<dyn FnMut(u32) -> f64 + Send>,
    /// Launches so far.
    pub launches: u32,
    /// What [`Device::conditions`] says.
    pub conditions: Option<Conditions>,
    /// The launch, counted from 1, that loses the device.
    pub lost_at: Option<u32>,
    /// The launch, counted from 1, that writes behind a buffer.
    pub harms_at: Option<u32>,
    /// Changes what is copied from a buffer of some name.
    #[allow(clippy::type_complexity, reason = "it has one place")]
    pub lie: Option<Box<dyn FnMut(&str, &mut [u8]) + Send>>,
    /// Whether there is a GPU whose floor holds.
    pub has_floor: bool,
    /// How many times as long the first launch over new inputs takes.
    pub newly: f64,
    /// Whether there are new inputs.
    is_new: bool,
}

impl Clockwork {
    /// A device whose times `clock` says, given the number of launches that were timed.
    pub fn new(clock: impl FnMut(u32) -> f64 + Send + 'static) -> Clockwork {
        let gpu = Gpu::named("h200").expect("a known GPU");
        let simulator = SimulatorDevice::open(CodeRoute::Committed, gpu);
        let info =
            Info { modelled: None, name: "clockwork".to_owned(), ..simulator.info().clone() };
        Clockwork {
            simulator,
            info,
            clock: Box::new(clock),
            launches: 0,
            conditions: None,
            lost_at: None,
            harms_at: None,
            lie: None,
            has_floor: false,
            newly: 1.0,
            is_new: false,
        }
    }
}

impl Device for Clockwork {
    fn info(&self) -> &Info {
        &self.info
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        self.simulator.load(source)
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.simulator.alloc(name, bytes)
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        self.is_new = true;
        self.simulator.upload(to, bytes)
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        self.simulator.download(from, into)?;
        if let Some(lie) = &mut self.lie {
            lie(from.name(), into);
        }
        Ok(())
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        self.simulator.fill(buffer, byte)
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        self.simulator.set_constant(module, symbol, bytes)
    }

    fn read_symbol(&mut self, module: &Module, symbol: &str, into: &mut [u8]) -> Result<(), Error> {
        self.simulator.read_symbol(module, symbol, into)
    }

    fn start(
        &mut self,
        how: Start,
        module: &Module,
        kernel: &str,
        shape: Shape,
        arguments: &[Argument],
    ) -> Result<(), Error> {
        self.launches += 1;
        self.is_new = false;
        if self.lost_at == Some(self.launches) {
            return Err(Error::Driver {
                doing: "waiting".to_owned(),
                code: "CUDA_ERROR_LAUNCH_FAILED".to_owned(),
                message: "lost".to_owned(),
                fatal: true,
            });
        }
        self.simulator.start(how, module, kernel, shape, arguments)
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        let (before, is_new) = (self.launches, self.is_new);
        work(self)?;
        let factor = if is_new { self.newly } else { 1.0 };
        let seconds = (self.clock)(self.launches - before) * factor;
        Ok(Timing { seconds, source: TimeSource::Host })
    }

    fn conditions(&mut self) -> Option<Conditions> {
        self.conditions.clone()
    }

    fn uuid(&self) -> Option<String> {
        Some("GPU-clockwork".to_owned())
    }

    fn gpu(&self) -> Option<Gpu> {
        self.simulator.gpu().filter(|_| self.has_floor)
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        if self.harms_at.take_if(|at| *at <= self.launches).is_some() {
            let name = buffer.name().to_owned();
            return Err(Error::Guard { name, side: "after", distance: 4 });
        }
        self.simulator.check_guards(buffer)
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        self.simulator.synchronize()
    }
}
