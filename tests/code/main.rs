//! Rules of the code base, checked on its text: layers, places, sizes, words. Uses only the standard library.

mod documents;
mod functions;
mod layers;
mod places;
mod sizes;
mod source;
mod words;
