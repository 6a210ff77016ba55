//! What several figures say of warps.

/// Lanes of a warp.
pub const WARP: usize = 32;

/// The word that each lane wants.
pub type Word = fn(usize) -> usize;

/// So many of something.
pub fn counted(count: usize, what: &str) -> String {
    let plural = if what.ends_with('s') { "es" } else { "s" };
    format!("{count} {what}{}", if count == 1 { "" } else { plural })
}
