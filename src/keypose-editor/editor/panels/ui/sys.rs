//! Raw Dear ImGui calls for what the safe interface lacks, such as dock layouts and queued input.
#![allow(unsafe_code)]
// The bindings differ in signedness between platforms.
#![allow(clippy::unnecessary_cast)]

use std::ffi::CString;

use imgui::sys;

use crate::editor::panels::ui::rect::Rect;

/// A node of a dock layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node(u32);

/// The side at which a node is split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
    Bottom,
}

/// Whether Dear ImGui holds input for the next frames: they must be drawn for it to be processed.
pub fn has_queued_input(_context: &imgui::Context) -> bool {
    // SAFETY: a context is alive, and only one is.
    unsafe { (*sys::igGetCurrentContext()).InputEventsQueue.Size > 0 }
}

/// Whether a text field has the keyboard after the last frame.
pub fn is_typing(_context: &imgui::Context) -> bool {
    has_text_field()
}

/// Whether a text field has the keyboard, within a frame.
pub fn is_typing_now(_ui: &imgui::Ui) -> bool {
    has_text_field()
}

fn has_text_field() -> bool {
    // SAFETY: a context is alive, and only one is: the callers hold it.
    unsafe {
        let context = sys::igGetCurrentContext();
        (*context).ActiveId != 0 && (*context).ActiveId == (*context).InputTextState.ID
    }
}

/// Whether a widget gets the keyboard in the next frame.
pub fn is_focus_moving(_context: &imgui::Context) -> bool {
    // SAFETY: a context is alive, and only one is.
    unsafe {
        let context = sys::igGetCurrentContext();
        let is_asked = (*context).NavMoveFlags & sys::ImGuiNavMoveFlags_FocusApi as i32 != 0;
        (*context).NavMoveSubmitted && is_asked
    }
}

/// Fills the rest of the current window with a dock space. Returns its node and whether it has no layout yet.
pub fn dock_space(_ui: &imgui::Ui, name: &str, size: [f32; 2]) -> (Node, bool) {
    let Ok(name) = CString::new(name) else { return (Node(0), false) };
    // SAFETY: called within a frame (there is a `Ui`) and within a window; the name outlives the call.
    unsafe {
        let id = sys::igGetID_Str(name.as_ptr());
        let fresh = sys::igDockBuilderGetNode(id).is_null();
        let flags = sys::ImGuiDockNodeFlags_AutoHideTabBar as i32;
        sys::igDockSpace(id, sys::ImVec2 { x: size[0], y: size[1] }, flags, std::ptr::null());
        (Node(id), fresh)
    }
}

/// Lets the tabs beside a docked window scroll sideways if they have no room: Dear ImGui would cut their words. So does the mouse wheel over
/// them. Call it before [`dock_space`].
pub fn scroll_tabs(_ui: &imgui::Ui, window: &str) {
    let Ok(window) = CString::new(window) else { return };
    let scrolling = sys::ImGuiTabBarFlags_Reorderable
        | sys::ImGuiTabBarFlags_AutoSelectNewTabs
        | sys::ImGuiTabBarFlags_FittingPolicyScroll;
    let of_dock = sys::ImGuiTabBarFlags_DockNode as u32 | sys::ImGuiTabBarFlags_SaveSettings as u32;
    // SAFETY: within a frame; null pointers are checked. A dock space begins its tabs once a frame: it continues those that
    // are begun here, with these flags.
    unsafe {
        let (context, style) = (&*sys::igGetCurrentContext(), &*sys::igGetStyle());
        let window = sys::igFindWindowByName(window.as_ptr());
        let node = if window.is_null() { std::ptr::null_mut() } else { (*window).DockNode };
        let Some(node) = node.as_ref() else { return };
        let Some(tabs) = node.TabBar.as_mut() else { return };
        let margin = style.FramePadding.x + style.WindowBorderSize;
        let room = node.Size.x - 2.0 * margin;
        if tabs.CurrFrameVisible == context.FrameCount || tabs.WidthAllTabsIdeal <= room {
            return;
        }
        let focused = if node.IsFocused() { sys::ImGuiTabBarFlags_IsFocused as u32 } else { 0 };
        tabs.Flags = (scrolling as u32 | of_dock | focused) as i32;
        let min = sys::ImVec2 { x: node.Pos.x + margin, y: node.Pos.y };
        let max = sys::ImVec2 { x: min.x + room, y: min.y + context.FontSize + style.FramePadding.y * 2.0 };
        tabs.BarRect = sys::ImRect { Min: min, Max: max };
        (tabs.PrevFrameVisible, tabs.CurrFrameVisible) = (tabs.CurrFrameVisible, context.FrameCount);
        (tabs.WantLayout, tabs.TabsAddedNew, tabs.TabsActiveCount, tabs.BeginCount) = (true, false, 0, 1);
        (tabs.ItemSpacingY, tabs.FramePadding) = (style.ItemSpacing.y, style.FramePadding);
        if sys::igIsMouseHoveringRect(min, max, false) {
            tabs.ScrollingTarget -= (context.IO.MouseWheel + context.IO.MouseWheelH) * context.FontSize * 4.0;
        }
    }
}

/// Removes a dock space's layout and sets the size for a new one.
pub fn clear_layout(_ui: &imgui::Ui, root: Node, size: [f32; 2]) {
    // SAFETY: within a frame; the node is that of a dock space of this frame.
    unsafe {
        sys::igDockBuilderRemoveNode(root.0);
        let flags = sys::ImGuiDockNodeFlags_DockSpace as i32 | sys::ImGuiDockNodeFlags_AutoHideTabBar as i32;
        sys::igDockBuilderAddNode(root.0, flags);
        sys::igDockBuilderSetNodeSize(root.0, sys::ImVec2 { x: size[0], y: size[1] });
    }
}

/// Splits a part, 0..1 of its width or height, off a node. Returns the part and the rest.
pub fn split(_ui: &imgui::Ui, node: Node, side: Side, part: f32) -> (Node, Node) {
    let direction = match side {
        Side::Left => sys::ImGuiDir_Left,
        Side::Right => sys::ImGuiDir_Right,
        Side::Bottom => sys::ImGuiDir_Down,
    };
    let (mut cut, mut rest) = (0, 0);
    // SAFETY: within a frame; the node was made by this layout.
    unsafe { sys::igDockBuilderSplitNode(node.0, direction, part, &mut cut, &mut rest) };
    (Node(cut), Node(rest))
}

/// Docks a window into a node.
pub fn dock(_ui: &imgui::Ui, window: &str, node: Node) {
    if let Ok(window) = CString::new(window) {
        // SAFETY: within a frame; the name outlives the call, which copies it.
        unsafe { sys::igDockBuilderDockWindow(window.as_ptr(), node.0) };
    }
}

/// Brings a window's tab to the front of its node.
pub fn select_tab(_ui: &imgui::Ui, window: &str, node: Node) {
    let Ok(window) = CString::new(window) else { return };
    // SAFETY: within a frame; the node was made by this layout, and a null pointer is checked first. The id of a
    // window's tab is the hash of "#TAB" seeded with that of its name.
    unsafe {
        let node = sys::igDockBuilderGetNode(node.0);
        if !node.is_null() {
            let of_window = sys::igImHashStr(window.as_ptr(), 0, 0);
            (*node).SelectedTabId = sys::igImHashStr(c"#TAB".as_ptr(), 0, of_window);
        }
    }
}

/// The tab of a docked window, as it was last drawn.
pub fn tab_rect(_ui: &imgui::Ui, window: &str) -> Option<Rect> {
    let window = CString::new(window).ok()?;
    // SAFETY: within a frame; a null pointer is checked.
    let rect = unsafe { sys::igFindWindowByName(window.as_ptr()).as_ref()?.DockTabItemRect };
    Some(Rect { min: [rect.Min.x, rect.Min.y], max: [rect.Max.x, rect.Max.y] })
}

/// The rectangle of the node that a window is docked in.
pub fn dock_rect(_ui: &imgui::Ui, window: &str) -> Option<Rect> {
    let window = CString::new(window).ok()?;
    // SAFETY: within a frame; null pointers are checked.
    unsafe {
        let window = sys::igFindWindowByName(window.as_ptr()).as_ref()?;
        let node = window.DockNode.as_ref()?;
        Some(Rect::at([node.Pos.x, node.Pos.y], [node.Size.x, node.Size.y]))
    }
}

/// Sets the width (`axis` 0) or height (1) of the node that a window is docked in, or of the node that is `levels`
/// above it, in points. Call it before [`dock_space`].
pub fn set_dock_size(_ui: &imgui::Ui, window: &str, levels: usize, axis: usize, points: f32) {
    let Ok(window) = CString::new(window) else { return };
    // SAFETY: within a frame; null pointers are checked. A node lives until its dock space is drawn again.
    unsafe {
        let window = sys::igFindWindowByName(window.as_ptr());
        let mut node = if window.is_null() { std::ptr::null_mut() } else { (*window).DockNode };
        for _ in 0..levels {
            node = if node.is_null() { node } else { (*node).ParentNode };
        }
        if let Some(node) = node.as_mut() {
            let size = if axis == 0 { &mut node.SizeRef.x } else { &mut node.SizeRef.y };
            *size = points;
        }
    }
}

/// Whether the name of the current window is shown on its tab or title bar.
pub fn shows_name(_ui: &imgui::Ui) -> bool {
    // SAFETY: within a frame and a window; the node may be null.
    unsafe {
        let node = (*sys::igGetCurrentWindow()).DockNode.as_ref();
        node.is_none_or(|node| node.MergedFlags & sys::ImGuiDockNodeFlags_HiddenTabBar as i32 == 0)
    }
}

/// Whether a docked window is in front of its tabs.
pub fn is_in_front(_ui: &imgui::Ui, window: &str) -> bool {
    let Ok(window) = CString::new(window) else { return false };
    // SAFETY: within a frame; a null pointer is checked.
    unsafe { sys::igFindWindowByName(window.as_ptr()).as_ref().is_some_and(|window| window.DockTabIsVisible()) }
}

/// Sets the character that is shown instead of those that a font doesn't have. Call it before the atlas is built.
pub fn set_missing_glyph(_context: &mut imgui::Context, letter: char) {
    // SAFETY: a context is alive, and only one is; the atlas owns its fonts.
    unsafe {
        let fonts = &(*(*sys::igGetIO()).Fonts).Fonts;
        for at in 0..fonts.Size.max(0) as usize {
            (**fonts.Data.add(at)).FallbackChar = u32::from(letter);
        }
    }
}

/// Whether a font of the built atlas has a glyph for a character. Fonts are counted in the order in which they were
/// added.
pub fn has_glyph(_context: &imgui::Context, font: usize, letter: char) -> bool {
    // SAFETY: a context is alive, and only one is; the atlas owns its fonts, and there are as many.
    unsafe {
        let fonts = &(*(*sys::igGetIO()).Fonts).Fonts;
        let is_there = font < fonts.Size.max(0) as usize;
        is_there && !sys::ImFont_FindGlyphNoFallback(*fonts.Data.add(font), u32::from(letter)).is_null()
    }
}

/// The characters in the text field that has the keyboard.
pub fn typed_text(_ui: &imgui::Ui) -> Vec<char> {
    // SAFETY: within a frame; the text has this length.
    unsafe {
        let state = &(*sys::igGetCurrentContext()).InputTextState;
        if state.ID == 0 || state.ID != (*sys::igGetCurrentContext()).ActiveId {
            return Vec::new();
        }
        let length = state.CurLenW.min(state.TextW.Size).max(0) as usize;
        (0..length).filter_map(|at| char::from_u32(*state.TextW.Data.add(at))).collect()
    }
}

/// The upper end of the caret of the text field that has the keyboard, and its height, after the field was drawn.
pub fn caret(_ui: &imgui::Ui) -> Option<([f32; 2], f32)> {
    // SAFETY: within a frame; plain values.
    let data = unsafe { (*sys::igGetCurrentContext()).PlatformImeData };
    data.WantVisible.then_some(([data.InputPos.x, data.InputPos.y], data.InputLineHeight))
}

/// The rectangle outside of which nothing is drawn in the current window.
pub fn clip_rect(_ui: &imgui::Ui) -> Rect {
    // SAFETY: within a frame and a window.
    let rect = unsafe { (*sys::igGetCurrentWindow()).ClipRect };
    Rect { min: [rect.Min.x, rect.Min.y], max: [rect.Max.x, rect.Max.y] }
}

/// Draws something that is neither seen nor under the mouse outside of a rectangle.
pub fn clipped<R>(_ui: &imgui::Ui, rect: Rect, draw: impl FnOnce() -> R) -> R {
    let vector = |[x, y]: [f32; 2]| sys::ImVec2 { x, y };
    // SAFETY: within a frame and a window; the rectangle is removed below.
    unsafe { sys::igPushClipRect(vector(rect.min), vector(rect.max), true) };
    let drawn = draw();
    // SAFETY: it was added above.
    unsafe { sys::igPopClipRect() };
    drawn
}

/// Finishes a layout.
pub fn finish_layout(_ui: &imgui::Ui, root: Node) {
    // SAFETY: within a frame; the node is that of a dock space of this frame.
    unsafe { sys::igDockBuilderFinish(root.0) };
}

/// Brings a docked window's tab to the front.
pub fn focus_window(_ui: &imgui::Ui, window: &str) {
    if let Ok(window) = CString::new(window) {
        // SAFETY: within a frame; a name that no window has does nothing; null pointers are checked.
        unsafe {
            sys::igSetWindowFocus_Str(window.as_ptr());
            let Some(window) = sys::igFindWindowByName(window.as_ptr()).as_ref() else { return };
            // Tabs that scroll show the new one.
            if let Some(tabs) = window.DockNode.as_ref().and_then(|node| node.TabBar.as_mut()) {
                tabs.NextSelectedTabId = window.TabId;
            }
        }
    }
}

/// Whether the left button was double-clicked, also if the clicks follow others.
pub fn is_double_clicked(_ui: &imgui::Ui) -> bool {
    // SAFETY: within a frame.
    let count = unsafe { sys::igGetMouseClickedCount(sys::ImGuiMouseButton_Left as i32) };
    count > 0 && count % 2 == 0
}

/// The id of the item with this label in the current window.
pub fn id_of(_ui: &imgui::Ui, label: &str) -> u32 {
    let Ok(label) = CString::new(label) else { return 0 };
    // SAFETY: within a frame and a window; the label outlives the call.
    unsafe { sys::igGetID_Str(label.as_ptr()) }
}

/// The id of the current window.
pub fn window_id(_ui: &imgui::Ui) -> u32 {
    // SAFETY: within a frame; between `Begin` and `End` there is a current window.
    unsafe { (*sys::igGetCurrentWindow()).ID }
}

/// Deactivates the active item.
pub fn release_active(_ui: &imgui::Ui) {
    // SAFETY: within a frame.
    unsafe { sys::igClearActiveID() }
}

/// Places the next window: the point of it at `pivot` (0 to 1 of its size) is put at a place.
pub fn place_next(_ui: &imgui::Ui, [x, y]: [f32; 2], pivot: [f32; 2]) {
    let [across, down] = pivot;
    let pivot = sys::ImVec2 { x: across, y: down };
    // SAFETY: within a frame; plain values.
    unsafe { sys::igSetNextWindowPos(sys::ImVec2 { x, y }, sys::ImGuiCond_Always as i32, pivot) };
}

/// Sets the size of the next window; a side of 0 fits its contents.
pub fn size_next(_ui: &imgui::Ui, [x, y]: [f32; 2]) {
    // SAFETY: within a frame; plain values.
    unsafe { sys::igSetNextWindowSize(sys::ImVec2 { x, y }, sys::ImGuiCond_Always as i32) };
}

/// Puts the caret of the text field that has the keyboard at its end, without a selection.
pub fn put_caret_at_end(_ui: &imgui::Ui) {
    // SAFETY: within a frame; the state belongs to the active field, and the index is within its text.
    unsafe {
        let state = &mut (*sys::igGetCurrentContext()).InputTextState;
        let end = state.CurLenW;
        (state.Stb.cursor, state.Stb.select_start, state.Stb.select_end) = (end, end, end);
    }
}

/// Selects the whole text of the field that has the keyboard, with the caret at its end.
pub fn select_all_text(ui: &imgui::Ui) {
    put_caret_at_end(ui);
    // SAFETY: within a frame; the state belongs to the active field.
    unsafe { (*sys::igGetCurrentContext()).InputTextState.Stb.select_start = 0 };
}

/// Places the next popup below a thing, or above it if there is no room below.
pub fn place_next_popup(ui: &imgui::Ui, thing: Rect, gap: f32) {
    let (above, below) = (thing.min[1], ui.io().display_size[1] - thing.max[1]);
    let is_above = below < POPUP_ROOM && above > below;
    let edge = if is_above { thing.min[1] - gap } else { thing.max[1] + gap };
    place_next(ui, [thing.min[0], edge], [0.0, f32::from(u8::from(is_above))]);
}

/// The height for which a popup opens below.
const POPUP_ROOM: f32 = 260.0;

/// Whether the popup with this id in the current window is open.
pub fn is_popup_open(_ui: &imgui::Ui, id: &str) -> bool {
    let Ok(id) = CString::new(id) else { return false };
    // SAFETY: within a frame and a window; the id outlives the call.
    unsafe { sys::igIsPopupOpen_Str(id.as_ptr(), 0) }
}

/// Whether any popup or modal window is open.
pub fn is_any_popup_open(_ui: &imgui::Ui) -> bool {
    let flags = sys::ImGuiPopupFlags_AnyPopupId | sys::ImGuiPopupFlags_AnyPopupLevel;
    // SAFETY: within a frame; the id is ignored with these flags.
    unsafe { sys::igIsPopupOpen_Str(std::ptr::null(), flags as i32) }
}

/// Lets the arrow keys choose in menus and lists from the next frame on, or keeps them from Dear ImGui.
pub fn choose_with_arrows(_ui: &imgui::Ui, is_on: bool) {
    // SAFETY: within a frame; the flag is read when the next one begins.
    unsafe {
        let flags = &mut (*sys::igGetIO()).ConfigFlags;
        let flag = sys::ImGuiConfigFlags_NavEnableKeyboard as i32;
        *flags = if is_on { *flags | flag } else { *flags & !flag };
    }
}

/// Clicks the entry chosen by [`choose_with_arrows`] in the next frame: Dear ImGui does so with Space only.
pub fn click_chosen(_ui: &imgui::Ui) {
    // SAFETY: within a frame; the item is looked up by its id, which may be gone.
    unsafe {
        let context = &*sys::igGetCurrentContext();
        if !context.NavDisableHighlight {
            sys::igActivateItem(context.NavId);
        }
    }
}

/// Whether the mouse has been over the last item for some time.
pub fn is_hovered_for_a_while(_ui: &imgui::Ui) -> bool {
    // SAFETY: within a frame and a window.
    unsafe { sys::igIsItemHovered(sys::ImGuiHoveredFlags_DelayNormal as i32) }
}

/// Closes every popup, as Escape does.
pub fn close_popups(_ui: &imgui::Ui) {
    // SAFETY: within a frame.
    unsafe {
        if (*sys::igGetCurrentContext()).OpenPopupStack.Size > 0 {
            sys::igClosePopupToLevel(0, true);
        }
    }
}

/// Limits the size of the next window.
pub fn limit_next_window(_ui: &imgui::Ui, least: [f32; 2], most: [f32; 2]) {
    let vector = |[x, y]: [f32; 2]| sys::ImVec2 { x, y };
    // SAFETY: within a frame; plain values, no callback.
    unsafe { sys::igSetNextWindowSizeConstraints(vector(least), vector(most), None, std::ptr::null_mut()) };
}

/// An invisible button for all three mouse buttons. Later items may overlap it and have priority.
pub fn ground_button(_ui: &imgui::Ui, id: &str, size: [f32; 2]) -> bool {
    let Ok(id) = CString::new(id) else { return false };
    let buttons = sys::ImGuiButtonFlags_MouseButtonMask_ as i32;
    let flags = buttons | sys::ImGuiButtonFlags_AllowItemOverlap as i32;
    let size = sys::ImVec2 { x: size[0].max(1.0), y: size[1].max(1.0) };
    // SAFETY: within a frame and a window; the id outlives the call.
    unsafe {
        let is_pressed = sys::igInvisibleButton(id.as_ptr(), size, flags);
        sys::igSetItemAllowOverlap();
        is_pressed
    }
}
