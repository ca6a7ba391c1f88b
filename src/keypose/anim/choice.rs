//! Enumerations whose items have a name.

/// Declares an enumeration with `ALL`, the items in order, `name`, the name of an item in panels, scripts and files, and `named`, the
/// item of a name. The editor uses it, too.
#[doc(hidden)]
#[macro_export]
macro_rules! choice {
    ($(#[$attribute:meta])* pub enum $choice:ident {
        $($(#[$item_attribute:meta])* $item:ident = $name:literal,)*
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice {
            $($(#[$item_attribute])* $item,)*
        }

        impl $choice {
            /// All items, in display order.
            pub const ALL: [$choice; [$($name),*].len()] = [$($choice::$item),*];

            /// Returns the name of the item.
            pub const fn name(self) -> &'static str {
                match self {
                    $($choice::$item => $name,)*
                }
            }

            /// Finds the item of a name.
            #[allow(dead_code)]
            pub fn named(name: &str) -> Option<$choice> {
                $choice::ALL.into_iter().find(|item| item.name() == name)
            }
        }
    };
}

pub use crate::choice;
