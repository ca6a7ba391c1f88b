//! Floor 2: the archive, names to bytes and bytes to assets. Bytes in, values out; opens no file, never panics.
