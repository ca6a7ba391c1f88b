//! Rules of the code base, checked on its source text.

mod layers;
