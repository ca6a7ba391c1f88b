//! The tree of bones: search, select, hover, and which of them are keyed where the playhead stands.

use std::collections::BTreeSet;

use lucide_icons::Icon;

use crate::anim::key::Channel;
use crate::anim::skeleton::{BoneIndex, Skeleton};
use crate::assets::model::Model;
use crate::editor::ops::bone_groups;
use crate::editor::panels::model::bone_groups::{GroupsLocal, bone_groups_ui, ink, new_group_ui};
use crate::editor::panels::ui::actions::Out;
use crate::editor::panels::ui::canvas::{Align, Kit, Rect, icon};
use crate::editor::panels::ui::seen::{Seen, bone_name};
use crate::editor::panels::ui::widgets;
use crate::editor::panels::ui::widgets::{KeyMark, RowTouch};
use crate::editor::panels::window::layout;
use crate::editor::session::selection::Pick;
use crate::editor::state::action::SelectAction;

/// What the panel keeps for itself.
#[derive(Debug, Default)]
pub struct BonesLocal {
    search: String,
    closed: BTreeSet<BoneIndex>,
    shown: Option<BoneIndex>,
    hovered: Option<BoneIndex>,
    groups: GroupsLocal,
}

impl BonesLocal {
    /// True while a group's name can be typed.
    pub fn is_naming(&self) -> bool {
        self.groups.is_naming()
    }
}

/// One line of the tree.
struct Line {
    bone: BoneIndex,
    depth: usize,
    has_children: bool,
}

/// The panel's contents.
pub fn bones_ui(kit: &Kit<'_>, seen: &Seen<'_>, local: &mut BonesLocal, out: &mut Out) {
    let Some(model) = seen.model() else {
        layout::title(kit, "Bones", "");
        return widgets::empty(kit, "No bones.", "They come with a model.");
    };
    let skeleton = &model.skeleton;
    let title = layout::title(kit, &format!("Bones  {}", skeleton.len()), "");
    new_group_ui(kit, seen, title, out);
    if skeleton.is_empty() {
        return widgets::empty(kit, "This model has no bones.", "");
    }
    bone_groups_ui(kit, seen, model, &mut local.groups, out);
    widgets::search(kit, "bone-search", "Search bones", &mut local.search);
    layout::scrolled(kit, "##bones", 0.0, || tree(kit, seen, model, local, out));
}

fn tree(kit: &Kit<'_>, seen: &Seen<'_>, model: &Model, local: &mut BonesLocal, out: &mut Out) {
    let skeleton = &*model.skeleton;
    let active = seen.session.focus.selection.active_bone();
    let must_show = active != local.shown;
    if let (true, Some(bone)) = (must_show, active) {
        open_above(skeleton, bone, &mut local.closed);
    }
    let lines = lines(skeleton, &local.search, &local.closed);
    if lines.is_empty() {
        widgets::empty(kit, &format!("No bone is called \"{}\".", local.search), "");
    }
    let colors = bone_groups::colors(model);
    let mut hovered = None;
    for line in &lines {
        let is_selected = seen.session.focus.selection.has_bone(line.bone);
        let touch = widgets::row(kit, &format!("bone{}", line.bone), is_selected);
        if must_show && active == Some(line.bone) && !kit.is_rect_visible(touch.rect.min, touch.rect.max) {
            kit.set_scroll_here_y();
        }
        if kit.is_rect_visible(touch.rect.min, touch.rect.max) {
            let is_active = active == Some(line.bone);
            if let Some(Some(color)) = colors.get(usize::from(line.bone)) {
                let [x, y] = touch.rect.min;
                kit.fill(Rect::at([x, y + 4.0], [3.0, widgets::ROW - 8.0]), ink(*color), 1.5);
            }
            draw_line(kit, seen, skeleton, line, is_active, local.closed.contains(&line.bone), &touch);
        }
        if touch.is_hovered {
            hovered = Some(line.bone);
        }
        take(kit, line, &touch, local, out);
    }
    local.shown = active;
    // Only what this panel hovered is taken back: the picture hovers bones too.
    if hovered != seen.session.transient.hover && (hovered.is_some() || local.hovered == seen.session.transient.hover) {
        out.push(SelectAction::Hover(hovered));
    }
    local.hovered = hovered;
}

/// Depth first from the roots; while a search is typed, only what matches, without the tree.
fn lines(skeleton: &Skeleton, search: &str, closed: &BTreeSet<BoneIndex>) -> Vec<Line> {
    let wanted = search.to_lowercase();
    if !wanted.is_empty() {
        let matches = |bone: &BoneIndex| bone_name(skeleton, *bone).to_lowercase().contains(&wanted);
        return skeleton.indices().filter(matches).map(|bone| Line { bone, depth: 0, has_children: false }).collect();
    }
    let mut children: Vec<Vec<BoneIndex>> = vec![Vec::new(); skeleton.len()];
    let mut stack: Vec<(BoneIndex, usize)> = Vec::new();
    for bone in skeleton.indices() {
        match skeleton.parent(bone) {
            Some(parent) => children[usize::from(parent)].push(bone),
            None => stack.push((bone, 0)),
        }
    }
    stack.reverse();
    let mut lines = Vec::with_capacity(skeleton.len());
    while let Some((bone, depth)) = stack.pop() {
        let below = &children[usize::from(bone)];
        lines.push(Line { bone, depth, has_children: !below.is_empty() });
        if !closed.contains(&bone) {
            stack.extend(below.iter().rev().map(|&child| (child, depth + 1)));
        }
    }
    lines
}

fn open_above(skeleton: &Skeleton, bone: BoneIndex, closed: &mut BTreeSet<BoneIndex>) {
    let above = std::iter::successors(skeleton.parent(bone), |&parent| skeleton.parent(parent));
    above.for_each(|parent| {
        closed.remove(&parent);
    });
}

fn indent(line: &Line) -> f32 {
    8.0 + line.depth.min(14) as f32 * 11.0
}

fn draw_line(
    kit: &Kit<'_>,
    seen: &Seen<'_>,
    skeleton: &Skeleton,
    line: &Line,
    is_active: bool,
    is_closed: bool,
    touch: &RowTouch,
) {
    let theme = kit.theme;
    let rect = touch.rect;
    let left = rect.min[0] + indent(line);
    if seen.session.transient.hover == Some(line.bone) && !touch.is_hovered {
        kit.outline(rect, theme.line, 5.0, 1.0);
    }
    if line.has_children {
        let sign = if is_closed { Icon::ChevronRight } else { Icon::ChevronDown };
        let place = Rect { min: [left - 4.0, rect.min[1]], max: [left + 12.0, rect.max[1]] };
        let _font = kit.with_font(kit.fonts.small);
        kit.text_in(place, Align::Center, theme.dim, &icon(sign));
    }
    let is_hidden = seen.session.focus.hidden.contains(&line.bone);
    let color = if is_hidden { theme.dim } else { theme.text };
    let name = Rect { min: [left + 14.0, rect.min[1]], max: [rect.max[0] - 24.0, rect.max[1]] };
    {
        let _font = is_active.then(|| kit.with_font(kit.fonts.bold));
        kit.text_in(name, Align::Left, color, bone_name(skeleton, line.bone));
    }
    if seen.session.focus.pins.contains(&line.bone) {
        let place = Rect { min: [rect.max[0] - 42.0, rect.min[1]], max: [rect.max[0] - 22.0, rect.max[1]] };
        kit.text_in(place, Align::Center, theme.quiet, &icon(Icon::Pin));
    }
    match bone_mark(seen, line.bone) {
        KeyMark::Open => {}
        mark => widgets::draw_key_mark(kit, [rect.max[0] - 13.0, rect.center()[1]], mark),
    }
}

/// The strongest mark of its channels: a draft before a key.
pub fn bone_mark(seen: &Seen<'_>, bone: BoneIndex) -> KeyMark {
    let marks = Channel::ALL.map(|channel| crate::editor::panels::ui::key_mark::key_mark(seen, bone, channel));
    if marks.contains(&KeyMark::Draft) {
        KeyMark::Draft
    } else if marks.contains(&KeyMark::Keyed) {
        KeyMark::Keyed
    } else {
        KeyMark::Open
    }
}

fn take(kit: &Kit<'_>, line: &Line, touch: &RowTouch, local: &mut BonesLocal, out: &mut Out) {
    if !touch.is_clicked {
        return;
    }
    let from_sign = kit.io().mouse_pos[0] - touch.rect.min[0] - indent(line);
    let on_sign = (-8.0..13.0).contains(&from_sign);
    if line.has_children && on_sign {
        if !local.closed.remove(&line.bone) {
            local.closed.insert(line.bone);
        }
        return;
    }
    let pick = match (kit.io().key_ctrl, kit.io().key_shift) {
        (true, _) => Pick::Toggle,
        (false, true) => Pick::Add,
        (false, false) => Pick::Only,
    };
    out.push(SelectAction::Bones { bones: vec![line.bone], pick });
    local.shown = Some(line.bone);
}
