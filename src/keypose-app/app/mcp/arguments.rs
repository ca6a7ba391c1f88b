//! The arguments of a tool call, checked against the tool's table.

use serde_json::{Map, Value};

use crate::app::mcp::tools::{Kind, Tool};

/// Arguments that the tool has, of the right kinds.
#[derive(Debug)]
pub struct Arguments(Map<String, Value>);

impl Arguments {
    /// Checks the arguments of a call; none are an empty object.
    ///
    /// # Errors
    /// The first argument that is unknown, missing or of another kind.
    pub fn new(arguments: Option<&Value>, tool: &Tool) -> Result<Arguments, String> {
        let given = match arguments {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(given)) => given.clone(),
            Some(_) => return Err(format!("{}: arguments must be an object", tool.name)),
        };
        for (name, value) in &given {
            let Some(argument) = tool.arguments.iter().find(|argument| argument.name == name) else {
                let names: Vec<&str> = tool.arguments.iter().map(|argument| argument.name).collect();
                return Err(format!("{}: unknown argument \"{name}\"; expected {}", tool.name, names.join(", ")));
            };
            if !argument.kind.fits(value) {
                return Err(format!("{}: {name} must be {}", tool.name, argument.kind.describe()));
            }
        }
        match tool.arguments.iter().find(|argument| argument.is_required && !given.contains_key(argument.name)) {
            Some(missing) => Err(format!("{}: {} is missing", tool.name, missing.name)),
            None => Ok(Arguments(given)),
        }
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A text, or the name of a choice.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// A whole number.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.0.get(name).and_then(Value::as_u64)
    }

    /// Whether a switch is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or_default()
    }
}

impl Kind {
    fn fits(self, value: &Value) -> bool {
        match self {
            Kind::Text => value.is_string(),
            Kind::Choice(names) => value.as_str().is_some_and(|value| names.contains(&value)),
            Kind::Count(min, max) => value.as_u64().is_some_and(|value| (min..=max).contains(&value)),
            Kind::Switch => value.is_boolean(),
        }
    }

    fn describe(self) -> String {
        match self {
            Kind::Text => "a text".to_owned(),
            Kind::Choice(names) => format!("one of {}", names.join(", ")),
            Kind::Count(min, max) => format!("a whole number from {min} to {max}"),
            Kind::Switch => "true or false".to_owned(),
        }
    }
}
