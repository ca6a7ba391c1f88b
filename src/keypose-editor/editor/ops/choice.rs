//! Enumerations whose items have a label, such as the choices of a menu.

/// Declares an enumeration with `ALL`, the items in order, and `name`, the label of an item in panels and its word in scripts and files.
macro_rules! choice {
    ($(#[$attribute:meta])* pub enum $choice:ident {
        $($(#[$item_attribute:meta])* $item:ident = $label:literal,)*
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $choice {
            $($(#[$item_attribute])* $item,)*
        }

        impl $choice {
            /// All items, in the order of menus.
            pub const ALL: [$choice; [$($label),*].len()] = [$($choice::$item),*];

            /// The label of the item.
            pub fn name(self) -> &'static str {
                match self {
                    $($choice::$item => $label,)*
                }
            }
        }
    };
}

pub(in crate::editor) use choice;
