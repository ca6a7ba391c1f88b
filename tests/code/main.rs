//! Rules of the code base, checked on its text: layers, places, sizes, words, comments. Uses only the standard library.

mod comments;
mod documents;
mod functions;
mod layers;
mod packages;
mod places;
mod sizes;
mod source;
mod words;
