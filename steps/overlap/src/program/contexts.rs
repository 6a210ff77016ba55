//! A half of the data in each of two contexts: the primary one, and a second.

use std::cell::RefCell;
use std::ops::Range;

use device::{Buffer, Device, Error, Module, Stream};
use ladder::round_trip::{BYTES, Ends, Locked, Program, poison, shape};

use super::{KERNEL, arguments};

/// Halves of the data, each in a context of its own.
pub struct Contexts<'m> {
    module: &'m Module,
    first: Half,
    /// None where there is too little for two.
    second: Option<Second>,
}

/// A half: its stream and its memory, all of one context.
struct Half {
    stream: Stream,
    host: Locked,
    from: Buffer,
    to: Buffer,
}

/// The other half, which must go before its context does.
struct Second {
    half: Half,
    module: Module,
    context: RefCell<Box<dyn Device>>,
}

impl Half {
    fn new(device: &mut dyn Device, elements: usize) -> Result<Half, Error> {
        Ok(Half {
            stream: device.stream()?,
            host: Locked::new(device, elements)?,
            from: device.alloc("in", elements * BYTES)?,
            to: device.alloc("out", elements * BYTES)?,
        })
    }

    fn elements(&self) -> usize {
        self.from.bytes() / BYTES
    }

    /// Copies in, computes, copies out, and waits for none of it.
    fn start(&self, device: &mut dyn Device, module: &Module) -> Result<(), Error> {
        let Half { stream, host: Locked { elements, results }, from, to } = self;
        // ANCHOR: half
        let n = self.elements();
        device.copy_on(stream, elements, from)?;
        device.launch_on(stream, module, KERNEL, shape(n), &arguments(n, from, to))?;
        device.copy_on(stream, to, results)
        // ANCHOR_END: half
    }

    fn poison(&self, device: &mut dyn Device) -> Result<(), Error> {
        [&self.from, &self.to].into_iter().try_for_each(|buffer| poison(device, buffer))
    }

    fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        [&self.from, &self.to].into_iter().try_for_each(|buffer| device.check_guards(buffer))
    }
}

impl<'m> Contexts<'m> {
    /// Memory for `n` elements in both contexts, and the kernel in the second.
    pub fn new(
        device: &mut dyn Device,
        module: &'m Module,
        n: usize,
        parts: Vec<Range<usize>>,
    ) -> Result<Contexts<'m>, Error> {
        let first = Half::new(device, parts.first().map_or(n, Range::len))?;
        let second = |part: &Range<usize>| -> Result<Second, Error> {
            // ANCHOR: second
            let (mut context, module) = device.second_context(module)?;
            // ANCHOR_END: second
            let half = Half::new(&mut *context, part.len())?;
            Ok(Second { half, module, context: RefCell::new(context) })
        };
        let second = parts.get(1).map(second).transpose()?;
        Ok(Contexts { module, first, second })
    }
}

impl Program for Contexts<'_> {
    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let Contexts { module, first, second } = self;
        // ANCHOR: contexts
        first.start(device, module)?;
        if let Some(Second { half, module, context }) = second {
            let context = &mut **context.borrow_mut();
            half.start(context, module)?;
            context.synchronize()?; // no stream of one context waits for the other
        }
        // ANCHOR_END: contexts
        Ok(())
    }

    fn ends(&mut self) -> &mut dyn Ends {
        self
    }

    /// Those of the first context.
    fn buffers(&self) -> Vec<&Buffer> {
        vec![&self.first.from, &self.first.to]
    }

    fn poison(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.first.poison(device)?;
        self.second.iter().try_for_each(|it| it.half.poison(&mut **it.context.borrow_mut()))
    }

    fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.first.check_guards(device)?;
        self.second.iter().try_for_each(|it| it.half.check_guards(&mut **it.context.borrow_mut()))
    }
}

impl Ends for Contexts<'_> {
    fn begin(&mut self, device: &mut dyn Device, elements: &[f32]) -> Result<(), Error> {
        let (first, second) = elements.split_at(self.first.elements());
        self.first.host.begin(device, first)?;
        match &mut self.second {
            Some(it) => it.half.host.begin(&mut **it.context.get_mut(), second),
            None => Ok(()),
        }
    }

    fn end(&mut self, device: &mut dyn Device) -> Result<[Vec<f32>; 2], Error> {
        let mut all = self.first.host.end(device)?;
        if let Some(it) = &mut self.second {
            let more = it.half.host.end(&mut **it.context.get_mut())?;
            all.iter_mut().zip(more).for_each(|(all, more)| all.extend(more));
        }
        Ok(all)
    }
}
