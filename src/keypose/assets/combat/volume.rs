//! A volume on a bone: a capsule, or a sphere if its ends are the same point.

use std::collections::BTreeSet;

use glam::Vec3;

/// The maximum number of volumes in a list.
pub const MAX_VOLUMES: usize = 256;

/// A capsule that moves with a bone. The bone is identified by its name, so a volume stays on it when the model is imported
/// again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Volume {
    /// Unique in its list, not empty.
    pub name: String,
    /// The name of the bone, not empty.
    pub bone: String,
    /// One end of the axis, in the space of the bone.
    pub from: Vec3,
    /// The other end; the same point for a sphere.
    pub to: Vec3,
    /// In the units of the model, more than zero; the scale of the bone is ignored.
    pub radius: f32,
}

impl Volume {
    /// Creates a volume whose axis is one point.
    pub fn sphere(name: impl Into<String>, bone: impl Into<String>, center: Vec3, radius: f32) -> Volume {
        Volume { name: name.into(), bone: bone.into(), from: center, to: center, radius }
    }

    /// Checks the names and numbers.
    pub fn check(&self) -> Result<(), String> {
        let Volume { name, bone, from, to, radius } = self;
        if name.trim().is_empty() {
            Err("a volume has no name".to_owned())
        } else if bone.is_empty() {
            Err(format!("volume \"{name}\" has no bone"))
        } else if !(from.is_finite() && to.is_finite()) {
            Err(format!("an end of volume \"{name}\" is not finite"))
        } else if !(radius.is_finite() && *radius > 0.0) {
            Err(format!("the radius of volume \"{name}\" is {radius}, not more than zero"))
        } else {
            Ok(())
        }
    }
}

/// Checks every volume of a list, that names are unique and that there are not more than [`MAX_VOLUMES`].
pub fn check_all(volumes: &[Volume]) -> Result<(), String> {
    if volumes.len() > MAX_VOLUMES {
        return Err(format!("{} volumes; the maximum is {MAX_VOLUMES}", volumes.len()));
    }
    let mut names = BTreeSet::new();
    for volume in volumes {
        volume.check()?;
        if !names.insert(volume.name.as_str()) {
            return Err(format!("the volume name \"{}\" is used twice", volume.name));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_volumes_are_refused() {
        let good = Volume::sphere("fist", "hand.R", Vec3::ZERO, 0.1);
        assert_eq!(good.check(), Ok(()));
        let bad = [
            Volume { name: " ".into(), ..good.clone() },
            Volume { bone: "".into(), ..good.clone() },
            Volume { to: Vec3::NAN, ..good.clone() },
            Volume { radius: 0.0, ..good.clone() },
            Volume { radius: f32::INFINITY, ..good.clone() },
        ];
        assert!(bad.iter().all(|volume| volume.check().is_err()));
        assert!(check_all(&[good.clone(), good]).is_err());
        let many: Vec<_> = (0..=MAX_VOLUMES).map(|at| Volume::sphere(at.to_string(), "b", Vec3::ZERO, 1.0)).collect();
        assert!(check_all(&many).is_err());
        assert!(check_all(&many[1..]).is_ok());
    }
}
