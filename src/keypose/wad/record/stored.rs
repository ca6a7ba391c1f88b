//! Conversion between values and the records that store them: the trait [`Stored`], its implementations for plain types,
//! and the macro `record!`, which declares a record together with its conversion.
//!
//! A record is declared field by field, so a change of a runtime type never changes a record: it stops compiling, and the
//! conversion is then written by hand or a new version of the record is added.

use std::fmt;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use crate::anim::clip::KeyframeKind;
use crate::anim::key::{Channel, Ease, HandleKind};
use crate::anim::scalar::MAX_SCALARS;
use crate::anim::shared_list::SharedList;
use crate::anim::time::Time;
use crate::assets::model::Visibility;
use crate::wad::error::Fault;

/// Why a value can't be stored or read: the path of the field, and the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct Invalid {
    path: String,
    reason: String,
}

impl Invalid {
    pub fn new(reason: impl Into<String>) -> Invalid {
        Invalid { path: String::new(), reason: reason.into() }
    }

    /// The error as seen from the value that contains the field.
    pub fn within(self, field: &str) -> Invalid {
        let joint = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        Invalid { path: format!("{field}{joint}{}", self.path), ..self }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}{}", self.path, self.reason)
    }
}

impl From<String> for Invalid {
    fn from(reason: String) -> Invalid {
        Invalid::new(reason)
    }
}

impl From<&str> for Invalid {
    fn from(reason: &str) -> Invalid {
        Invalid::new(reason)
    }
}

impl From<Invalid> for Fault {
    fn from(error: Invalid) -> Fault {
        Fault::from(error.to_string())
    }
}

/// A value that the record `R` stores.
pub trait Stored<R>: Sized {
    fn to_record(&self) -> Result<R, Invalid>;
    fn from_record(record: R) -> Result<Self, Invalid>;
}

macro_rules! stored_unchanged {
    ($($type:ty),*) => {$(
        impl Stored<$type> for $type {
            fn to_record(&self) -> Result<$type, Invalid> {
                Ok(self.clone())
            }

            fn from_record(record: $type) -> Result<$type, Invalid> {
                Ok(record)
            }
        }
    )*};
}

stored_unchanged!(u8, u16, u32, u64, i64, bool, String);

macro_rules! stored_as {
    ($($type:ty as $record:ty, |$value:ident| $store:expr, |$stored:ident| $load:expr;)*) => {$(
        impl Stored<$record> for $type {
            fn to_record(&self) -> Result<$record, Invalid> {
                let $value = self;
                $store
            }

            fn from_record($stored: $record) -> Result<$type, Invalid> {
                $load
            }
        }
    )*};
}

stored_as! {
    f32 as f32, |value| finite(*value), |stored| finite(stored);
    Vec2 as [f32; 2], |value| value.to_array().to_record(), |stored| Stored::from_record(stored).map(Vec2::from_array);
    Vec3 as [f32; 3], |value| value.to_array().to_record(), |stored| Stored::from_record(stored).map(Vec3::from_array);
    // x, y, z, w.
    Quat as [f32; 4], |value| value.to_array().to_record(), |stored| Stored::from_record(stored).map(Quat::from_array);
    Time as i64, |value| Ok(value.0), |stored| Ok(Time(stored));
    usize as u32,
        |value| u32::try_from(*value).map_err(|_| Invalid::new(format!("{value} is out of range"))),
        |stored| Ok(usize::try_from(stored).unwrap_or(usize::MAX));
    Channel as u8,
        |value| u8::try_from(channel_number(*value)).map_err(|_| Invalid::new("the number of the scalar is out of range")),
        |stored| channel(stored.into());
    Channel as u16, |value| Ok(channel_number(*value)), |stored| channel(stored);
    // Whether it is hidden.
    Visibility as bool,
        |value| Ok(*value == Visibility::Hidden),
        |stored| Ok(if stored { Visibility::Hidden } else { Visibility::Shown });
}

/// The number itself, -0 as 0.
fn finite(value: f32) -> Result<f32, Invalid> {
    if value.is_finite() {
        Ok(if value == 0.0 { 0.0 } else { value })
    } else {
        Err(Invalid::new(format!("{value} is not finite")))
    }
}

/// The number that stores a channel: transforms first, then scalars.
pub fn channel_number(channel: Channel) -> u16 {
    match channel {
        Channel::Translation => 0,
        Channel::Rotation => 1,
        Channel::Scale => 2,
        Channel::Scalar(scalar) => FIRST_SCALAR.saturating_add(scalar),
    }
}

/// The eases by the numbers that store them.
pub const EASES: [Ease; 3] = [Ease::Step, Ease::Linear, Ease::Cubic];
/// The kinds of handles by the numbers that store them.
pub const HANDLES: [HandleKind; 5] =
    [HandleKind::Auto, HandleKind::Flat, HandleKind::Vector, HandleKind::Aligned, HandleKind::Free];

/// The kinds of keyframes by the numbers that store them.
pub const KINDS: [KeyframeKind; 3] = [KeyframeKind::Plain, KeyframeKind::Extreme, KeyframeKind::Breakdown];

/// The number of a value in a table of all its values.
pub fn number_in<T: PartialEq>(table: &[T], value: &T) -> u8 {
    let at = table.iter().position(|known| known == value);
    at.and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

/// The number that stores the first scalar.
const FIRST_SCALAR: u16 = 3;

/// The channel of a stored number.
pub fn channel(stored: u16) -> Result<Channel, Invalid> {
    let scalar = || stored.checked_sub(FIRST_SCALAR).filter(|scalar| usize::from(*scalar) < MAX_SCALARS);
    let channel = Channel::ALL.get(usize::from(stored)).copied().or_else(|| scalar().map(Channel::Scalar));
    channel.ok_or_else(|| Invalid::new(format!("unknown channel {stored}")))
}

/// The channel of a transform of a stored number.
pub fn transform_channel(stored: u8) -> Result<Channel, Invalid> {
    let channel = Channel::ALL.get(usize::from(stored)).copied();
    channel.ok_or_else(|| Invalid::new(format!("unknown channel {stored}")))
}

impl<R, T: Stored<R>> Stored<R> for Arc<T> {
    fn to_record(&self) -> Result<R, Invalid> {
        T::to_record(self)
    }

    fn from_record(record: R) -> Result<Arc<T>, Invalid> {
        T::from_record(record).map(Arc::new)
    }
}

impl<R, T: Stored<R>> Stored<Option<R>> for Option<T> {
    fn to_record(&self) -> Result<Option<R>, Invalid> {
        self.as_ref().map(T::to_record).transpose()
    }

    fn from_record(record: Option<R>) -> Result<Option<T>, Invalid> {
        record.map(T::from_record).transpose()
    }
}

impl<R, T: Stored<R>> Stored<Vec<R>> for Vec<T> {
    fn to_record(&self) -> Result<Vec<R>, Invalid> {
        all(self.iter().map(T::to_record))
    }

    fn from_record(record: Vec<R>) -> Result<Vec<T>, Invalid> {
        all(record.into_iter().map(T::from_record))
    }
}

impl<R, T: Stored<R>> Stored<Vec<R>> for SharedList<T> {
    fn to_record(&self) -> Result<Vec<R>, Invalid> {
        all(self.iter().map(T::to_record))
    }

    fn from_record(record: Vec<R>) -> Result<SharedList<T>, Invalid> {
        all(record.into_iter().map(T::from_record))
    }
}

impl<R, T: Stored<R>, const N: usize> Stored<[R; N]> for [T; N] {
    fn to_record(&self) -> Result<[R; N], Invalid> {
        array(all(self.iter().map(T::to_record))?)
    }

    fn from_record(record: [R; N]) -> Result<[T; N], Invalid> {
        array(all(record.into_iter().map(T::from_record))?)
    }
}

impl<A, B, T: Stored<A>, U: Stored<B>> Stored<(A, B)> for (T, U) {
    fn to_record(&self) -> Result<(A, B), Invalid> {
        Ok((self.0.to_record()?, self.1.to_record()?))
    }

    fn from_record((first, second): (A, B)) -> Result<(T, U), Invalid> {
        Ok((T::from_record(first)?, U::from_record(second)?))
    }
}

/// Every item, or the first error with its index.
fn all<T, L: FromIterator<T>>(items: impl Iterator<Item = Result<T, Invalid>>) -> Result<L, Invalid> {
    items.enumerate().map(|(at, item)| item.map_err(|error| error.within(&format!("[{at}]")))).collect()
}

fn array<T, const N: usize>(items: Vec<T>) -> Result<[T; N], Invalid> {
    items.try_into().map_err(|_| Invalid::new(format!("{N} values needed")))
}

/// Declares a record and its conversion from and to a value with the same fields or variants. A field is stored as the
/// type that is given here. A value that is `checked` has a method for it.
macro_rules! record {
    ($(#[$meta:meta])* struct $record:ident of $value:ident $($checked:ident)? { $($(#[$about:meta])* $field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(serde::Serialize, serde::Deserialize)]
        pub struct $record {
            $($(#[$about])* pub $field: $type,)*
        }

        impl $crate::wad::record::stored::Stored<$record> for $value {
            fn to_record(&self) -> Result<$record, $crate::wad::record::stored::Invalid> {
                let $value { $($field),* } = self;
                Ok($record {
                    $($field: $crate::wad::record::stored::Stored::to_record($field)
                        .map_err(|error| error.within(stringify!($field)))?,)*
                })
            }

            fn from_record(record: $record) -> Result<$value, $crate::wad::record::stored::Invalid> {
                let $record { $($field),* } = record;
                let value = $value {
                    $($field: $crate::wad::record::stored::Stored::from_record($field)
                        .map_err(|error| error.within(stringify!($field)))?,)*
                };
                $(record!(@$checked value);)?
                Ok(value)
            }
        }
    };
    (@checked $value:ident) => { $value.check()?; };
    ($(#[$meta:meta])* enum $record:ident of $value:ident {
        $($variant:ident $({ $($field:ident: $type:ty),* $(,)? })? $(( $($part:ident: $part_type:ty),* ))?),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $record {
            $($variant $({ $($field: $type),* })? $(( $($part_type),* ))?,)*
        }

        impl $crate::wad::record::stored::Stored<$record> for $value {
            fn to_record(&self) -> Result<$record, $crate::wad::record::stored::Invalid> {
                Ok(match self {
                    $($value::$variant $({ $($field),* })? $(( $($part),* ))? => $record::$variant
                        $({ $($field: $crate::wad::record::stored::Stored::to_record($field)
                            .map_err(|error| error.within(stringify!($field)))?),* })?
                        $(( $($crate::wad::record::stored::Stored::to_record($part)
                            .map_err(|error| error.within(stringify!($part)))?),* ))?,)*
                })
            }

            fn from_record(record: $record) -> Result<$value, $crate::wad::record::stored::Invalid> {
                Ok(match record {
                    $($record::$variant $({ $($field),* })? $(( $($part),* ))? => $value::$variant
                        $({ $($field: $crate::wad::record::stored::Stored::from_record($field)
                            .map_err(|error| error.within(stringify!($field)))?),* })?
                        $(( $($crate::wad::record::stored::Stored::from_record($part)
                            .map_err(|error| error.within(stringify!($part)))?),* ))?,)*
                })
            }
        }
    };
}

pub(super) use record;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_names_the_path_of_the_field() {
        let points = vec![Vec2::ZERO, Vec2::new(1.0, f32::NAN)];
        let error = Stored::<Vec<[f32; 2]>>::to_record(&points).unwrap_err().within("points").within("motion");
        assert_eq!(error.to_string(), "motion.points[1][1]: NaN is not finite");
    }
}
