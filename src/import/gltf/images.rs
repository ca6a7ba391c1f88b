//! Images: PNG and JPEG, from buffer views, data URIs and files.

use std::borrow::Cow;

use gltf::json::image::Image;
use gltf::json::{Index, Root};

use crate::import::ReadFile;
use crate::import::assembly::textures::Textures;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::uri::{self, Uri};
use crate::import::report::Report;

/// Decodes each image once, when a material first uses it.
pub struct Images<'a, 'r> {
    root: &'a Root,
    reader: &'a Reader<'a>,
    read: &'a mut ReadFile<'r>,
    /// The textures, by the index of their image; `None` is a missing one.
    pub textures: Textures<Option<usize>>,
}

impl<'a, 'r> Images<'a, 'r> {
    /// Starts with no decoded image.
    pub fn new(root: &'a Root, reader: &'a Reader<'a>, read: &'a mut ReadFile<'r>) -> Images<'a, 'r> {
        Images { root, reader, read, textures: Textures::default() }
    }

    /// Returns the index of an image's texture. All missing images share one placeholder.
    pub fn texture(&mut self, image: Option<Index<Image>>, report: &mut Report) -> usize {
        let index = image.map(|image| image.value());
        if let Some(texture) = self.textures.known(&index) {
            return texture;
        }
        let json = index.and_then(|index| self.root.images.get(index));
        let place = index.map_or("texture".to_owned(), |index| format!("image {index}"));
        let found = json.ok_or_else(|| "image doesn't exist".to_owned()).and_then(|json| self.bytes(json));
        let file = json.and_then(|json| json.uri.as_deref()).filter(|uri| !uri.starts_with("data:"));
        let name = json.and_then(|json| json.name.as_deref().filter(|name| !name.trim().is_empty()).or(file));
        let found = found.as_deref().map_err(String::clone);
        self.textures.add(index, (name.unwrap_or(&place), &place), found, report)
    }

    fn bytes(&mut self, json: &Image) -> Result<Cow<'a, [u8]>, String> {
        match (json.buffer_view, &json.uri) {
            (Some(view), _) => {
                let bytes = self.reader.view(view.value(), &"data").map_err(|fault| fault.to_string())?;
                Ok(Cow::Borrowed(bytes))
            }
            (None, Some(uri)) => match uri::parse(uri)? {
                Uri::Data(bytes) => Ok(Cow::Owned(bytes)),
                Uri::File(path) => (self.read)(&path).map(Cow::Owned),
            },
            (None, None) => Err("neither a buffer view nor a URI".into()),
        }
    }
}
