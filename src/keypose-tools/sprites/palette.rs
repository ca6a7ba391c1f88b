//! Reduces the colours of all frames to one palette.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::sprites::ink::Ink;
use crate::sprites::oklab;
use keypose::assets::sprite_recipe::{Rgb, SpriteRecipe};

/// The maximum number of colours of a palette.
pub const MAX_COLORS: usize = SpriteRecipe::MAX_COLORS;
/// Passes that move colours to the middle of those that they replace.
const PASSES: usize = 12;

/// How often each colour occurs in all frames.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    counts: BTreeMap<Rgb, u64>,
}

/// Colours and their places in OKLab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Palette {
    colors: Vec<Rgb>,
    places: Vec<Vec3>,
}

impl Usage {
    /// Counts the pixels of a frame.
    pub fn add(&mut self, ink: &Ink) {
        let mut colors: Vec<Rgb> = ink.pixels.iter().flatten().copied().collect();
        colors.sort_unstable();
        let runs = colors.chunk_by(|a, b| a == b);
        runs.for_each(|run| *self.counts.entry(run[0]).or_default() += run.len() as u64);
    }

    /// Adds the counts of other frames.
    pub fn merge(&mut self, other: &Usage) {
        other.counts.iter().for_each(|(color, count)| *self.counts.entry(*color).or_default() += count);
    }

    /// The number of different colours.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The colours as they are, from dark to light.
    pub fn colors(&self) -> impl Iterator<Item = Rgb> {
        self.counts.keys().copied()
    }

    /// The mean distance in OKLab of a pixel to its colour of a palette.
    pub fn mean_difference(&self, palette: &Palette) -> f32 {
        let sum: f64 = self
            .counts
            .iter()
            .map(|(color, count)| {
                let place = oklab::of_bytes(*color);
                let nearest = palette.places.get(palette.nearest(place)).copied().unwrap_or_default();
                f64::from(place.distance(nearest)) * *count as f64
            })
            .sum();
        (sum / self.counts.values().sum::<u64>().max(1) as f64) as f32
    }
}

impl Palette {
    /// A palette of these colours, of which the first [`MAX_COLORS`] different ones count.
    pub fn new(colors: impl IntoIterator<Item = Rgb>) -> Palette {
        let mut palette = Palette::default();
        for color in colors {
            if palette.colors.len() < MAX_COLORS && !palette.colors.contains(&color) {
                palette.colors.push(color);
                palette.places.push(oklab::of_bytes(color));
            }
        }
        palette
    }

    /// Chooses at most `count` colours so that pixels change little (k-means in OKLab, started from colours that are far apart). The
    /// same pixels give the same colours, sorted from dark to light.
    pub fn of(usage: &Usage, count: usize) -> Palette {
        let points: Vec<(Vec3, f32)> =
            usage.counts.iter().map(|(color, count)| (oklab::of_bytes(*color), *count as f32)).collect();
        if points.len() <= count {
            return Palette::sorted(usage.colors().collect());
        }
        let mut centers = far_apart(&points, count.clamp(1, MAX_COLORS));
        for _ in 0..PASSES {
            let mut sums = vec![(Vec3::ZERO, 0.0_f32); centers.len()];
            for (place, weight) in &points {
                let sum = &mut sums[nearest(&centers, *place)];
                *sum = (sum.0 + *place * *weight, sum.1 + weight);
            }
            for (center, (sum, weight)) in centers.iter_mut().zip(sums) {
                if weight > 0.0 {
                    *center = sum / weight;
                }
            }
        }
        Palette::sorted(centers.into_iter().map(oklab::to_bytes).collect())
    }

    fn sorted(mut colors: Vec<Rgb>) -> Palette {
        colors.sort_by(|a, b| oklab::of_bytes(*a).x.total_cmp(&oklab::of_bytes(*b).x).then(a.cmp(b)));
        Palette::new(colors)
    }

    /// The colours in order.
    pub fn colors(&self) -> &[Rgb] {
        &self.colors
    }

    /// The index of a colour that it has.
    pub fn index_of(&self, color: Rgb) -> Option<usize> {
        self.colors.iter().position(|known| *known == color)
    }

    /// The index of the nearest colour; 0 if the palette is empty.
    pub fn nearest_to(&self, color: Rgb) -> usize {
        self.index_of(color).unwrap_or_else(|| self.nearest(oklab::of_bytes(color)))
    }

    /// The index of the nearest colour to a place in OKLab; 0 if the palette is empty.
    fn nearest(&self, place: Vec3) -> usize {
        nearest(&self.places, place)
    }

    /// Replaces the colours of a frame by the nearest ones.
    pub fn apply(&self, ink: &mut Ink, known: &mut BTreeMap<Rgb, Rgb>) {
        for color in ink.pixels.iter_mut().flatten() {
            let find = || self.colors.get(self.nearest(oklab::of_bytes(*color))).copied().unwrap_or(*color);
            *color = *known.entry(*color).or_insert_with(find);
        }
    }
}

/// Colours to start from: that of the largest number of pixels, then always the one with the largest weighted distance to those chosen.
fn far_apart(points: &[(Vec3, f32)], count: usize) -> Vec<Vec3> {
    let frequent = points.iter().rev().max_by(|a, b| a.1.total_cmp(&b.1));
    let Some(&(first, _)) = frequent else { return Vec::new() };
    let mut centers = vec![first];
    let mut distances: Vec<f32> = points.iter().map(|(place, _)| place.distance_squared(first)).collect();
    while centers.len() < count {
        let error = |at: usize| distances[at] * points[at].1.sqrt();
        let farthest = (0..points.len()).rev().max_by(|&a, &b| error(a).total_cmp(&error(b)));
        let Some(next) = farthest.filter(|&at| distances[at] > 0.0) else { break };
        let place = points[next].0;
        centers.push(place);
        for (distance, (other, _)) in distances.iter_mut().zip(points) {
            *distance = distance.min(other.distance_squared(place));
        }
    }
    centers
}

fn nearest(places: &[Vec3], place: Vec3) -> usize {
    let distance = |at: &usize| places[*at].distance_squared(place);
    (0..places.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient() -> Ink {
        let pixel = |at: usize| Some([(at % 64 * 4) as u8, (at / 64 * 4) as u8, 90]);
        Ink { width: 64, height: 64, pixels: (0..64 * 64).map(pixel).collect() }
    }

    #[test]
    fn pixels_keep_to_the_palette_and_change_little() {
        let mut usage = Usage::default();
        usage.add(&gradient());
        let palette = Palette::of(&usage, 24);
        assert_eq!(palette.colors().len(), 24);
        let [few, many] = [8, 64].map(|count| usage.mean_difference(&Palette::of(&usage, count)));
        assert!(many < usage.mean_difference(&palette) && usage.mean_difference(&palette) < few);
        let mut ink = gradient();
        palette.apply(&mut ink, &mut BTreeMap::new());
        assert!(ink.pixels.iter().flatten().all(|color| palette.index_of(*color).is_some()));
        assert_eq!(palette, Palette::of(&usage, 24), "the same colours each time");
    }

    #[test]
    fn few_colors_stay_as_they_are() {
        let mut usage = Usage::default();
        usage.add(&Ink { width: 3, height: 1, pixels: vec![Some([9, 8, 7]), None, Some([200; 3])] });
        assert_eq!(Palette::of(&usage, 24).colors(), [[9, 8, 7], [200; 3]]);
        assert!(Palette::of(&Usage::default(), 24).colors().is_empty());
    }
}
