//! Images: PNG, JPEG and WebP, from buffer views, data URIs and files.

use std::borrow::Cow;

use gltf::json::Root;
use gltf::json::image::Image;
use gltf::json::texture::Texture;

use crate::import::ReadFile;
use crate::import::assembly::textures::Textures;
use crate::import::gltf::accessor::Reader;
use crate::import::gltf::json::whole;
use crate::import::gltf::uri::{self, Uri};
use crate::import::report::{Findings, Report};

/// Decodes each image once, when a material first uses it.
pub struct Images<'a, 'r> {
    root: &'a Root,
    reader: &'a Reader<'a>,
    read: &'a mut ReadFile<'r>,
    /// The textures, by the places of their images.
    pub textures: Textures<Source>,
    /// Remaining bytes of images in buffers: no more than the buffers have, so images can't share most of them.
    in_buffers: usize,
}

/// Location of an image's bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum Source {
    /// In a buffer: their address and number.
    Buffer(usize, usize),
    /// In a file.
    File(String),
    /// In the image of that index, or nowhere.
    Image(Option<usize>),
}

impl<'a, 'r> Images<'a, 'r> {
    /// Starts with no decoded image.
    pub fn new(root: &'a Root, reader: &'a Reader<'a>, read: &'a mut ReadFile<'r>) -> Images<'a, 'r> {
        Images { root, reader, read, textures: Textures::default(), in_buffers: reader.input_bytes() }
    }

    /// Returns the index of a texture, by its index in the file. `None` if its image is in a format that is not supported.
    pub fn of_texture(&mut self, texture: usize, findings: &mut Findings<'_>) -> Option<usize> {
        let json = self.root.textures.get(texture);
        let extended = |name: &str| source_of(json?, name);
        // An index that is out of range is a texture without a source.
        let own = json.map(|json| json.source.value()).filter(|index| *index < self.root.images.len());
        let image = extended("EXT_texture_webp").or(own);
        if image.is_none() && extended("KHR_texture_basisu").is_some() {
            let place = format!("texture {texture}");
            findings.report.add(place, "Basis Universal (KHR_texture_basisu) is not supported; drawn without it");
            return None;
        }
        Some(self.of_image(image, findings.report))
    }

    /// Returns the index of an image's texture. All missing images share one placeholder.
    fn of_image(&mut self, index: Option<usize>, report: &mut Report) -> usize {
        let json = index.and_then(|index| self.root.images.get(index));
        let source = json.and_then(|json| self.shared_source(json)).unwrap_or(Source::Image(index));
        if let Some(texture) = self.textures.known(&source) {
            return texture;
        }
        let place = index.map_or("texture".to_owned(), |index| format!("image {index}"));
        let found = json.ok_or_else(|| "image doesn't exist".to_owned()).and_then(|json| self.bytes(json));
        let file = json.and_then(|json| json.uri.as_deref()).filter(|uri| !uri.starts_with("data:")).map(uri::decoded);
        let own = json.and_then(|json| json.name.as_deref()).filter(|name| !name.trim().is_empty());
        let name = own.or(file.as_deref());
        let found = found.as_deref().map_err(String::clone);
        // A missing image has the name of its file, by which it can be found.
        let missing = match &source {
            Source::File(path) if found.is_err() => path.rsplit('/').next().map(str::to_owned),
            _ => None,
        };
        let name = missing.as_deref().or(name).unwrap_or(&place);
        self.textures.add(source, (name, &place), found, report)
    }

    /// Returns the location of an image's bytes, if other images can share it.
    fn shared_source(&self, json: &Image) -> Option<Source> {
        match (json.buffer_view, &json.uri) {
            (Some(view), _) => {
                let bytes = self.reader.view(view.value(), &"data").ok()?;
                Some(Source::Buffer(bytes.as_ptr().addr(), bytes.len()))
            }
            (None, Some(uri)) if !uri.starts_with("data:") => match uri::parse(uri).ok()? {
                Uri::File(path) => Some(Source::File(path)),
                Uri::Data(_) => None,
            },
            (None, _) => None,
        }
    }

    fn bytes(&mut self, json: &Image) -> Result<Cow<'a, [u8]>, String> {
        match (json.buffer_view, &json.uri) {
            (Some(view), _) => {
                let bytes = self.reader.view(view.value(), &"data").map_err(|fault| fault.to_string())?;
                let rest = self.in_buffers.checked_sub(bytes.len());
                self.in_buffers = rest.ok_or("it overlaps with other images")?;
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

/// The image that an extension of a texture names.
fn source_of(texture: &Texture, extension: &str) -> Option<usize> {
    whole(texture.extensions.as_ref()?.others.get(extension)?.get("source")?)
}
