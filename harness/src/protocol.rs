//! What the program and its worker process say to each other.
//!
//! The program writes one [`Request`](report::Request) as JSON on a line of the worker's standard
//! input and keeps that open: a worker whose input closes is alone and ends. A line [`processes::STOP`] asks it to
//! deliver what it has and end. It answers on its standard output, one [`Event`] as JSON on a line of its own.

use std::io::{self, Write};

use report::Subject;
use report::{Limits, Occupancy, Row};
use serde::{Deserialize, Serialize};

/// Exit code of a worker that lost its device to a step whose row it has delivered: another worker
/// may go on.
pub const DEVICE_LOST: u8 = 3;

/// What a worker reports, in the order in which it happens.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// The device is open: the steps run on it.
    Device {
        /// What is known of the device.
        info: Box<device::Info>,
    },
    /// The request cannot be met, whatever the step: no such device, bodies that do not fit.
    Refused {
        /// The reason and its remedy.
        reason: String,
        /// Whether the command line is at fault, and not the machine.
        usage: bool,
    },
    /// The worker turns to a step.
    Started {
        /// The step.
        subject: Subject,
    },
    /// The step has got so far.
    Progress {
        /// What it does now, in words.
        doing: String,
        /// Seconds after which it is taken to hang.
        patience_seconds: u64,
    },
    /// A step has ended, well or badly.
    Row {
        /// Its outcome.
        row: Box<Row>,
    },
    /// What was counted of a step whose row has been delivered.
    Counted {
        /// The step.
        subject: Subject,
        /// How near its time comes to what the chip could do.
        limits: Box<Limits>,
        /// How its blocks are resident; `None` where it has none.
        occupancy: Option<Occupancy>,
    },
    /// Nothing was counted of a step whose row has been delivered.
    NotCounted {
        /// The step.
        subject: Subject,
        /// Why it is not known what limits it.
        why: String,
    },
}

impl Event {
    /// Writes the event on a line of its own, at once.
    pub fn send(&self, to: &mut impl Write) -> io::Result<()> {
        // A kernel may print to the same stream and leave a line open: the event begins a new one.
        let line = format!("\n{}\n", serde_json::to_string(self)?);
        to.write_all(line.as_bytes())?;
        to.flush()
    }

    /// The event that a line holds; `None` for a line that holds none.
    pub fn receive(line: &str) -> Option<Event> {
        serde_json::from_str(line).ok()
    }
}
