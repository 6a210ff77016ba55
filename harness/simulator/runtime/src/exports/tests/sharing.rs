//! Memory and events by handles, as another process gets them; here the same one does.

use std::sync::PoisonError;

use super::super::entry::with;
use super::super::{copies, device, events, memory, sharing};
use super::RUNTIME;
use crate::error;
use crate::host::{Out, Pointer};

#[test]
fn what_is_written_through_one_pointer_is_read_through_the_other() {
    let _alone = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let used = || with("test", |cuda| cuda.simulator.used_bytes());
    let before = used();
    let (mut pointer, mut other) = (0_u64, 0_u64);
    let (mut handle, mut of_event) = (sharing::Handle::new(0), sharing::Handle::new(0));
    let mut words = [1_u32, 2, 3, 4, 5];
    let at = |word: &mut u32| Pointer::to(word);
    assert_eq!(memory::cudaMalloc(Out::to(&mut pointer), 20), 0);
    assert_eq!(copies::cudaMemcpy(Pointer::of_device(pointer), at(&mut words[0]), 20, 1), 0);
    assert_eq!(sharing::cudaIpcGetMemHandle(Out::to(&mut handle), pointer + 8), 0);
    assert_eq!(sharing::cudaIpcOpenMemHandle(Out::to(&mut other), handle, 0), 0);
    assert_ne!(other, pointer + 8);

    // What was there before, and what each writes.
    let mut read = [0_u32; 3];
    assert_eq!(copies::cudaMemcpy(at(&mut read[0]), Pointer::of_device(other), 12, 2), 0);
    assert_eq!(read, [3, 4, 5]);
    let mut nine = 9_u32;
    assert_eq!(copies::cudaMemcpy(Pointer::of_device(other + 4), at(&mut nine), 4, 1), 0);
    assert_eq!(copies::cudaMemset(Pointer::of_device(pointer + 8), 0, 4), 0);
    assert_eq!(copies::cudaMemcpy(at(&mut read[0]), Pointer::of_device(other), 12, 2), 0);
    assert_eq!(read, [0, 9, 5]);
    assert_eq!(copies::cudaMemcpy(at(&mut words[0]), Pointer::of_device(pointer), 20, 2), 0);
    assert_eq!(words, [1, 2, 0, 9, 5]);

    let (mut event, mut opened) = (0, 0);
    assert_eq!(events::cudaEventCreate(Out::to(&mut event)), 0);
    assert_eq!(sharing::cudaIpcGetEventHandle(Out::to(&mut of_event), event), 0);
    assert_eq!(sharing::cudaIpcOpenEventHandle(Out::to(&mut opened), of_event), 0);
    assert_eq!(events::cudaStreamWaitEvent(0, opened, 0), 0);
    assert_eq!(events::cudaEventSynchronize(opened), 0);
    let wrong = sharing::cudaIpcOpenEventHandle(Out::to(&mut opened), handle);
    assert_eq!(wrong, error::INVALID_HANDLE.0);
    let wrong = sharing::cudaIpcOpenMemHandle(Out::to(&mut other), of_event, 0);
    assert_eq!(wrong, error::INVALID_HANDLE.0);

    // The owner's memory goes first; whoever maps it still has it.
    assert_eq!(memory::cudaFree(pointer), 0);
    assert_eq!(copies::cudaMemcpy(at(&mut read[0]), Pointer::of_device(other), 12, 2), 0);
    assert_eq!(read, [0, 9, 5]);
    assert_eq!(sharing::cudaIpcCloseMemHandle(other), 0);
    assert_eq!(used(), before);
    let gone = sharing::cudaIpcOpenMemHandle(Out::to(&mut other), handle, 0);
    assert_eq!(gone, error::NOT_SUPPORTED.0, "nobody has the file any more");
    device::cudaGetLastError();
}
