//! Floor 4: the gameplay mode. Deterministic: no files, no clock, no editor.
