//! Kinds as one table: the variants of an enum, each with its name.

/// Declares an enum of kinds, with `COUNT`, with `ALL` in the order of the table, and with `name`.
///
/// ```
/// ptx::kinds! {
///     /// A direction.
///     #[derive(Debug, Clone, Copy, PartialEq)]
///     pub enum Way {
///         /// To a register.
///         In = "load",
///         /// To memory.
///         Out = "store",
///     }
/// }
/// assert_eq!(Way::ALL.map(Way::name), ["load", "store"]);
/// ```
#[macro_export]
macro_rules! kinds {
    ($(#[$about:meta])* $visible:vis enum $name:ident {
        $($(#[$doc:meta])* $kind:ident = $text:literal,)*
    }) => {
        $(#[$about])*
        $visible enum $name {
            $($(#[$doc])* $kind,)*
        }

        impl $name {
            /// Number of kinds.
            pub const COUNT: usize = $name::ALL.len();

            /// Every kind, in order.
            pub const ALL: [$name; [$($text),*].len()] = [$($name::$kind),*];

            /// What readers call it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($name::$kind => $text,)*
                }
            }
        }
    };
}
