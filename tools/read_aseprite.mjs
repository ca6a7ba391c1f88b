// Prints what the package ase-parser reads of an .aseprite file, in the words of Aseprite's JSON: frames, tags, slices, the names of
// layers, and the number of colours.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const Aseprite = createRequire(new URL("../target/node/", import.meta.url))("ase-parser");
const file = new Aseprite(readFileSync(process.argv[2]), process.argv[2]);
file.parse();
const directions = { Forward: "forward", Reverse: "reverse", "Ping-pong": "pingpong" };
const key = ({ frameNumber, x, y, width, height, pivot }) => ({
  frame: frameNumber, bounds: { x, y, w: width, h: height }, ...(pivot ? { pivot: { x: pivot.x, y: pivot.y } } : {}),
});
console.log(JSON.stringify({
  frames: file.frames.map((frame) => ({ duration: frame.frameDuration })),
  tags: file.tags.map(({ name, from, to, animDirection, repeat }) => ({ name, from, to, repeat, direction: directions[animDirection] })),
  slices: file.slices.map(({ name, keys }) => ({ name, keys: keys.map(key) })),
  layers: file.layers.map((layer) => layer.name),
  palette: file.palette.colors.length,
}));
