//! A list of the document as text: as values, the accessors of many clips would take ten times the memory of the file.

use std::fmt::Write;

use serde_json::Value;

/// Items of a list, encoded.
#[derive(Default)]
pub struct List {
    text: String,
    count: usize,
}

impl List {
    /// Adds an item. Returns its index.
    pub fn push(&mut self, item: &Value) -> usize {
        let comma = if self.count == 0 { "" } else { "," };
        // Writing to a string doesn't fail.
        let _ = write!(self.text, "{comma}{item}");
        self.count += 1;
        self.count - 1
    }

    /// The count of items.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The items between brackets; `None` for an empty list, which glTF doesn't allow (2.0, section 5).
    pub fn into_text(mut self) -> Option<String> {
        self.text.insert(0, '[');
        self.text.push(']');
        (self.count > 0).then_some(self.text)
    }
}

impl FromIterator<Value> for List {
    fn from_iter<Items: IntoIterator<Item = Value>>(items: Items) -> List {
        let mut list = List::default();
        for item in items {
            list.push(&item);
        }
        list
    }
}
