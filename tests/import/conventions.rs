//! Names of bones as common programs, games and libraries of motion give them: each bone is found in each other's skeleton.

use keypose::anim::skeleton::{Bone, BoneIndex, Skeleton};
use keypose::anim::transform::Transform;
use keypose::assets::bone_match::match_bones;

/// A name, the sides, the bones of the trunk from the hips to the head, and those of an arm and a leg with "%" for the side.
type Convention = (&'static str, [&'static str; 2], &'static str, &'static str);

const CONVENTIONS: [Convention; 27] = [
    (
        "Mixamo",
        ["Left", "Right"],
        "mixamorig:Hips, mixamorig:Spine, mixamorig:Spine2, mixamorig:Neck, mixamorig:Head",
        "mixamorig:%Shoulder, mixamorig:%Arm, mixamorig:%ForeArm, mixamorig:%Hand, mixamorig:%UpLeg, mixamorig:%Leg, mixamorig:%Foot, mixamorig:%ToeBase",
    ),
    (
        "Unreal",
        ["l", "r"],
        "pelvis, spine_01, spine_03, neck_01, head",
        "clavicle_%, upperarm_%, lowerarm_%, hand_%, thigh_%, calf_%, foot_%, ball_%",
    ),
    (
        "Biped",
        ["L", "R"],
        "Bip001 Pelvis, Bip001 Spine, Bip001 Spine1, Bip001 Neck, Bip001 Head",
        "Bip001 % Clavicle, Bip001 % UpperArm, Bip001 % Forearm, Bip001 % Hand, Bip001 % Thigh, Bip001 % Calf, Bip001 % Foot, Bip001 % Toe0",
    ),
    (
        "Source engine",
        ["L", "R"],
        "ValveBiped.Bip01_Pelvis, ValveBiped.Bip01_Spine, ValveBiped.Bip01_Spine2, ValveBiped.Bip01_Neck1, ValveBiped.Bip01_Head1",
        "ValveBiped.Bip01_%_Clavicle, ValveBiped.Bip01_%_UpperArm, ValveBiped.Bip01_%_Forearm, ValveBiped.Bip01_%_Hand, ValveBiped.Bip01_%_Thigh, ValveBiped.Bip01_%_Calf, ValveBiped.Bip01_%_Foot, ValveBiped.Bip01_%_Toe0",
    ),
    (
        "Character Creator",
        ["L", "R"],
        "CC_Base_Hip, CC_Base_Waist, CC_Base_Spine02, CC_Base_NeckTwist01, CC_Base_Head",
        "CC_Base_%_Clavicle, CC_Base_%_Upperarm, CC_Base_%_Forearm, CC_Base_%_Hand, CC_Base_%_Thigh, CC_Base_%_Calf, CC_Base_%_Foot, CC_Base_%_ToeBase",
    ),
    (
        "Daz Genesis 8",
        ["l", "r"],
        "hip, abdomenLower, chestLower, neckLower, head",
        "%Collar, %ShldrBend, %ForearmBend, %Hand, %ThighBend, %Shin, %Foot, %Toe",
    ),
    (
        "Daz Genesis 9",
        ["l", "r"],
        "hip, spine1, spine4, neck1, head",
        "%_shoulder, %_upperarm, %_forearm, %_hand, %_thigh, %_shin, %_foot, %_toes",
    ),
    (
        "MakeHuman",
        ["L", "R"],
        "root, spine05, spine01, neck01, head",
        "clavicle.%, upperarm01.%, lowerarm01.%, wrist.%, upperleg01.%, lowerleg01.%, foot.%, toe1-1.%",
    ),
    (
        "VRoid",
        ["L", "R"],
        "J_Bip_C_Hips, J_Bip_C_Spine, J_Bip_C_Chest, J_Bip_C_Neck, J_Bip_C_Head",
        "J_Bip_%_Shoulder, J_Bip_%_UpperArm, J_Bip_%_LowerArm, J_Bip_%_Hand, J_Bip_%_UpperLeg, J_Bip_%_LowerLeg, J_Bip_%_Foot, J_Bip_%_ToeBase",
    ),
    (
        "SMPL",
        ["L", "R"],
        "Pelvis, Spine1, Spine3, Neck, Head",
        "%_Collar, %_Shoulder, %_Elbow, %_Wrist, %_Hip, %_Knee, %_Ankle, %_Foot",
    ),
    (
        "Kinect",
        ["Left", "Right"],
        "SpineBase, SpineMid, SpineShoulder, Neck, Head",
        "Clavicle%, Shoulder%, Elbow%, Wrist%, Hip%, Knee%, Ankle%, Foot%",
    ),
    (
        "Roblox",
        ["Left", "Right"],
        "LowerTorso, UpperTorso, UpperTorso1, Neck, Head",
        "%Clavicle, %UpperArm, %LowerArm, %Hand, %UpperLeg, %LowerLeg, %Foot, %Toe",
    ),
    (
        "Advanced Skeleton",
        ["L", "R"],
        "Root_M, Spine1_M, Chest_M, Neck_M, Head_M",
        "Scapula_%, Shoulder_%, Elbow_%, Wrist_%, Hip_%, Knee_%, Ankle_%, Toes_%",
    ),
    (
        "Auto-Rig Pro",
        ["l", "r"],
        "root.x, spine_01.x, spine_02.x, neck.x, head.x",
        "shoulder.%, arm_stretch.%, forearm_stretch.%, hand.%, thigh_stretch.%, leg_stretch.%, foot.%, toes_01.%",
    ),
    (
        "Rigify",
        ["L", "R"],
        "DEF-spine, DEF-spine.001, DEF-spine.003, DEF-spine.004, DEF-spine.006",
        "DEF-shoulder.%, DEF-upper_arm.%, DEF-forearm.%, DEF-hand.%, DEF-thigh.%, DEF-shin.%, DEF-foot.%, DEF-toe.%",
    ),
    (
        "Second Life",
        ["Left", "Right"],
        "mPelvis, mTorso, mChest, mNeck, mHead",
        "mCollar%, mShoulder%, mElbow%, mWrist%, mHip%, mKnee%, mAnkle%, mToe%",
    ),
    (
        "Grand Theft Auto",
        ["L", "R"],
        "SKEL_Pelvis, SKEL_Spine0, SKEL_Spine3, SKEL_Neck_1, SKEL_Head",
        "SKEL_%_Clavicle, SKEL_%_UpperArm, SKEL_%_Forearm, SKEL_%_Hand, SKEL_%_Thigh, SKEL_%_Calf, SKEL_%_Foot, SKEL_%_Toe0",
    ),
    (
        "The Sims",
        ["L", "R"],
        "b__Pelvis__, b__Spine0__, b__Spine2__, b__Neck__, b__Head__",
        "b__%_Clavicle__, b__%_UpperArm__, b__%_Forearm__, b__%_Hand__, b__%_Thigh__, b__%_Calf__, b__%_Foot__, b__%_Toe__",
    ),
    (
        "Skyrim",
        ["L", "R"],
        "NPC Pelvis [Pelv], NPC Spine [Spn0], NPC Spine2 [Spn2], NPC Neck [Neck], NPC Head [Head]",
        "NPC % Clavicle [%Clv], NPC % UpperArm [%Uar], NPC % Forearm [%Lar], NPC % Hand [%Hnd], NPC % Thigh [%Thg], NPC % Calf [%Clf], NPC % Foot [%ft ], NPC % Toe0 [%Toe]",
    ),
    (
        "HumanIK",
        ["Left", "Right"],
        "Character1_Hips, Character1_Spine, Character1_Spine2, Character1_Neck, Character1_Head",
        "Character1_%Shoulder, Character1_%Arm, Character1_%ForeArm, Character1_%Hand, Character1_%UpLeg, Character1_%Leg, Character1_%Foot, Character1_%ToeBase",
    ),
    (
        "Poser, as the captures of Carnegie Mellon are often had",
        ["l", "r"],
        "hip, abdomen, chest, neck, head",
        "%Collar, %Shldr, %ForeArm, %Hand, %Thigh, %Shin, %Foot, %Toe",
    ),
    (
        "Xsens",
        ["Left", "Right"],
        "Pelvis, L5, T8, Neck, Head",
        "%Shoulder, %UpperArm, %ForeArm, %Hand, %UpperLeg, %LowerLeg, %Foot, %Toe",
    ),
    ("Motive", ["L", "R"], "Hip, Ab, Chest, Neck, Head", "%Shoulder, %UArm, %FArm, %Hand, %Thigh, %Shin, %Foot, %Toe"),
    (
        "limbs extruded in Blender",
        ["L", "R"],
        "Hips, Spine, Chest, Neck, Head",
        "Shoulder.%, Arm.%, Arm.%.001, Hand.%, Leg.%, Leg.%.001, Foot.%, Toe.%",
    ),
    (
        "Quaternius",
        ["L", "R"],
        "Hips, Abdomen, Torso, Neck, Head",
        "Shoulder.%, UpperArm.%, LowerArm.%, Palm.%, UpperLeg.%, LowerLeg.%, Foot.%, Toe.%",
    ),
    (
        "joints, knees and elbows",
        ["L", "R"],
        "pelvis_jnt, spine_01_jnt, spine_03_jnt, neck_jnt, head_jnt",
        "clavicle_%_jnt, shoulder_%_jnt, elbow_%_jnt, wrist_%_jnt, hip_%_jnt, knee_%_jnt, ankle_%_jnt, ball_%_jnt",
    ),
    (
        "the name of a hero before each bone, and limbs of unknown names",
        ["l", "r"],
        "hero_hips, hero_belly, hero_ribs, hero_neck, hero_head",
        "hero_%_collar, hero_%_biceps, hero_%_forearm, hero_%_hand, hero_%_ham, hero_%_shin, hero_%_foot, hero_%_toe",
    ),
];

/// The bones in level order: the side (2 is the trunk), the place in the list, and the parent.
const BONES: [(usize, usize, Option<BoneIndex>); 21] = [
    (2, 0, None),
    (2, 1, Some(0)),
    (0, 4, Some(0)),
    (1, 4, Some(0)),
    (2, 2, Some(1)),
    (0, 5, Some(2)),
    (1, 5, Some(3)),
    (2, 3, Some(4)),
    (0, 0, Some(4)),
    (1, 0, Some(4)),
    (0, 6, Some(5)),
    (1, 6, Some(6)),
    (2, 4, Some(7)),
    (0, 1, Some(8)),
    (1, 1, Some(9)),
    (0, 7, Some(10)),
    (1, 7, Some(11)),
    (0, 2, Some(13)),
    (1, 2, Some(14)),
    (0, 3, Some(17)),
    (1, 3, Some(18)),
];

fn skeleton((_, sides, trunk, limbs): Convention) -> Skeleton {
    let nth = |names: &'static str, at: usize| names.split(", ").nth(at).unwrap();
    let bone = |(side, at, parent): (usize, usize, Option<BoneIndex>)| {
        let name = sides.get(side).map(|side| nth(limbs, at).replace('%', side));
        Bone { name: name.unwrap_or_else(|| nth(trunk, at).to_owned()), parent, rest: Transform::IDENTITY }
    };
    Skeleton::new(BONES.map(bone).to_vec()).unwrap()
}

#[test]
fn each_convention_finds_the_bones_of_each_other() {
    for from in CONVENTIONS {
        for to in CONVENTIONS {
            let (own, other) = (skeleton(from), skeleton(to));
            for (bone, found) in (0..).zip(match_bones((&own).into(), (&other).into())) {
                let name = |skeleton: &Skeleton, bone: BoneIndex| skeleton.get(bone).unwrap().name.to_string();
                let found = found.map(|(found, _)| name(&other, found));
                assert_eq!(found, Some(name(&other, bone)), "{} of {} in {}", name(&own, bone), from.0, to.0);
            }
        }
    }
}

/// Bones beside those of a convention: name, and parent unless it is a root.
type Extras<'a> = &'a [(&'a str, Option<&'a str>)];

/// A convention with other bones, in level order.
fn with_extras(convention: &str, extras: Extras<'_>) -> Skeleton {
    let own = skeleton(*CONVENTIONS.iter().find(|(name, ..)| *name == convention).unwrap());
    let name = |bone: BoneIndex| own.get(bone).unwrap().name.clone();
    let bones = own.indices().map(|bone| (name(bone), own.parent(bone).map(name)));
    let extras = extras.iter().map(|(name, parent)| ((*name).to_owned(), parent.map(str::to_owned)));
    let all: Vec<(String, Option<String>)> = bones.chain(extras).collect();
    let mut sorted: Vec<Bone> = Vec::new();
    let mut parents: Vec<Option<BoneIndex>> = vec![None];
    while sorted.len() < all.len() {
        let start = sorted.len();
        for parent in std::mem::take(&mut parents) {
            let of = parent.map(|parent| sorted[usize::from(parent)].name.clone());
            let children = all.iter().filter(|(_, parent)| *parent == of);
            sorted.extend(children.map(|(name, _)| Bone { name: name.clone(), parent, rest: Transform::IDENTITY }));
        }
        parents = (start..sorted.len()).map(|bone| Some(bone as BoneIndex)).collect();
    }
    Skeleton::new(sorted).unwrap()
}

#[test]
fn numbers_behind_all_names_say_nothing() {
    for convention in CONVENTIONS {
        let plain = skeleton(convention);
        let numbered = plain
            .bones()
            .iter()
            .zip(7..)
            .map(|(bone, number)| Bone { name: format!("{}_{number:03}", bone.name), ..bone.clone() });
        let numbered = Skeleton::new(numbered.collect()).unwrap();
        let found = match_bones((&numbered).into(), (&skeleton(CONVENTIONS[1])).into());
        assert!(
            (0..).zip(&found).all(|(bone, found)| found.map(|it| it.0) == Some(bone)),
            "{}: {found:?}",
            convention.0
        );
    }
}

#[test]
fn controls_copies_and_helpers_are_no_limbs() {
    let rigs: [(&str, Extras<'_>); 5] = [
        (
            "Quaternius",
            &[
                ("IK_Palm.L", None),
                ("IK_Foot.L", None),
                ("IK_Toe.L", Some("IK_Foot.L")),
                ("LowerArm.L.001", None),
                ("LowerLeg.L.001", None),
            ],
        ),
        ("Rigify", &[("DEF-pelvis.L", Some("DEF-spine")), ("DEF-pelvis.R", Some("DEF-spine"))]),
        ("MakeHuman", &[("upperarm02.L", Some("upperarm01.L")), ("lowerleg02.R", Some("lowerleg01.R"))]),
        (
            "Source engine",
            &[
                ("ValveBiped.Bip01_L_Elbow", Some("ValveBiped.Bip01_L_UpperArm")),
                ("ValveBiped.Bip01_L_Finger1", Some("ValveBiped.Bip01_L_Hand")),
                ("ValveBiped.Bip01_L_Wrist", Some("ValveBiped.Bip01_L_Forearm")),
            ],
        ),
        (
            "Unreal",
            &[("upperarm_twist_01_l", Some("upperarm_l")), ("ik_foot_root", None), ("ik_foot_l", Some("ik_foot_root"))],
        ),
    ];
    let mixamo = skeleton(CONVENTIONS[0]);
    for (name, extras) in rigs {
        let plain = skeleton(*CONVENTIONS.iter().find(|(convention, ..)| *convention == name).unwrap());
        let rig = with_extras(name, extras);
        let bone = |skeleton: &Skeleton, bone: BoneIndex| skeleton.get(bone).unwrap().name.clone();
        for (at, found) in (0..).zip(match_bones((&mixamo).into(), (&rig).into())) {
            assert_eq!(found.map(|(found, _)| bone(&rig, found)), Some(bone(&plain, at)), "{}", bone(&mixamo, at));
        }
    }
}

#[test]
fn legs_of_animals_keep_their_names() {
    let legs = ["Front", "Back"].into_iter().flat_map(|which| {
        let bone = |name: &str, parent: Option<BoneIndex>| (format!("{which}Leg_{name}_L"), parent);
        [bone("Upper", Some(0)), bone("Lower", None)]
    });
    let dog = |heels: usize| {
        let mut bones = vec![("pelvis".to_owned(), None)];
        bones.extend(legs.clone().filter(|(_, parent)| parent.is_some()));
        bones.extend((0..heels).map(|at| (format!("BackLeg_Heel{at}_L"), Some(0))));
        bones.extend(
            legs.clone().filter(|(_, parent)| parent.is_none()).zip(1..).map(|((name, _), at)| (name, Some(at))),
        );
        let bone = |(name, parent): (String, Option<BoneIndex>)| Bone { name, parent, rest: Transform::IDENTITY };
        Skeleton::new(bones.into_iter().map(bone).collect()).unwrap()
    };
    let (from, to) = (dog(0), dog(6));
    for (bone, found) in (0..).zip(match_bones((&from).into(), (&to).into())) {
        let own = &from.get(bone).unwrap().name;
        assert_eq!(found.map(|(found, _)| &to.get(found).unwrap().name), Some(own));
    }
}
