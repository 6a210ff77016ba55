//! Devices that talk through files: slow, the same every time, and possible anywhere.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::part::part;
use crate::api::buffer::Buffer;
use crate::api::device::{Device, Group};
use crate::api::member::Member;
use crate::error::Error;

/// Time between two looks at a folder.
const PAUSE: Duration = Duration::from_micros(200);

/// A device's way to the others through a folder.
pub(crate) struct FolderGroup {
    member: Member,
    /// Calls so far.
    calls: u64,
    /// Calls that have not been waited for.
    begun: Vec<Call>,
    /// Calls whose files this device has removed.
    removed: u64,
}

/// A call that has begun: this device's part is where the others find it.
struct Call {
    number: u64,
    /// The buffer that it is for.
    address: u64,
    sums: bool,
    /// All calls up to this one had been waited for when it began.
    ended: u64,
}

impl FolderGroup {
    pub(crate) fn new(member: Member) -> FolderGroup {
        FolderGroup { member, calls: 0, begun: Vec::new(), removed: 0 }
    }

    fn begin(&mut self, device: &mut dyn Device, buffer: &Buffer, sums: bool) -> Result<(), Error> {
        if self.begun.iter().any(|call| call.address == buffer.address()) {
            return Err(Error::Group {
                doing: format!("exchanging `{}`", buffer.name()),
                message: "its exchange before has not been waited for".to_string(),
            });
        }
        let first = self.begun.iter().map(|call| call.number).min();
        let ended = first.map_or(self.calls, |first| first - 1);
        let (start, bytes) = part(buffer, self.member.rank, self.member.size)?;
        let mut data = vec![0; buffer.bytes()];
        device.time_copies(false);
        device.download(buffer, &mut data)?;
        self.calls += 1;
        let given = if sums { &data[..] } else { &data[start..start + bytes] };
        write_whole(&self.file(self.calls, self.member.rank), given)?;
        // What is on its way here must not be used: on the simulator its use is a hazard from now on.
        if sums {
            device.forget(buffer, start, bytes)?;
        } else {
            device.forget(buffer, 0, start)?;
            device.forget(buffer, start + bytes, buffer.bytes() - start - bytes)?;
        }
        self.begun.push(Call { number: self.calls, address: buffer.address(), sums, ended });
        Ok(())
    }

    fn file(&self, call: u64, rank: usize) -> PathBuf {
        self.member.folder.join(format!("{call}-{rank}"))
    }

    /// What the device of this rank gave to a call.
    fn given(&self, call: &Call, rank: usize) -> Result<Vec<u8>, Error> {
        read_when_there(&self.file(call.number, rank), self.member.patience, rank)
    }
}

impl Group for FolderGroup {
    fn rank(&self) -> usize {
        self.member.rank
    }

    fn size(&self) -> usize {
        self.member.size
    }

    fn says(&self) -> String {
        "files".to_string()
    }

    fn all_gather(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        self.begin(device, buffer, false)
    }

    fn reduce_scatter(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        self.begin(device, buffer, true)
    }

    fn wait(&mut self, device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        let Some(at) = self.begun.iter().position(|call| call.address == buffer.address()) else {
            return Ok(());
        };
        let call = self.begun.remove(at);
        device.time_copies(false);
        let mut data = vec![0; buffer.bytes()];
        device.download(buffer, &mut data)?;
        let (start, bytes) = part(buffer, self.member.rank, self.member.size)?;
        let own = start..start + bytes;
        let mut total = vec![0f32; bytes / size_of::<f32>()];
        for rank in 0..self.member.size {
            let given = self.given(&call, rank)?;
            if call.sums {
                let theirs: &[u8] = given.get(own.clone()).unwrap_or_default();
                for (sum, value) in total.iter_mut().zip(theirs.chunks_exact(size_of::<f32>())) {
                    *sum += bytemuck::pod_read_unaligned::<f32>(value);
                }
            } else {
                let (start, bytes) = part(buffer, rank, self.member.size)?;
                let there = &mut data[start..start + bytes];
                if given.len() == there.len() {
                    there.copy_from_slice(&given);
                }
            }
        }
        if call.sums {
            data[own].copy_from_slice(bytemuck::cast_slice(&total));
        }
        // Who has given to this call has read all that had been waited for before it began: all make the same calls.
        for number in self.removed + 1..=call.ended {
            let _ = fs::remove_file(self.file(number, self.member.rank));
            self.removed = number;
        }
        device.upload(buffer, &data)?;
        device.time_copies(true);
        Ok(())
    }
}

/// Writes a file that has its name only when it is whole.
pub(crate) fn write_whole(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |source| Error::Group {
        doing: format!("writing {}", file.display()),
        message: format!("{source}; name a folder that all devices can write to"),
    };
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut whole = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
    whole.write_all(bytes).map_err(failed)?;
    whole.persist(file).map_err(|error| failed(error.error))?;
    Ok(())
}

/// Reads a file as soon as it is there.
pub(crate) fn read_when_there(
    file: &Path,
    patience: Duration,
    rank: usize,
) -> Result<Vec<u8>, Error> {
    let began = Instant::now();
    loop {
        match fs::read(file) {
            Ok(bytes) => return Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Error::Group {
                    doing: format!("reading {}", file.display()),
                    message: error.to_string(),
                });
            }
        }
        if began.elapsed() > patience {
            return Err(Error::Group {
                doing: format!("waiting for {}", file.display()),
                message: format!(
                    "device {rank} has not written it within {} s: has it failed, or does it see another folder?",
                    patience.as_secs()
                ),
            });
        }
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_waited_for_and_read_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("id");
        let late = file.clone();
        let writer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            write_whole(&late, &[7; 128]).unwrap();
        });
        assert_eq!(read_when_there(&file, Duration::from_secs(10), 0).unwrap(), [7; 128]);
        writer.join().unwrap();
    }

    #[test]
    fn a_file_that_never_comes_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("id");
        let error = read_when_there(&file, Duration::from_millis(5), 3).unwrap_err().to_string();
        assert!(error.contains("device 3") && error.contains("id"), "{error}");
    }

    #[test]
    fn a_folder_that_is_not_there_is_told_of() {
        let error = write_whole(Path::new("/nowhere/at/all"), &[1]).unwrap_err().to_string();
        assert!(error.contains("/nowhere/at/all"), "{error}");
    }
}
