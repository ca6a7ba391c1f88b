//! Floor 2: pictures to foreign bytes: PNG, GIF.
