//! What the page calls: it asks for room, writes a question there, has it answered and reads the answer.

use std::cell::RefCell;

thread_local! {
    /// The question, then the answer in its place. WebAssembly has one thread.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a question of so many bytes; its address.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        text.clear();
        text.resize(bytes, 0);
        text.as_mut_ptr()
    })
}

/// Answers the question in the room; the answer's length.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    let question = TEXT.with_borrow(|text| String::from_utf8_lossy(text).into_owned());
    let answer = crate::answer(&question).into_bytes();
    TEXT.with_borrow_mut(|text| {
        *text = answer;
        text.len()
    })
}

/// The address of the answer.
#[unsafe(no_mangle)]
extern "C" fn answer_address() -> *const u8 {
    TEXT.with_borrow(Vec::as_ptr)
}
