//! The order in which the three angles of a rotation are applied, named as in Blender.

use crate::anim::choice::choice;

choice! {
    /// The order of the axes of Euler angles. The axes are fixed (they don't rotate with the bone), and the first letter is
    /// applied first: `Xyz` rotates about the parent's x, then y, then z.
    #[derive(Default, PartialOrd, Ord, Hash)]
    #[allow(missing_docs)]
    pub enum EulerOrder {
        #[default]
        Xyz = "XYZ",
        Xzy = "XZY",
        Yxz = "YXZ",
        Yzx = "YZX",
        Zxy = "ZXY",
        Zyx = "ZYX",
    }
}

impl EulerOrder {
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
