//! Materials: the diffuse colour or texture of an effect, and its transparency.

use std::collections::HashMap;

use roxmltree::{Node, NodeId};

use crate::assets::material::{AlphaMode, Material, Shading, Wrap};
use crate::import::assembly::names::Names;
use crate::import::assembly::textures::{Textures, find};
use crate::import::collada::document::{Document, child, label, numbers};
use crate::import::gltf::uri::{self, Uri};
use crate::import::report::Report;
use crate::import::{ReadFile, stem};

/// The materials that meshes use, in the order of their first use.
pub struct Materials<'m, 'r, 'd, 'a> {
    pub all: Vec<Material>,
    pub textures: Textures<NodeId>,
    names: Names,
    known: HashMap<Option<NodeId>, usize>,
    document: &'d Document<'a>,
    media_folder: String,
    read: &'m mut ReadFile<'r>,
}

impl<'m, 'r, 'd, 'a> Materials<'m, 'r, 'd, 'a> {
    /// Starts without a material.
    pub fn new(document: &'d Document<'a>, name: &str, read: &'m mut ReadFile<'r>) -> Materials<'m, 'r, 'd, 'a> {
        let (all, names, media_folder) = (Vec::new(), Names::of("material"), format!("{}_textures", stem(name)));
        Materials { all, textures: Textures::default(), names, known: HashMap::new(), document, media_folder, read }
    }

    /// Returns the index of the material of a symbol in an instance, or of the default material without a symbol.
    pub fn find(&mut self, symbol: Option<&str>, instance: Node<'a, 'a>, report: &mut Report) -> usize {
        let is_it = |binding: &Node<'_, '_>| {
            binding.tag_name().name() == "instance_material" && binding.attribute("symbol") == symbol
        };
        let bound = instance.descendants().find(|node| symbol.is_some() && is_it(node));
        let target = bound.and_then(|binding| self.document.by_url(binding.attribute("target")?));
        let target = target.or_else(|| self.document.by_id(symbol?)).filter(|it| it.tag_name().name() == "material");
        let key = target.map(|target| target.id());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let material = match target {
            Some(target) => self.material(target, report),
            None => Material { name: self.names.take_quietly("default"), ..Material::default() },
        };
        let index = self.all.len();
        self.all.push(material);
        self.known.insert(key, index);
        index
    }

    fn material(&mut self, from: Node<'a, 'a>, report: &mut Report) -> Material {
        let name = self.names.take_quietly(&label(from));
        let mut material = Material { name, ..Material::default() };
        let effect = child(from, "instance_effect").and_then(|effect| self.document.by_url(effect.attribute("url")?));
        let Some(effect) = effect else { return material };
        if !self.document.take_steps(effect.descendants().count()) {
            return material;
        }
        let is_on = |node: &Node<'_, '_>| node.tag_name().name() == "double_sided" && node.text() == Some("1");
        material.double_sided = effect.descendants().any(|node| is_on(&node));
        let shader = effect.descendants().find(|node| {
            ["phong", "lambert", "blinn", "constant"].contains(&node.tag_name().name()) && node.is_element()
        });
        let Some(shader) = shader else { return material };
        let is_unlit = shader.tag_name().name() == "constant";
        material.shading = if is_unlit { Shading::Unlit } else { Shading::Lit };
        let paint = child(shader, if is_unlit { "emission" } else { "diffuse" });
        let texture = paint.and_then(|paint| child(paint, "texture"));
        if texture.is_none()
            && let Some(color) = paint.and_then(|paint| child(paint, "color"))
        {
            let color = numbers(color);
            material.base_color = std::array::from_fn(|at| color.get(at).copied().map_or(1.0, part));
        }
        let [red, green, blue, _] = material.base_color;
        let alpha = opacity(shader);
        material.base_color = [red, green, blue, alpha];
        material.alpha_mode = if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
        let sampler = texture.and_then(|texture| texture.attribute("texture")).map(|name| self.image(effect, name));
        if let Some((image, wrap)) = sampler {
            material.wrap = wrap;
            material.texture = image.map(|image| self.texture(image, report));
        }
        material
    }

    /// The image of a sampler, and its wrap modes. Some files name the image itself.
    fn image(&self, effect: Node<'a, 'a>, name: &str) -> (Option<Node<'a, 'a>>, [Wrap; 2]) {
        let parameter = |name: &str| {
            effect.descendants().find(|it| it.tag_name().name() == "newparam" && it.attribute("sid") == Some(name))
        };
        let sampler = parameter(name).and_then(|parameter| child(parameter, "sampler2D"));
        let mode = |name: &str| match sampler.and_then(|sampler| child(sampler, name)?.text()).map(str::trim) {
            Some("CLAMP" | "BORDER") => Wrap::Clamp,
            Some("MIRROR") => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let surface = sampler.and_then(|sampler| child(sampler, "source")?.text());
        let surface = surface.and_then(|surface| child(parameter(surface.trim())?, "surface"));
        let id = surface.and_then(|surface| child(surface, "init_from")?.text()).map(str::trim);
        let of_sampler = sampler.and_then(|sampler| child(sampler, "instance_image")?.attribute("url"));
        let image = id.and_then(|id| self.document.by_id(id));
        let image = image.or_else(|| self.document.by_url(of_sampler?)).or_else(|| self.document.by_id(name));
        (image.filter(|image| image.tag_name().name() == "image"), [mode("wrap_s"), mode("wrap_t")])
    }

    /// Returns the index of the texture of an image.
    fn texture(&mut self, image: Node<'a, 'a>, report: &mut Report) -> usize {
        if let Some(known) = self.textures.known(&image.id()) {
            return known;
        }
        let place = format!("image {}", label(image));
        let from = child(image, "init_from");
        let text = from.and_then(|from| child(from, "ref").unwrap_or(from).text()).unwrap_or_default().trim();
        let name = text.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).unwrap_or(&place).to_owned();
        // Paths of the author's computer are searched by their file's name.
        let text = text.trim_start_matches("file://");
        let found = match uri::parse(text) {
            Ok(Uri::Data(bytes)) => Ok(bytes),
            Ok(Uri::File(path)) => find(self.read, &path, &self.media_folder),
            Err(_) => find(self.read, &text.replace('\\', "/"), &self.media_folder),
        };
        self.textures.add(image.id(), (&name, &place), found.as_deref().map_err(String::clone), report)
    }
}

/// The opacity of a shader, 0 to 1. Some exporters write 0 for a material that is opaque.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
fn opacity(shader: Node<'_, '_>) -> f32 {
    let element = |name: &str| shader.children().find(|child| child.tag_name().name() == name);
    let inner = |name: &str, kind: &str| {
        let found = element(name)?.children().find(|child| child.tag_name().name() == kind)?;
        Some((found.text()?.to_owned(), element(name)?.attribute("opaque").unwrap_or("A_ONE").to_owned()))
    };
    let factor = inner("transparency", "float").and_then(|(text, _)| text.trim().parse::<f64>().ok()).unwrap_or(1.0);
    let Some((color, mode)) = inner("transparent", "color") else {
        return if factor > 0.0 { part(factor) } else { 1.0 };
    };
    let color: Vec<f64> = color.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [red, alpha] = [0, 3].map(|at| color.get(at).copied().unwrap_or(1.0));
    let opacity = if mode == "RGB_ZERO" { 1.0 - red * factor } else { alpha * factor };
    if opacity > 0.0 { part(opacity) } else { 1.0 }
}

/// A number within 0..=1; 1 if it is none.
#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
fn part(number: f64) -> f32 {
    if number.is_finite() { number.clamp(0.0, 1.0) as f32 } else { 1.0 }
}
