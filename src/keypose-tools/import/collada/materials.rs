//! Materials: the diffuse colour or texture of an effect, where that lies, its emission and its transparency.

use std::collections::HashMap;

use glam::Vec2;
use roxmltree::{Node, NodeId};

use crate::assets::material::{Material, Shading, UvTransform, Wrap};
use crate::import::assembly::names::Names;
use crate::import::assembly::opacity::alpha_mode;
use crate::import::assembly::textures::{Textures, find};
use crate::import::collada::document::{Document, child, children, label, number, numbers};
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

    /// The element that binds a symbol to a material in an instance, and the material.
    fn bound(&self, symbol: Option<&str>, instance: Node<'a, 'a>) -> [Option<Node<'a, 'a>>; 2] {
        let is_it = |binding: &Node<'_, '_>| {
            binding.tag_name().name() == "instance_material" && binding.attribute("symbol") == symbol
        };
        let bound = instance.descendants().find(|node| symbol.is_some() && is_it(node));
        let target = bound.and_then(|binding| self.document.by_url(binding.attribute("target")?));
        let target = target.or_else(|| self.document.by_id(symbol?));
        [bound, target.filter(|it| it.tag_name().name() == "material")]
    }

    /// The set of texture coordinates that an instance binds to the colour of a symbol's material.
    pub fn uv_set(&self, symbol: Option<&str>, instance: Node<'a, 'a>) -> Option<usize> {
        let [Some(binding), Some(material)] = self.bound(symbol, instance) else { return None };
        let look = self.look(material)?;
        let name = look.paint(look.color()).1?.attribute("texcoord");
        let is_it = |input: &Node<'_, '_>| {
            input.attribute("semantic") == name && input.attribute("input_semantic") == Some("TEXCOORD")
        };
        children(binding, "bind_vertex_input").find(is_it)?.attribute("input_set")?.trim().parse().ok()
    }

    /// The effect of a material.
    fn look(&self, material: Node<'a, 'a>) -> Option<Look<'a>> {
        let instance = child(material, "instance_effect")?;
        let effect = self.document.by_url(instance.attribute("url")?)?;
        if !self.document.take_steps(effect.descendants().count()) {
            return None;
        }
        let is_shader = |node: &Node<'_, '_>| {
            ["phong", "lambert", "blinn", "constant"].contains(&node.tag_name().name()) && node.is_element()
        };
        Some(Look { instance, effect, shader: effect.descendants().find(is_shader)? })
    }

    /// Returns the index of the material of a symbol in an instance, or of the default material without a symbol.
    pub fn find(&mut self, symbol: Option<&str>, instance: Node<'a, 'a>, report: &mut Report) -> usize {
        let [_, target] = self.bound(symbol, instance);
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
        let Some(look) = self.look(from) else { return material };
        let is_on = |node: &Node<'_, '_>| node.tag_name().name() == "double_sided" && node.text() == Some("1");
        material.double_sided = look.effect.descendants().any(|node| is_on(&node));
        let is_unlit = look.shader.tag_name().name() == "constant";
        material.shading = if is_unlit { Shading::Unlit } else { Shading::Lit };
        let mut found = |texture: Option<Node<'a, 'a>>| {
            let texture = texture?;
            let (image, wrap) = self.image(look, texture.attribute("texture")?);
            if image.is_none() {
                report.not_imported("textures whose images the file doesn't name");
            }
            Some((image.map(|image| self.texture(image, report)), wrap, texture))
        };
        let (color, texture) = look.paint(look.color());
        if let (Some(color), None) = (color, texture) {
            material.base_color = std::array::from_fn(|at| color.get(at).copied().map_or(1.0, part));
        }
        let mut is_rotated = false;
        if let Some((image, wrap, texture)) = found(texture) {
            (material.texture, material.wrap, material.uv_transform) = (image, wrap, uv_transform(texture));
            is_rotated = of_texture(texture, "rotateUV").is_some_and(|turn| turn != 0.0);
        }
        let (light, glow) = if is_unlit { (None, None) } else { look.paint("emission") };
        let glow = found(glow).and_then(|(image, ..)| image);
        let holes = found(look.paint("transparent").1).map(|(image, ..)| image);
        material.emissive_texture = glow.and_then(|glow| self.textures.found(glow));
        material.emissive = match (light, glow) {
            (_, Some(_)) => [f32::from(u8::from(material.emissive_texture.is_some())); 3],
            (Some(color), None) => std::array::from_fn(|at| color.get(at).copied().map_or(0.0, part)),
            (None, None) => [0.0; 3],
        };
        let omissions = [
            (is_rotated, "rotations of textures"),
            (look.effect.descendants().any(|node| node.tag_name().name() == "bump"), "bump maps"),
        ];
        omissions.into_iter().filter(|(is_there, _)| *is_there).for_each(|(_, kind)| report.not_imported(kind));
        let alpha = look.opacity();
        if let Some(base) = material.base_color.last_mut() {
            *base = alpha;
        }
        material.alpha_mode = alpha_mode(alpha, holes.map(|holes| holes == material.texture), report);
        material
    }

    /// The image of a sampler, and its wrap modes. Some files name the image itself.
    fn image(&self, look: Look<'a>, name: &str) -> (Option<Node<'a, 'a>>, [Wrap; 2]) {
        let sampler = look.parameter(name).and_then(|parameter| child(parameter, "sampler2D"));
        let mode = |name: &str| match sampler.and_then(|sampler| child(sampler, name)?.text()).map(str::trim) {
            Some("CLAMP" | "BORDER") => Wrap::Clamp,
            Some("MIRROR") => Wrap::Mirror,
            _ => Wrap::Repeat,
        };
        let surface = sampler.and_then(|sampler| child(sampler, "source")?.text());
        let surface = surface.and_then(|surface| child(look.parameter(surface.trim())?, "surface"));
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
        let name = text.rsplit(['/', '\\']).next().filter(|name| !name.is_empty()).map_or(place.clone(), uri::decoded);
        // Paths of the author's computer are searched by their file's name.
        let text = text.trim_start_matches("file://");
        let found = match uri::parse(text) {
            Ok(Uri::Data(bytes)) => Ok(bytes),
            Ok(Uri::File(path)) => find(self.read, &path, &self.media_folder),
            Err(_) => find(self.read, &uri::decoded(&text.replace('\\', "/")), &self.media_folder),
        };
        self.textures.add(image.id(), (&name, &place), found.as_deref().map_err(String::clone), report)
    }
}

/// An effect with the parameters that a material sets.
#[derive(Clone, Copy)]
struct Look<'a> {
    instance: Node<'a, 'a>,
    effect: Node<'a, 'a>,
    shader: Node<'a, 'a>,
}

impl<'a> Look<'a> {
    /// The property of the shader that is its colour.
    fn color(self) -> &'static str {
        if self.shader.tag_name().name() == "constant" { "emission" } else { "diffuse" }
    }

    /// A parameter: what the material sets it to, or else that of the effect.
    fn parameter(self, name: &str) -> Option<Node<'a, 'a>> {
        let set = children(self.instance, "setparam").find(|it| it.attribute("ref") == Some(name));
        let is_it = |it: &Node<'_, '_>| it.tag_name().name() == "newparam" && it.attribute("sid") == Some(name);
        set.or_else(|| self.effect.descendants().find(is_it))
    }

    /// The numbers of a property of the shader: its own, or those of a parameter.
    fn value(self, property: Node<'a, 'a>, own: &str) -> Option<Vec<f64>> {
        let of = |name: &str| self.parameter(name)?.children().find(|it| it.tag_name().name().starts_with("float"));
        let found = child(property, own).or_else(|| of(child(property, "param")?.attribute("ref")?));
        found.map(numbers)
    }

    /// The colour and the texture of a property of the shader.
    fn paint(self, name: &str) -> (Option<Vec<f64>>, Option<Node<'a, 'a>>) {
        let Some(paint) = child(self.shader, name) else { return (None, None) };
        (self.value(paint, "color"), child(paint, "texture"))
    }

    /// The opacity, 0 to 1 (COLLADA 1.5, "Determining transparency"). Some exporters write 0 for a material that is opaque.
    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn opacity(self) -> f32 {
        let factor = child(self.shader, "transparency").and_then(|it| self.value(it, "float")?.first().copied());
        let factor = factor.filter(|factor| factor.is_finite()).unwrap_or(1.0);
        let (Some(color), None) = self.paint("transparent") else {
            return if factor > 0.0 { part(factor) } else { 1.0 };
        };
        let [red, green, blue, alpha] = [0, 1, 2, 3].map(|at| color.get(at).copied().unwrap_or(1.0) * factor);
        let bright = 0.212671 * red + 0.71516 * green + 0.072169 * blue;
        let opacity = match child(self.shader, "transparent").and_then(|it| it.attribute("opaque")).unwrap_or("A_ONE") {
            "RGB_ZERO" => 1.0 - bright,
            "RGB_ONE" => bright,
            "A_ZERO" => 1.0 - alpha,
            _ => alpha,
        };
        if opacity > 0.0 { part(opacity) } else { 1.0 }
    }
}

/// A number of a texture that programs of Autodesk write beside the standard.
#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
fn of_texture(texture: Node<'_, '_>, name: &str) -> Option<f32> {
    let found = texture.descendants().find(|node| node.tag_name().name() == name);
    let number = found.and_then(|found| found.text()).map(|text| number(text.trim()) as f32);
    number.filter(|number| number.is_finite())
}

/// Tiles and offsets a texture.
fn uv_transform(texture: Node<'_, '_>) -> UvTransform {
    let number = |name: &str, otherwise: f32| of_texture(texture, name).unwrap_or(otherwise);
    let two = |[u, v]: [&str; 2], otherwise| Vec2::new(number(u, otherwise), number(v, otherwise));
    UvTransform::from_bottom(two(["offsetU", "offsetV"], 0.0), two(["repeatU", "repeatV"], 1.0))
}

/// A number within 0..=1; 1 if it is none.
#[allow(clippy::cast_possible_truncation)] // Rounding is intended.
fn part(number: f64) -> f32 {
    if number.is_finite() { number.clamp(0.0, 1.0) as f32 } else { 1.0 }
}
