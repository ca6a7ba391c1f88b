//! Transforms: the list of elements that place a node, each of which can be animated.

use glam::{DMat3, DMat4, DQuat, DVec3};
use roxmltree::Node;

use crate::anim::transform::Transform;
use crate::import::collada::document::{Document, numbers};

/// One element of a node's list.
#[derive(Clone, Debug)]
pub struct Step {
    kind: Kind,
    /// SID, by which animations refer to the transform.
    pub sid: String,
    /// Numbers, as many as the kind has.
    pub numbers: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// 16 numbers, by rows.
    Matrix,
    Translate,
    /// Axis and degrees.
    Rotate,
    Scale,
    /// Eye, target, up.
    LookAt,
}

impl Kind {
    fn of(name: &str) -> Option<(Kind, usize)> {
        match name {
            "matrix" => Some((Kind::Matrix, 16)),
            "translate" => Some((Kind::Translate, 3)),
            "rotate" => Some((Kind::Rotate, 4)),
            "scale" => Some((Kind::Scale, 3)),
            "lookat" => Some((Kind::LookAt, 9)),
            _ => None,
        }
    }
}

impl Step {
    /// The step of an element; `None` for other elements and wrong counts of numbers.
    pub fn of(node: Node<'_, '_>) -> Option<Step> {
        let (kind, count) = Kind::of(node.tag_name().name())?;
        let numbers = numbers(node);
        let sid = node.attribute("sid").unwrap_or_default().to_owned();
        (numbers.len() == count).then_some(Step { kind, sid, numbers })
    }

    /// Whether it sets the whole transform.
    pub fn is_matrix(&self) -> bool {
        self.kind == Kind::Matrix
    }

    /// Whether lines between its values are no lines between poses.
    pub fn is_rotation(&self) -> bool {
        self.kind == Kind::Rotate
    }

    /// The index of a member such as "X", "ANGLE" or "(3)(1)"; `None` for an unknown one, or one of a matrix's last row, which says nothing.
    pub fn member(&self, name: &str) -> Option<usize> {
        let index = match name {
            "X" => 0,
            "Y" => 1,
            "Z" => 2,
            "ANGLE" => 3,
            _ => {
                let mut parts = name.strip_prefix('(')?.strip_suffix(')')?.split(")(");
                let (first, second) = (parts.next()?.parse::<usize>().ok()?, parts.next());
                match second {
                    // Column, then row (COLLADA 1.4, "Address syntax").
                    Some(row) => row.parse::<usize>().ok()?.checked_mul(4)?.checked_add(first)?,
                    None => first,
                }
            }
        };
        let end = if self.is_matrix() { 12 } else { self.numbers.len() };
        (index < end).then_some(index)
    }

    #[allow(clippy::arithmetic_side_effects)] // Floating point only.
    fn matrix(&self) -> Option<DMat4> {
        let vector =
            |at: usize| self.numbers.get(at..).and_then(|rest| rest.first_chunk::<3>()).map(|xyz| DVec3::from(*xyz));
        Some(match self.kind {
            Kind::Matrix => DMat4::from_cols_array(self.numbers.first_chunk::<16>()?).transpose(),
            Kind::Translate => DMat4::from_translation(vector(0)?),
            Kind::Scale => DMat4::from_scale(vector(0)?),
            Kind::Rotate => {
                let axis = vector(0)?.try_normalize()?;
                DMat4::from_quat(DQuat::from_axis_angle(axis, self.numbers.get(3)?.to_radians()))
            }
            Kind::LookAt => {
                let (eye, target, up) = (vector(0)?, vector(3)?, vector(6)?);
                let z = (eye - target).try_normalize()?;
                let x = up.cross(z).try_normalize()?;
                let [x, y, z] = [x, z.cross(x), z].map(|axis| axis.extend(0.0));
                DMat4::from_cols(x, y, z, eye.extend(1.0))
            }
        })
    }
}

/// The matrix of a list of steps, in the units and axes of the file.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn product(steps: &[Step]) -> DMat4 {
    steps.iter().filter_map(Step::matrix).fold(DMat4::IDENTITY, |all, step| all * step)
}

/// Returns the matrix of a list of steps, in metres; roots are turned to our axes. `None` if it is not finite.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn matrix(document: &Document<'_>, steps: &[Step], is_root: bool) -> Option<DMat4> {
    let mut matrix = product(steps);
    matrix.w_axis *= glam::DVec4::new(document.unit, document.unit, document.unit, 1.0);
    if is_root {
        matrix = document.turn * matrix;
    }
    matrix.is_finite().then_some(matrix)
}

/// The translation, rotation and scale of a matrix, and whether that is all of it.
#[allow(clippy::arithmetic_side_effects)] // Floating point only.
pub fn decomposed(matrix: DMat4) -> (Transform, bool) {
    let transform = Transform::from_mat4(matrix.as_mat4());
    // The translation is no measure of the axes.
    let [axes, with] = [matrix, transform.to_mat4().as_dmat4()].map(DMat3::from_mat4);
    let largest = axes.to_cols_array().into_iter().fold(0.0_f64, |most, number| most.max(number.abs()));
    (transform, with.abs_diff_eq(axes, 1e-4 * largest))
}
