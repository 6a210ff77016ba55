//! One step of a sweep over block sizes.

use report::statistics::Verdict;
use report::tuning::compared;
use report::{Report, Row, Timed};

/// A step with blocks of several sizes, all timed at the same n.
#[derive(Debug)]
pub struct Sweep<'r> {
    /// The step's folder.
    pub step: &'r str,
    pub n: u64,
    /// Whether its times are a model's.
    pub is_modelled: bool,
    /// Multiprocessors of the GPU, where they are known.
    pub multiprocessors: Option<u32>,
    /// What was timed, smallest blocks first.
    pub points: Vec<Point<'r>>,
}

/// A step with blocks of one size.
#[derive(Debug, Clone, Copy)]
pub struct Point<'r> {
    /// Threads of a block.
    pub block: u32,
    /// Blocks resident on a multiprocessor and their warps, where they are known.
    pub resident: Option<(u32, u32)>,
    /// What was timed.
    pub timed: &'r Timed,
    /// The session in which it was.
    session: u32,
}

impl Sweep<'_> {
    /// The sweeps of a report: steps that were timed with at least two block sizes.
    pub fn of(report: &Report) -> Vec<Sweep<'_>> {
        let multiprocessors = report.device.as_ref().and_then(|device| device.multiprocessors);
        let mut sweeps: Vec<Sweep> = Vec::new();
        for row in &report.rows {
            let Some(point) = Point::of(row) else { continue };
            match sweeps.iter_mut().find(|sweep| sweep.step == row.step) {
                // A step that was too slow for the size has another: that cannot be compared.
                Some(sweep) if sweep.n == point.timed.n => sweep.points.push(point),
                Some(_) => {}
                None => sweeps.push(Sweep {
                    step: &row.step,
                    n: point.timed.n,
                    is_modelled: row.is_modelled(),
                    multiprocessors,
                    points: vec![point],
                }),
            }
        }
        sweeps.retain(|sweep| sweep.points.len() > 1);
        sweeps.iter_mut().for_each(|sweep| sweep.points.sort_by_key(|point| point.block));
        sweeps
    }

    /// The step, the size and what the times are.
    pub fn title(&self) -> String {
        let times = if self.is_modelled { "MODELLED" } else { "MEASURED" };
        format!("{} at n = {}, {times}", self.step, self.n)
    }
}

impl<'r> Point<'r> {
    fn of(row: &'r Row) -> Option<Point<'r>> {
        let is_plain = row.outcome.is_verified() && row.defines.is_empty();
        let timed = row.main().filter(|_| is_plain)?;
        let resident = row.occupancy.as_ref().map(|resident| (resident.blocks, resident.warps));
        Some(Point { block: row.block?, resident, timed, session: row.session })
    }

    /// Median time of a pass, s.
    pub fn seconds(&self) -> f64 {
        self.timed.seconds
    }

    /// How this compares with another in speed: by samples of the same rounds where there are some.
    pub fn against(&self, other: &Point) -> Verdict {
        compared((self.timed, self.session), (other.timed, other.session))
    }
}
