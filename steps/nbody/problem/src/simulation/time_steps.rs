//! Whole time steps: launched one by one, as a graph, or by a launch of their own.

use device::{Argument, Device, Error, Graph, Node};

use ladder::Launch;

use super::Simulation;
use crate::step::GRAPH_TIME_STEPS;

/// Interactions of what is started at once: they last less than a second on any GPU of today, so
/// that no watchdog ends them.
const MOST_INTERACTIONS: u64 = 1 << 36;

/// Whole time steps that are ready to be started: what has to be recorded before is recorded.
pub struct TimeSteps<'s> {
    simulation: &'s Simulation<'s>,
    steps: u32,
    /// Some time steps after the first, and how many they are, where the step wants a graph.
    graph: Option<(Graph<'s>, u32)>,
}

impl Simulation<'_> {
    /// Makes ready what `steps` whole time steps need, for whoever times them alone.
    ///
    /// # Errors
    /// As [`Simulation::force`].
    pub fn prepare(&self, device: &mut dyn Device, steps: u32) -> Result<TimeSteps<'_>, Error> {
        TimeSteps::new(self, device, steps)
    }
}

impl<'s> TimeSteps<'s> {
    /// Makes `steps` time steps ready.
    ///
    /// # Errors
    /// The device's.
    fn new(
        simulation: &'s Simulation<'s>,
        device: &mut dyn Device,
        steps: u32,
    ) -> Result<TimeSteps<'s>, Error> {
        let graph = match simulation.in_graph {
            true => record(simulation, device, graph_time_steps(simulation.n, steps))?,
            false => None,
        };
        Ok(TimeSteps { simulation, steps, graph })
    }

    /// Starts them.
    ///
    /// # Errors
    /// The device's: a fault of a kernel, a lost GPU.
    pub fn start(&self, device: &mut dyn Device) -> Result<(), Error> {
        if let Some(launch) = &self.simulation.run {
            return self.start_by(device, launch);
        }
        let mut next = 0;
        if let Some((graph, count)) = &self.graph {
            // The first corrects no velocities: it is not like those that were recorded.
            self.launch(device, next)?;
            next += 1;
            while self.steps - next >= *count {
                device.replay(graph)?;
                next += count;
            }
        }
        (next..self.steps).try_for_each(|step| self.launch(device, step))
    }

    /// Launches the kernels of one time step.
    fn launch(&self, device: &mut dyn Device, step: u32) -> Result<(), Error> {
        self.simulation.force(device, step)?;
        self.simulation.advance(device)
    }

    /// Starts them by launches for many time steps, as few as may be.
    fn start_by(&self, device: &mut dyn Device, launch: &Launch) -> Result<(), Error> {
        let most = time_steps_at_once(self.simulation.n);
        for first in (0..self.steps).step_by(most as usize) {
            let count = most.min(self.steps - first);
            let arguments = [first, count].map(|number| Argument::I32(number.cast_signed()));
            let Launch { kernel, shape } = *launch;
            device.launch_cooperative(self.simulation.module, kernel, shape, &arguments)?;
        }
        Ok(())
    }
}

/// Records `count` time steps, those from number 1 on; none where that is 0. Their kernels get
/// these numbers at every start: the right ones would have to be set in each launch again, and only
/// whether it is the first says anything to a kernel.
fn record<'s>(
    simulation: &'s Simulation<'s>,
    device: &mut dyn Device,
    count: u32,
) -> Result<Option<(Graph<'s>, u32)>, Error> {
    if count == 0 {
        return Ok(None);
    }
    let node = |(launch, arguments): (&Launch, _)| Node {
        kernel: launch.kernel,
        shape: launch.shape,
        arguments,
    };
    let force = |step| {
        let launches = simulation.force.iter();
        launches.map(move |launch| (launch, simulation.force_arguments(step)))
    };
    let advance = || (&simulation.advance, simulation.advance_arguments());
    let launches = (1..=count).flat_map(|step| force(step).chain([advance()]));
    let graph = device.record(simulation.module, launches.map(node).collect())?;
    Ok(Some((graph, count)))
}

/// How many time steps of `n` bodies a graph has where `steps` are to be made: none of one that has
/// no second.
fn graph_time_steps(n: i32, steps: u32) -> u32 {
    GRAPH_TIME_STEPS.min(time_steps_at_once(n)).min(steps.saturating_sub(1))
}

/// How many time steps of `n` bodies may be started at once.
fn time_steps_at_once(n: i32) -> u32 {
    let interactions = u64::from(n.unsigned_abs()).pow(2).max(1);
    u32::try_from((MOST_INTERACTIONS / interactions).clamp(1, 1 << 20)).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_time_steps_of_few_bodies_are_started_at_once_and_one_of_many() {
        for (n, steps) in [(0, 1 << 20), (1, 1 << 20), (4096, 4096), (262_144, 1), (i32::MAX, 1)] {
            assert_eq!(time_steps_at_once(n), steps, "{n}");
        }
    }

    #[test]
    fn a_graph_has_no_more_time_steps_than_there_are_after_the_first() {
        for (steps, count) in [(0, 0), (1, 0), (2, 1), (3, 2), (17, 16), (18, 16), (1000, 16)] {
            assert_eq!(graph_time_steps(1000, steps), count, "{steps}");
        }
        assert_eq!(graph_time_steps(131_072, 1000), 4, "many bodies");
    }
}
