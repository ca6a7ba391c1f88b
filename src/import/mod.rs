//! Floor 2: foreign bytes to assets, with a report of what was changed or left behind.
