//! The options of one conversion of `printf`.

/// What may stand between `%` and the letter of the conversion.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spec {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternative: bool,
    pub zeros: bool,
    pub width: usize,
    pub precision: Option<usize>,
}
