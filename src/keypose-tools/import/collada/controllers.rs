//! Controllers, which deform a geometry: a skin, a morph, or one with the other as its source.

use roxmltree::Node;

use crate::import::collada::document::{Document, child};

/// The chain of controllers of an instance, down to its geometry.
#[derive(Clone, Copy, Default)]
pub struct Controller<'a> {
    pub skin: Option<Node<'a, 'a>>,
    pub morph: Option<Node<'a, 'a>>,
    pub geometry: Option<Node<'a, 'a>>,
    /// Whether there are more skins or morphs, which are left out.
    pub has_more: bool,
}

/// Maximum length of a chain.
const MAX_CHAIN: usize = 8;

/// The chain that an instance of a controller begins.
pub fn controller<'a>(document: &Document<'a>, instance: Node<'a, 'a>) -> Controller<'a> {
    let mut found = Controller::default();
    let mut url = instance.attribute("url");
    for _ in 0..MAX_CHAIN {
        let Some(element) = url.and_then(|url| document.by_url(url)) else { return found };
        if !document.take_steps(element.children().count().saturating_add(1)) {
            return found;
        }
        let (skin, morph) = (child(element, "skin"), child(element, "morph"));
        let place = match (skin, morph) {
            (Some(_), _) => &mut found.skin,
            (None, Some(_)) => &mut found.morph,
            (None, None) => {
                found.geometry = Some(element);
                return found;
            }
        };
        found.has_more |= place.is_some();
        *place = place.or(skin).or(morph);
        url = skin.or(morph).and_then(|controller| controller.attribute("source"));
    }
    Controller { has_more: true, ..found }
}
