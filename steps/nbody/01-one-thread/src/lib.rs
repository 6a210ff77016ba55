//! Step 01.
