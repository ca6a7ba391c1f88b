//! Files from outside: imported models compared with golden poses and truths, malformed files, and random mutations of every format.

#[path = "../support/allocator.rs"]
mod allocator;
mod bends;
mod bvh;
mod characters;
mod clip_text;
mod collada;
mod collada_costs;
#[path = "../support/collada.rs"]
mod collada_kit;
mod compressed;
mod conventions;
#[path = "../support/editor_kit/mod.rs"]
mod editor_kit;
mod exported;
mod fbx;
#[path = "../support/fbx.rs"]
mod fbx_kit;
#[path = "../support/films.rs"]
mod films_kit;
#[path = "../support/folder.rs"]
mod folder;
mod fuzz;
#[path = "../support/glb.rs"]
mod glb;
mod gltf_costs;
mod goldens;
mod heat;
mod importing;
mod judges;
mod likeness;
mod looks;
mod machine_json;
mod malformed;
#[path = "../support/models.rs"]
mod models;
mod morphs;
#[path = "../support/needs.rs"]
mod needs;
mod obj;
mod parts;
mod posing;
mod retarget;
mod rig;
#[path = "../support/root.rs"]
mod root;
mod springs;
mod transfer;
mod truths;
mod variants;
mod vrm;
