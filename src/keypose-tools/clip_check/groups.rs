//! Groups of findings of one clip: a line says how many there are and how bad the worst is.

use crate::anim::skeleton::BoneIndex;
use crate::clip_check::{Finding, Kind, Severity, Subject};

/// Findings of one clip that are of one kind; sliding feet also of one leg.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Kind of all findings in the group.
    pub kind: Kind,
    /// The grade of the worst one.
    pub grade: Severity,
    /// The bone, if all are about the same one.
    pub bone: Option<BoneIndex>,
    /// A short description: of the finding if there is one, or of all.
    pub text: String,
    /// The index of the worst finding.
    pub worst: usize,
    /// The indices of all findings, in order.
    pub places: Vec<usize>,
}

/// Groups the findings of a clip, severe ones first.
pub fn groups(subject: &Subject, findings: &[Finding]) -> Vec<Group> {
    let key = |finding: &Finding| (finding.kind, finding.bone.filter(|_| finding.kind == Kind::FootSlide));
    let mut keys: Vec<(Kind, Option<BoneIndex>)> = Vec::new();
    for finding in findings {
        if !keys.contains(&key(finding)) {
            keys.push(key(finding));
        }
    }
    let group = |wanted| {
        let places: Vec<usize> = (0..findings.len()).filter(|&at| key(&findings[at]) == wanted).collect();
        of(subject, findings, places)
    };
    let mut groups: Vec<Group> = keys.into_iter().filter_map(group).collect();
    groups.sort_by_key(|group| group.grade);
    groups
}

/// `None` without places.
fn of(subject: &Subject, findings: &[Finding], places: Vec<usize>) -> Option<Group> {
    let badness = |at: &usize| (findings[*at].grade == Severity::Warning, findings[*at].badness());
    let worst = places.iter().copied().max_by(|a, b| {
        let (a, b) = (badness(a), badness(b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    })?;
    let most = &findings[worst];
    let text = match places.len() {
        1 => most.text.clone(),
        count => summary(subject, most, count),
    };
    let first = findings[*places.first()?].bone;
    let bone = first.filter(|_| places.iter().all(|&at| findings[at].bone == first));
    Some(Group { kind: most.kind, grade: most.grade, bone, text, worst, places })
}

/// Describes several findings by the worst of them.
fn summary(subject: &Subject, most: &Finding, count: usize) -> String {
    let name = most.bone.map_or("", |bone| subject.name(usize::from(bone)));
    match most.kind {
        Kind::FootSlide => format!("{name} slides: {count} places, worst {}", subject.length_text(most.figure)),
        Kind::ContactSlide => format!("{count} contacts slide, worst {} ({name})", subject.length_text(most.figure)),
        Kind::OffArc => format!("{count} flights are off their arcs, worst {}", subject.length_text(most.figure)),
        Kind::OutOfBalance => format!("{count} ranges are out of balance, worst {}", subject.length_text(most.figure)),
        Kind::SeamJump | Kind::SeamSpeed | Kind::Lying | Kind::Height | Kind::RootMotionOff | Kind::RootStays => {
            most.text.clone()
        }
        Kind::SameKeyframes => format!("{count} held poses, the longest for {:.2} s", most.figure),
        Kind::Flip => format!("{count} bones rotate the long way, by up to {:.0}° ({name})", most.figure),
        Kind::MissingBone => format!("keys for {count} bones that the skeleton lacks"),
        Kind::Stretch => format!("{count} bones change their length, by up to {:.0} % ({name})", most.figure * 100.0),
        Kind::BeyondLimit => format!("{count} joints bend beyond their limits, by up to {:.0}° ({name})", most.figure),
        Kind::ZeroDuration => format!("{count} keyframes have no duration"),
        Kind::HitWithoutVolume => format!("{count} hits have no volume"),
        Kind::EmptyRange => format!("{count} ranges have no tick"),
        Kind::RangePastEnd => format!("{count} ranges end after the clip"),
        Kind::MissingName => format!("{count} events refer to missing names"),
        Kind::MissingVolume => format!("{count} volumes or bones of the lanes don't exist"),
    }
}

impl Finding {
    /// Severity relative to other findings of the kind.
    fn badness(&self) -> f32 {
        match self.kind {
            Kind::Stretch => self.figure.max(1e-6).ln().abs(),
            _ => self.figure,
        }
    }
}
