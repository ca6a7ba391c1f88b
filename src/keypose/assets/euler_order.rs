//! The order in which the three angles of a rotation are applied, named as in Blender.

/// The order of the axes of Euler angles. The axes are fixed (they don't rotate with the bone), and the first letter is
/// applied first: `Xyz` rotates about the parent's x, then y, then z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum EulerOrder {
    #[default]
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    Zxy,
    Zyx,
}

impl EulerOrder {
    /// In Blender's order.
    pub const ALL: [EulerOrder; 6] = {
        use EulerOrder::*;
        [Xyz, Xzy, Yxz, Yzx, Zxy, Zyx]
    };

    /// "XYZ".
    pub const fn name(self) -> &'static str {
        match self {
            EulerOrder::Xyz => "XYZ",
            EulerOrder::Xzy => "XZY",
            EulerOrder::Yxz => "YXZ",
            EulerOrder::Yzx => "YZX",
            EulerOrder::Zxy => "ZXY",
            EulerOrder::Zyx => "ZYX",
        }
    }

    /// The axes (0 is x) in the order in which they are applied.
    pub const fn axes(self) -> [usize; 3] {
        match self {
            EulerOrder::Xyz => [0, 1, 2],
            EulerOrder::Xzy => [0, 2, 1],
            EulerOrder::Yxz => [1, 0, 2],
            EulerOrder::Yzx => [1, 2, 0],
            EulerOrder::Zxy => [2, 0, 1],
            EulerOrder::Zyx => [2, 1, 0],
        }
    }
}
