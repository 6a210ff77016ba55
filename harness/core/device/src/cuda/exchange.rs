//! A GPU's way to the others through NCCL.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::Arc;

use cudarc::driver::result::stream::get_priority_range;
use cudarc::driver::{CudaContext, CudaEvent, CudaStream};

use super::driver::failed;
use super::nccl::{FLOAT, Handle, Nccl, SUM, UniqueId};
use crate::api::buffer::Buffer;
use crate::api::device::{Device, Group};
use crate::api::member::Member;
use crate::error::Error;
use crate::group::{part, read_when_there, write_whole};

/// The file in which the first rank leaves what the others need to find it.
const ID: &str = "nccl-id";

/// A communicator and the stream on which it works, besides that of the launches.
pub(crate) struct NcclGroup {
    nccl: &'static Nccl,
    member: Member,
    communicator: Handle,
    context: Arc<CudaContext>,
    /// Where kernels are launched.
    launches: Arc<CudaStream>,
    /// Where data is exchanged.
    exchange: Arc<CudaStream>,
    /// The launches that come before an exchange have ended.
    ready: CudaEvent,
    /// For each buffer, by its address: its exchange has ended.
    done: BTreeMap<u64, (CudaEvent, bool)>,
}

// SAFETY: a communicator may be used from any thread, by one at a time (NCCL's guide, "Thread Safety").
unsafe impl Send for NcclGroup {}

impl NcclGroup {
    /// Meets the other ranks; returns when all are there.
    pub(crate) fn join(
        context: &Arc<CudaContext>,
        launches: &Arc<CudaStream>,
        member: &Member,
    ) -> Result<NcclGroup, Error> {
        let nccl = Nccl::find()?;
        let opening = failed("preparing to exchange data");
        context.bind_to_thread().map_err(&opening)?;
        let id = unique_id(nccl, member)?;
        let mut communicator: Handle = std::ptr::null_mut();
        let (size, rank) = (member.size as i32, member.rank as i32);
        // SAFETY: the pointer is to a handle that lives through the call; the GPU's context is bound.
        let status = unsafe { (nccl.init_rank)(&mut communicator, size, id, rank) };
        nccl.check(|| format!("bringing {size} GPUs together"), status)?;
        // Exchanges go first: the sooner they end, the more launches overlap them.
        let (_, greatest) = get_priority_range().map_err(&opening)?;
        let exchange = context.new_stream_with_priority(greatest).map_err(&opening)?;
        let group = NcclGroup {
            nccl,
            member: member.clone(),
            communicator,
            context: context.clone(),
            launches: launches.clone(),
            exchange,
            ready: context.new_event(None).map_err(&opening)?,
            done: BTreeMap::new(),
        };
        if member.rank == 0 {
            // Everybody has read it.
            let _ = std::fs::remove_file(member.folder.join(ID));
        }
        Ok(group)
    }

    /// Runs `work` on the stream for exchanges, after the launches so far. It gets the address of the buffer, which holds as many
    /// parts as there are ranks, that of this rank's part, in its place, and the numbers of a part. The buffer outlives the
    /// work, as freeing it waits.
    fn exchange(
        &mut self,
        buffer: &Buffer,
        work: impl FnOnce(&Nccl, (*mut c_void, *mut c_void, usize), Handle, *mut c_void) -> i32,
    ) -> Result<(), Error> {
        let (start, bytes) = part(buffer, self.member.rank, self.member.size)?;
        let all = buffer.address() as *mut c_void;
        let own = (buffer.address() + start as u64) as *mut c_void;
        let parts = (all, own, bytes / size_of::<f32>());
        let exchanging = failed(format!("exchanging `{}`", buffer.name()));
        self.context.bind_to_thread().map_err(&exchanging)?;
        self.ready.record(&self.launches).map_err(&exchanging)?;
        self.exchange.wait(&self.ready).map_err(&exchanging)?;
        let status = work(self.nccl, parts, self.communicator, self.exchange.cu_stream().cast());
        self.nccl.check(|| format!("exchanging `{}`", buffer.name()), status)?;
        if !self.done.contains_key(&buffer.address()) {
            let event = self.context.new_event(None).map_err(&exchanging)?;
            self.done.insert(buffer.address(), (event, false));
        }
        if let Some((event, begun)) = self.done.get_mut(&buffer.address()) {
            event.record(&self.exchange).map_err(&exchanging)?;
            *begun = true;
        }
        Ok(())
    }
}

/// What the ranks need to find each other: the first makes it, the others read it from the member's folder.
fn unique_id(nccl: &Nccl, member: &Member) -> Result<UniqueId, Error> {
    let file = member.folder.join(ID);
    if member.rank == 0 {
        let mut id = UniqueId::NONE;
        // SAFETY: the pointer is to an id that lives through the call.
        let status = unsafe { (nccl.unique_id)(&mut id) };
        nccl.check(|| "making an id for the GPUs' group".to_string(), status)?;
        write_whole(&file, &id.bytes())?;
        return Ok(id);
    }
    let bytes = read_when_there(&file, member.patience, 0)?;
    UniqueId::from_bytes(&bytes).ok_or_else(|| Error::Group {
        doing: format!("reading {}", file.display()),
        message: format!("it has {} bytes, and an id has 128; remove the file", bytes.len()),
    })
}

impl Drop for NcclGroup {
    fn drop(&mut self) {
        // With a GPU that is lost this would wait for ever: an exchange that has failed leaves the communicator to the process's end.
        if self.context.synchronize().is_ok() {
            // SAFETY: this is the handle's only owner, and no exchange is under way.
            unsafe { (self.nccl.destroy)(self.communicator) };
        }
    }
}

impl Group for NcclGroup {
    fn rank(&self) -> usize {
        self.member.rank
    }

    fn size(&self) -> usize {
        self.member.size
    }

    fn says(&self) -> String {
        format!("NCCL {}", self.nccl.version())
    }

    fn all_gather(&mut self, _: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        self.exchange(buffer, |nccl, (all, own, count), communicator, stream| {
            // SAFETY: `exchange` gives addresses as NCCL wants them for work in place.
            unsafe { (nccl.all_gather)(own, all, count, FLOAT, communicator, stream) }
        })
    }

    fn reduce_scatter(&mut self, _: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        self.exchange(buffer, |nccl, (all, own, count), communicator, stream| {
            // SAFETY: as above.
            unsafe { (nccl.reduce_scatter)(all, own, count, FLOAT, SUM, communicator, stream) }
        })
    }

    fn wait(&mut self, _: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
        match self.done.get_mut(&buffer.address()) {
            Some((event, begun)) if *begun => {
                *begun = false;
                let waiting = failed(format!("waiting for `{}`", buffer.name()));
                self.launches.wait(event).map_err(waiting)
            }
            _ => Ok(()),
        }
    }
}
