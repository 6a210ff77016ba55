//! What is found on one multiprocessor, which collects it for the launch.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::cluster::ClusterHazards;
use super::finding::Finding;
use super::launch::LaunchHazards;

/// Detects hazards on one multiprocessor.
pub struct Hazards<'a> {
    pub(super) launch: &'a LaunchHazards<'a>,
    pub(super) findings: Vec<Finding>,
    seen: HashSet<(u8, u32, u32)>,
    /// Those of several blocks that are resident, by number, and how many of their blocks are.
    pub(super) clusters: HashMap<u64, (Arc<ClusterHazards<'a>>, u32)>,
}

impl<'a> Hazards<'a> {
    /// Has found nothing yet.
    pub fn new(launch: &'a LaunchHazards<'a>) -> Hazards<'a> {
        Hazards { launch, findings: Vec::new(), seen: HashSet::new(), clusters: HashMap::new() }
    }

    pub(super) fn finds(&mut self, finding: Finding) {
        if self.seen.insert(finding.key()) {
            self.findings.push(finding);
        }
    }
}
