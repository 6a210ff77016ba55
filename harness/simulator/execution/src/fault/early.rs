//! Reads of the host that do not wait for the kernel.

use std::fmt;

use super::race::{Missing, RacingAccess};

/// What a thread stores in mapped memory is read by the host, which has not waited for the end of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EarlyRead {
    /// The allocation, if known.
    pub name: Option<String>,
    /// Offset of the bytes in it; their address if there is no name.
    pub offset: u64,
    /// The flag of the same block that the host read last, if it read one.
    pub flag: Option<RacingAccess>,
    /// What would order the store before the host's read: a barrier or a flag (`Order`), a fence (`Release`), or a wider
    /// scope of what there is (`Scope`).
    pub missing: Missing,
}

impl fmt::Display for EarlyRead {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(
            "race with the host: it reads, before the kernel has ended, what this thread writes",
        )?;
        match &self.name {
            Some(name) => write!(f, " at offset {} of `{name}`", self.offset)?,
            None => write!(f, " at address {:#x}", self.offset)?,
        }
        f.write_str(match (&self.flag, self.missing) {
            (None, _) => "; no flag that the host has read announces the write",
            (_, Missing::Release) => {
                "; no fence comes between the write and the flag, so the host may see the flag first"
            }
            (_, Missing::Scope) => {
                "; the fence between the write and the flag has the scope of the device, so the host may see the flag first"
            }
            _ => "; no barrier comes between the write and the flag, which another thread sets",
        })
    }
}
