//! A stored layout of the panels, before Dear ImGui sees it. Its reader trusts every number, and aborts the program on a
//! tree that it would not write itself: so the text is parsed here, checked, and written again from what was understood.

use std::collections::BTreeMap;
use std::fmt::Write;

/// The largest distance in points. Dear ImGui stores 16 bits.
const MAX_POINTS: i32 = 16_000;
const MAX_WINDOWS: usize = 256;
const MAX_NODES: usize = 128;
const MAX_DEPTH: usize = 32;
const MAX_NAME_BYTES: usize = 200;

/// The places of a node or a window: position or size.
type Pair = [i32; 2];

/// A window: what its lines say.
struct Window<'a> {
    name: &'a str,
    position: Option<Pair>,
    size: Option<Pair>,
    is_collapsed: bool,
    /// The node in which it is docked, and its place among the tabs.
    dock: Option<(u32, Option<i32>)>,
}

/// A node of the tree of docked windows.
struct Node {
    id: u32,
    is_space: bool,
    place: Place,
    /// X or Y, if it has two children.
    split: Option<char>,
    /// The properties that are set, as they are written.
    flags: Vec<&'static str>,
    selected: u32,
}

/// Where a node is.
enum Place {
    Root { window: Option<u32>, position: Pair, size: Pair },
    Within { parent: u32, size: Pair },
}

/// The properties of a node, in the order in which they are written.
const FLAGS: [&str; 6] = ["NoResize", "CentralNode", "NoTabBar", "HiddenTabBar", "NoWindowMenuButton", "NoCloseButton"];

/// The layout as Dear ImGui would write it, without what it doesn't need: `None` if anything in it is not valid.
pub fn checked(ini: &str) -> Option<String> {
    let (mut windows, mut nodes) = (Vec::new(), Vec::new());
    let mut section = Section::Other;
    for line in ini.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            section = Section::of(title, &mut windows)?;
            continue;
        }
        match section {
            Section::Window => read_window(line, windows.last_mut()?)?,
            Section::Docking => nodes.push(read_node(line)?),
            // No panel has a table whose columns are kept.
            Section::Other => {}
        }
    }
    let is_small = windows.len() <= MAX_WINDOWS && nodes.len() <= MAX_NODES;
    (is_small && is_tree(&nodes) && are_docked(&windows, &nodes)).then(|| written(&windows, &nodes))
}

#[derive(Clone, Copy)]
enum Section {
    Window,
    Docking,
    Other,
}

impl Section {
    fn of<'a>(title: &'a str, windows: &mut Vec<Window<'a>>) -> Option<Section> {
        let (kind, name) = title.split_once("][")?;
        Some(match kind {
            "Window" => {
                let is_valid = name.len() <= MAX_NAME_BYTES && !name.chars().any(char::is_control);
                let is_new = !windows.iter().any(|window| window.name == name);
                windows.push((is_valid && is_new).then_some(Window {
                    name,
                    position: None,
                    size: None,
                    is_collapsed: false,
                    dock: None,
                })?);
                Section::Window
            }
            "Docking" => Section::Docking,
            _ => Section::Other,
        })
    }
}

fn read_window(line: &str, window: &mut Window<'_>) -> Option<()> {
    let (field, value) = line.split_once('=')?;
    match field {
        "Pos" => window.position = Some(pair(value, -MAX_POINTS)?),
        "Size" => window.size = Some(pair(value, 0)?),
        "Collapsed" => window.is_collapsed = flag(value)?,
        "DockId" => {
            let (node, order) = value.split_once(',').map_or((value, None), |(node, order)| (node, Some(order)));
            let order = match order {
                Some(order) => Some(order.parse().ok().filter(|order| (-1..=MAX_POINTS).contains(order))?),
                None => None,
            };
            window.dock = Some((id(node)?, order));
        }
        // The program has one window of the system, and no classes of windows.
        "ViewportId" | "ViewportPos" | "ClassId" => {}
        _ => return None,
    }
    Some(())
}

fn read_node(line: &str) -> Option<Node> {
    let mut words = line.split_ascii_whitespace();
    let is_space = match words.next()? {
        "DockSpace" => true,
        "DockNode" => false,
        _ => return None,
    };
    let mut fields = BTreeMap::new();
    for word in words {
        let (field, value) = word.split_once('=')?;
        if fields.insert(field, value).is_some() {
            return None;
        }
    }
    let place = match fields.remove("Parent") {
        Some(parent) => {
            let size = fields.remove("SizeRef").map_or(Some([0, 0]), |size| pair(size, 0))?;
            Place::Within { parent: id(parent)?, size }
        }
        None => Place::Root {
            window: fields.remove("Window").map_or(Some(None), |window| id(window).map(Some))?,
            position: pair(fields.remove("Pos")?, -MAX_POINTS)?,
            size: pair(fields.remove("Size")?, 0)?,
        },
    };
    let split = match fields.remove("Split") {
        Some("X") => Some('X'),
        Some("Y") => Some('Y'),
        Some(_) => return None,
        None => None,
    };
    let mut flags = Vec::new();
    for name in FLAGS {
        if fields.remove(name).map_or(Some(false), flag)? {
            flags.push(name);
        }
    }
    let node_id = id(fields.remove("ID")?)?;
    let selected = fields.remove("Selected").map_or(Some(0), number)?;
    fields.is_empty().then_some(Node { id: node_id, is_space, place, split, flags, selected })
}

/// Whether the nodes are what Dear ImGui writes: parents first, split ones with two children, the others with none; at most
/// one dock space, which is a root and has the central node.
fn is_tree(nodes: &[Node]) -> bool {
    let mut known: BTreeMap<u32, Known> = BTreeMap::new();
    let (mut spaces, mut centres) = (0, 0);
    for node in nodes {
        let (depth, is_in_space) = match node.place {
            Place::Root { .. } => (0, node.is_space),
            Place::Within { parent, .. } => {
                let Some(parent) = known.get_mut(&parent).filter(|parent| parent.is_split && parent.children < 2)
                else {
                    return false;
                };
                parent.children += 1;
                (parent.depth + 1, parent.is_in_space && !node.is_space)
            }
        };
        let is_root = matches!(node.place, Place::Root { .. });
        let is_centre = node.flags.contains(&"CentralNode");
        spaces += usize::from(node.is_space);
        centres += usize::from(is_centre);
        let is_odd = node.is_space && !is_root || is_centre && (!is_in_space || node.split.is_some());
        let own = Known { is_split: node.split.is_some(), children: 0, depth, is_in_space };
        if is_odd || depth > MAX_DEPTH || known.insert(node.id, own).is_some() {
            return false;
        }
    }
    let are_full = known.values().all(|node| node.children == if node.is_split { 2 } else { 0 });
    are_full && spaces <= 1 && centres <= 1
}

/// A node whose children are read.
struct Known {
    is_split: bool,
    children: usize,
    depth: usize,
    is_in_space: bool,
}

/// Whether windows are docked only in nodes that are not split.
fn are_docked(windows: &[Window<'_>], nodes: &[Node]) -> bool {
    let is_split = |id: u32| nodes.iter().any(|node| node.id == id && node.split.is_some());
    windows.iter().filter_map(|window| window.dock).all(|(node, _)| !is_split(node))
}

fn written(windows: &[Window<'_>], nodes: &[Node]) -> String {
    let mut out = String::new();
    let written = windows.iter().try_for_each(|window| write_window(&mut out, window));
    let docking = if nodes.is_empty() { Ok(()) } else { writeln!(out, "[Docking][Data]") };
    let nodes = nodes.iter().try_for_each(|node| write_node(&mut out, node));
    // Writing to a text never fails.
    debug_assert!(written.and(docking).and(nodes).is_ok());
    out.push('\n');
    out
}

fn write_window(out: &mut String, window: &Window<'_>) -> std::fmt::Result {
    let Window { name, position, size, is_collapsed, dock } = window;
    writeln!(out, "[Window][{name}]")?;
    if let Some([x, y]) = position {
        writeln!(out, "Pos={x},{y}")?;
    }
    if let Some([width, height]) = size {
        writeln!(out, "Size={width},{height}")?;
    }
    writeln!(out, "Collapsed={}", u8::from(*is_collapsed))?;
    match dock {
        Some((node, Some(order))) => writeln!(out, "DockId=0x{node:08X},{order}")?,
        Some((node, None)) => writeln!(out, "DockId=0x{node:08X}")?,
        None => {}
    }
    writeln!(out)
}

fn write_node(out: &mut String, node: &Node) -> std::fmt::Result {
    let Node { id, is_space, place, split, flags, selected } = node;
    write!(out, "{} ID=0x{id:08X}", if *is_space { "DockSpace" } else { "DockNode" })?;
    match place {
        Place::Root { window, position: [x, y], size: [width, height] } => {
            if let Some(window) = window {
                write!(out, " Window=0x{window:08X}")?;
            }
            write!(out, " Pos={x},{y} Size={width},{height}")?;
        }
        Place::Within { parent, size: [width, height] } => {
            write!(out, " Parent=0x{parent:08X} SizeRef={width},{height}")?;
        }
    }
    if let Some(axis) = split {
        write!(out, " Split={axis}")?;
    }
    for flag in flags {
        write!(out, " {flag}=1")?;
    }
    if *selected != 0 {
        write!(out, " Selected=0x{selected:08X}")?;
    }
    writeln!(out)
}

/// `12,-34`, both at least `min`.
fn pair(text: &str, min: i32) -> Option<Pair> {
    let (x, y) = text.split_once(',')?;
    let one = |side: &str| side.parse::<i32>().ok().filter(|side| (min..=MAX_POINTS).contains(side));
    Some([one(x)?, one(y)?])
}

/// An id, which is never zero.
fn id(text: &str) -> Option<u32> {
    number(text).filter(|&id| id != 0)
}

fn number(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("0x")?;
    // A sign is no digit.
    if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) { u32::from_str_radix(digits, 16).ok() } else { None }
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}
