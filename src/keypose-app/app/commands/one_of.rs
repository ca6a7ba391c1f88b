//! Options that take one of a list of values by its name.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses the name of one of `values`. Help lists the names and meanings that `shown` gives.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    values: &'static [T],
    shown: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().map(|value| shown(*value))).map(move |name| {
        let found = values.iter().find(|value| shown(**value).get_name() == name);
        *found.expect("the parser accepts only these names")
    })
}
