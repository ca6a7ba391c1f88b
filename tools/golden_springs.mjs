// Writes the goldens of tests/import/springs.rs: small models with spring bones, as VRM 1.0 and 0.x, and where three-vrm has their bones
// in 10 s of a dance.
//
//     npm install three @pixiv/three-vrm-springbone     (3.5.5; anywhere above the working folder)
//     node tools/golden_springs.mjs data/tests/springs

import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const find = createRequire(pathToFileURL(process.cwd() + "/"));
// Both have to import the same three.
const load = (name) => import(pathToFileURL(find.resolve(name).replace(/\.cjs$/, ".module.js")));
const { GLTFLoader } = await load("three/addons/loaders/GLTFLoader.js");
const { VRMSpringBoneLoaderPlugin } = await load("@pixiv/three-vrm-springbone");

const [folder] = process.argv.slice(2);
const STEPS = 600;
const NAMES = ["root", "hips", "head", "tail1", "tail2", "tail3", "hair1", "hair2", "hair3", "lock", "skirt1", "skirt2", "skirt3"];
const HALF = Math.SQRT1_2;

const nodes = [
  { name: "root", children: [1] },
  { name: "hips", translation: [0, 1, 0], children: [2, 3, 10] },
  { name: "head", translation: [0, 0.6, 0], scale: [0.9, 0.9, 0.9], children: [6] },
  { name: "tail1", translation: [0, 0, -0.1], rotation: [0.5, 0, 0, Math.sqrt(0.75)], children: [4] },
  { name: "tail2", translation: [0, -0.15, -0.05], children: [5] },
  { name: "tail3", translation: [0, -0.2, 0] },
  { name: "hair1", translation: [0, 0.1, -0.05], rotation: [0, HALF, 0, HALF], children: [7, 9] },
  { name: "hair2", translation: [0.08, -0.1, 0], children: [8] },
  { name: "hair3", translation: [0.02, -0.15, 0.01] },
  { name: "lock", translation: [0, -0.05, 0.1] },
  { name: "skirt1", translation: [0.1, -0.05, 0], children: [11] },
  { name: "skirt2", translation: [0.05, -0.2, 0], rotation: [0, 0, 0.2, Math.sqrt(0.96)], children: [12] },
  { name: "skirt3", translation: [0, -0.25, 0] },
];

const one = {
  specVersion: "1.0",
  colliders: [
    { node: 1, shape: { sphere: { offset: [0, -0.1, 0], radius: 0.16 } } },
    { node: 2, shape: { capsule: { offset: [0, 0, 0], tail: [0, 0.1, 0.05], radius: 0.1 } } },
  ],
  colliderGroups: [{ colliders: [0] }, { colliders: [1, 0] }],
  springs: [
    {
      colliderGroups: [0],
      joints: [
        { node: 3, stiffness: 1.2, gravityPower: 0.3, gravityDir: [0, -1, 0], dragForce: 0.3, hitRadius: 0.03 },
        { node: 4, stiffness: 0.6, gravityPower: 0.5, gravityDir: [0.6, -0.8, 0], dragForce: 0.2, hitRadius: 0.02 },
        { node: 5 },
      ],
    },
    {
      colliderGroups: [1],
      center: 1,
      joints: [
        { node: 6, stiffness: 2.5, gravityPower: 0.1, gravityDir: [0, -1, 0], dragForce: 0.5, hitRadius: 0.05 },
        { node: 7, stiffness: 0.2, gravityPower: 1, gravityDir: [0, -1, 0], dragForce: 0.1, hitRadius: 0.02 },
        { node: 8 },
      ],
    },
    {
      colliderGroups: [0],
      joints: [
        { node: 10, stiffness: 0, gravityPower: 2, gravityDir: [0, -1, 0], dragForce: 0.15, hitRadius: 0.04 },
        { node: 11, stiffness: 0.1, gravityPower: 1, gravityDir: [0, -1, 0], dragForce: 0.4, hitRadius: 0.04 },
        { node: 12 },
      ],
    },
  ],
};

const shared = { gravityDir: { x: 0, y: -1, z: 0 }, center: -1 };
const zero = {
  secondaryAnimation: {
    colliderGroups: [
      { node: 1, colliders: [{ offset: { x: 0, y: -0.15, z: 0.02 }, radius: 0.1 }] },
      { node: 2, colliders: [{ offset: { x: 0, y: 0.05, z: -0.03 }, radius: 0.12 }] },
    ],
    boneGroups: [
      { ...shared, stiffiness: 0.8, gravityPower: 0.2, dragForce: 0.3, hitRadius: 0.02, bones: [3, 10], colliderGroups: [0] },
      { ...shared, stiffiness: 0.5, gravityPower: 0.4, dragForce: 0.2, hitRadius: 0.03, bones: [6], colliderGroups: [1] },
    ],
  },
};

function model(name, extension) {
  const asset = { version: "2.0", generator: "tools/golden_springs.mjs" };
  const scene = { scene: 0, scenes: [{ nodes: [0] }] };
  const used = name === "VRM" ? ["VRM"] : ["VRMC_vrm", "VRMC_springBone"];
  const extensions = name === "VRM" ? { VRM: extension } : { VRMC_vrm: { specVersion: "1.0" }, VRMC_springBone: extension };
  return { asset, ...scene, nodes, extensionsUsed: used, extensions };
}

// The dance. tests/import/springs.rs has the same.
function pose(find, tick) {
  const secs = tick / 60;
  const [turn, nod] = [1.2 * Math.sin(secs * 2.1), 0.5 * Math.sin(secs * 5.3)];
  find("hips").position.set(0.3 * Math.sin(secs * 3), 1 + 0.1 * Math.sin(secs * 7), 0.2 * Math.sin(secs * 1.3));
  find("hips").quaternion.set(0, Math.sin(turn / 2), 0, Math.cos(turn / 2));
  find("head").quaternion.set(Math.sin(nod / 2), 0, 0, Math.cos(nod / 2));
}

async function dance(file, json) {
  writeFileSync(`${folder}/${file}.gltf`, JSON.stringify(json, null, 1) + "\n");
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMSpringBoneLoaderPlugin(parser));
  const gltf = await loader.parseAsync(JSON.stringify(json), "");
  const manager = gltf.userData.vrmSpringBoneManager;
  // It measures bones with their parents moved and their children not yet: a length that no frame shows.
  for (const joint of manager.joints) {
    const measure = joint._calcWorldSpaceBoneLength.bind(joint);
    joint._calcWorldSpaceBoneLength = () => {
      joint.child?.updateMatrix();
      joint.child?.updateWorldMatrix(false, false);
      measure();
    };
  }
  const found = Object.fromEntries(NAMES.map((name) => [name, gltf.scene.getObjectByName(name)]));
  const find = (name) => found[name];
  pose(find, 0);
  gltf.scene.updateMatrixWorld(true);
  manager.reset();
  const rows = [];
  for (let tick = 0; tick < STEPS; tick += 1) {
    pose(find, tick);
    gltf.scene.updateMatrixWorld(true);
    manager.update(1 / 60);
    if (tick % 20 === 19) {
      gltf.scene.updateMatrixWorld(true);
      const place = (name) => find(name).matrixWorld.elements.slice(12, 15).map((part) => Number(part.toFixed(6)));
      rows.push(NAMES.flatMap(place));
    }
  }
  const text = rows.map((row) => ` ${JSON.stringify(row)}`).join(",\n");
  writeFileSync(`${folder}/${file}.json`, `{ "bones": ${JSON.stringify(NAMES)}, "every": 20, "places": [\n${text}\n] }\n`);
}

await dance("vrm1", model("VRMC_springBone", one));
await dance("vrm0", model("VRM", zero));
