//! Values in the JSON of extensions and `extras`, which may be of any type.

use glam::Vec3;
use serde_json::Value;

/// A number as `f32`, infinite if it is beyond its range.
#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
pub fn float(value: &Value) -> Option<f32> {
    value.as_f64().map(|number| number as f32)
}

/// A number that is finite as `f32`.
pub fn finite(value: &Value) -> Option<f32> {
    float(value).filter(|number| number.is_finite())
}

/// A whole number that is in the range of its type.
pub fn whole<T: TryFrom<u64>>(value: &Value) -> Option<T> {
    T::try_from(value.as_u64()?).ok()
}

/// A list of three numbers.
pub fn vector(value: &Value) -> Option<Vec3> {
    let [x, y, z] = value.as_array()?.as_slice() else { return None };
    Some(Vec3::new(float(x)?, float(y)?, float(z)?))
}

/// The items of a list; none if it isn't one.
pub fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.and_then(Value::as_array).into_iter().flatten()
}
