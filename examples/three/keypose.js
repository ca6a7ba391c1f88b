// Plays a GLB of `keypose export` with three.js: clips, events, hit and hurt volumes, and the state machine of the export.
// Left out: layers of the machine, root motion and the drift of clips that aren't in place, interrupting a fade, and inertialization, which
// is played as a cross-fade.

import { AnimationMixer } from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const notesOf = (object) => object.userData?.keypose ?? {};

/** A loaded model: its scene, clips by name, volumes and machine. */
export class Model {
  static async load(url) {
    return new Model(await new GLTFLoader().loadAsync(url));
  }

  constructor(gltf) {
    this.scene = gltf.scene;
    this.notes = gltf.asset.extras?.keypose ?? {};
    this.machine = this.notes.machine;
    this.mixer = new AnimationMixer(this.scene);
    this.clips = new Map();
    for (const animation of gltf.animations) {
      const notes = notesOf(animation);
      const action = this.mixer.clipAction(animation);
      const name = notes.name ?? animation.name;
      this.clips.set(name, { name, length: animation.duration, loop: "once", events: [], ...notes, action });
    }
    // Bones and sockets by the name that they have in Keypose; three.js changes some names.
    this.bones = new Map();
    this.sockets = new Map();
    this.scene.traverse((node) => {
      const notes = notesOf(node);
      if (notes.is === "bone") this.bones.set(node.userData.name ?? node.name, node);
      if (notes.is === "socket") this.sockets.set(notes.name, node);
    });
  }

  /** Shows a mix of clips: objects with `clip` (a name), `elapsed` (seconds), `weight` and, unless it ends as the clip does, `loop`. The
   * weights add up to 1. */
  show(mix) {
    for (const clip of this.clips.values()) clip.action.stop();
    const weights = new Map();
    // One clip can be in both states of a fade: the heavier one decides its time, and so comes last.
    for (const { clip: name, elapsed, weight, loop } of [...mix].sort((a, b) => a.weight - b.weight)) {
      const clip = this.clips.get(name);
      if (!clip || weight <= 0) continue;
      weights.set(clip, (weights.get(clip) ?? 0) + weight);
      clip.action.play().setEffectiveWeight(weights.get(clip)).time = clipTime({ length: clip.length, loop: loop ?? clip.loop }, elapsed);
    }
    this.mixer.update(0);
  }

  /** Calls `fire` with each event that a clip passes from one elapsed time to a later one, each exactly once. */
  events(name, from, to, fire, mode) {
    const clip = this.clips.get(name);
    if (!clip || !(to > from)) return;
    const ends = mode ?? clip.loop;
    const period = ends === "ping-pong" ? 2 * clip.length : clip.length;
    const loopAt = (elapsed) => (ends === "once" || period <= 0 ? 0 : Math.floor(elapsed / period));
    for (let loop = loopAt(from); loop <= loopAt(to); loop++) {
      for (const { name, time } of clip.events) {
        const start = loop * period;
        // The end of a loop is the start of the next one; a ping-pong passes an event on its way back, too.
        const back = (period - time) % period;
        const times = { loop: [time % clip.length], once: [time], "ping-pong": [...new Set([time, back])] }[ends];
        for (const at of times) if (from <= start + at && start + at < to) fire(name);
      }
    }
  }

  /** The volumes of a clip that are active at a time of it: objects with `hits`, `bone` (a node), `from`, `to`, `radius`. */
  volumes(name, time) {
    const { hits = [], hurts = [], invulnerable = [] } = this.clips.get(name)?.lanes ?? {};
    const isNow = ({ start, end }) => start <= time && time < end;
    const placed = (volume, hit) => ({ ...volume, hit, bone: this.bones.get(volume.bone) });
    const hitting = hits.filter(isNow).flatMap((hit) => hit.volumes.map((volume) => placed(volume, hit)));
    if (invulnerable.some(isNow)) return hitting;
    const hurting = (this.notes.hurt ?? []).flatMap((volume) => {
      const lane = hurts.find((hurt) => hurt.volume === volume.name && isNow(hurt));
      const shown = lane ? lane.replaced : volume;
      return shown ? [placed(shown, null)] : [];
    });
    return [...hitting, ...hurting];
  }
}

/** The time of a clip after playing for some seconds. */
export function clipTime({ length, loop }, elapsed) {
  if (length <= 0) return 0;
  if (loop === "once") return Math.min(Math.max(elapsed, 0), length);
  const wrap = (period) => ((elapsed % period) + period) % period;
  return loop === "loop" ? wrap(length) : Math.min(wrap(2 * length), 2 * length - wrap(2 * length));
}

/** Whether a state plays backwards: from its end, if it has no start time. */
const isBackward = ({ pace }) => (pace.speed ?? 1) < 0;

/** The `sync` of the first clip: that one starts at its own start. */
const lead = ({ def: { motion } }) => (motion.kind === "clip" ? motion : motion.points[0])?.sync ?? 0;

/** Runs the state machine of a model. */
export class Machine {
  constructor(model) {
    this.model = model;
    this.def = model.machine;
    this.values = new Map(this.def.parameters.map(({ name, value }) => [name, value ?? false]));
    this.triggers = new Set(this.def.parameters.filter(({ kind }) => kind === "trigger").map(({ name }) => name));
    this.current = this.#enter(this.def.start);
    this.fading = null;
  }

  set(name, value) {
    this.values.set(name, value);
  }

  fire(name) {
    this.values.set(name, true);
  }

  get state() {
    return this.current.def.name;
  }

  /** Advances by seconds, shows the pose and calls `fire` with the name of each event. */
  update(secs, fire = () => {}) {
    this.#take(this.def.transitions.find((transition) => this.#canTake(transition)));
    for (const trigger of this.triggers) this.values.set(trigger, false);
    const before = this.#mix(this.current);
    this.#advance(this.current, secs);
    const now = this.#mix(this.current);
    // Events of the clip with the greatest weight.
    const main = now.reduce((a, b) => (b.weight > a.weight ? b : a), now[0]);
    const last = before.find(({ clip }) => clip === main.clip);
    if (last) this.model.events(main.clip, last.elapsed, main.elapsed, fire, main.loop);
    this.model.show(this.#faded(now, secs));
  }

  #enter(name) {
    const def = this.def.states.find((state) => state.name === name);
    const state = { def, phase: 0, place: this.#aim(def) };
    state.phase = isBackward(def) && def.start === 0 ? 1 : def.start / (this.#length(state) || 1);
    return state;
  }

  #canTake({ from, conditions, exitTime }) {
    if (this.fading || (from !== null && from !== this.state)) return false;
    const { def, phase } = this.current;
    const played = isBackward(def) ? 1 - phase : phase;
    const isReached = exitTime === null || played >= exitTime || this.#length(this.current) === 0;
    return isReached && conditions.every((condition) => this.#holds(condition));
  }

  #holds({ parameter, is, value }) {
    const now = this.values.get(parameter);
    return { above: now > value, below: now < value, on: now === true, off: now === false, fired: now === true }[is];
  }

  #take(transition) {
    if (!transition) return;
    const { from, to, fade } = transition;
    // One from any state that leads to the present state lets it continue.
    if (from === null && to === this.state) return;
    const old = this.current;
    this.current = this.#enter(to);
    let whole = 0;
    if (fade.kind === "matched") {
      const phase = old.phase - lead(old) + lead(this.current);
      whole = Math.floor(phase);
      this.current.phase = phase - whole;
    }
    if (fade.duration > 0) this.fading = { old, elapsed: 0, whole, ...fade };
  }

  /** The parameters of a blend space. Its place follows them, damped. */
  #aim({ motion }) {
    return (motion.parameters ?? []).map((name) => this.values.get(name));
  }

  #advance(state, secs) {
    const { pace, motion } = state.def;
    const part = motion.damping > 0 ? secs / (secs + motion.damping) : 1;
    state.place = this.#aim(state.def).map((aim, at) => state.place[at] + (aim - state.place[at]) * part);
    const by = pace.by === null ? 1 : this.values.get(pace.by);
    const length = pace.kind === "distance" ? this.#mixed(state, ({ stride }) => stride ?? 1.5) : this.#length(state);
    state.phase += (secs * by * (pace.speed ?? 1)) / (length || 1);
  }

  /** Adds the state that is faded out. */
  #faded(now, secs) {
    if (!this.fading) return now;
    const { old, whole, duration, kind } = this.fading;
    this.fading.elapsed += secs;
    const part = Math.min(this.fading.elapsed / duration, 1);
    if (kind === "matched") old.phase = this.current.phase + whole - lead(this.current) + lead(old);
    else this.#advance(old, secs);
    const scaled = (mix, by) => mix.map((one) => ({ ...one, weight: one.weight * by }));
    if (part >= 1) this.fading = null;
    return [...scaled(this.#mix(old), 1 - part), ...scaled(now, part)];
  }

  /** The clips of a state with their weights, and how long each has played: all at the same phase. */
  #mix(state) {
    const { repeat, pace } = state.def;
    const points = this.#points(state);
    // Of a blend space, the first clip says how all end.
    const own = points.map(({ clip }) => this.model.clips.get(clip)).find((clip) => clip)?.loop ?? "once";
    const set = pace.kind === "distance" ? "loop" : repeat === "clip" ? own : repeat;
    const loop = set === "loop" && own === "ping-pong" ? own : set;
    return points.map(({ clip: name, sync = 0, weight }) => {
      const phase = loop === "once" ? Math.min(state.phase, 1) : state.phase + sync - lead(state);
      return { clip: name, elapsed: phase * (this.model.clips.get(name)?.length ?? 0), weight, loop };
    });
  }

  #length(state) {
    return this.#mixed(state, ({ clip }) => this.model.clips.get(clip)?.length ?? 0);
  }

  #mixed(state, of) {
    return this.#points(state).reduce((sum, point) => sum + point.weight * of(point), 0);
  }

  /** The points of a blend space with their weights at its place. */
  #points({ def: { motion }, place }) {
    if (motion.kind === "clip") return [{ ...motion, weight: 1 }];
    const { points } = motion;
    const weigh = motion.kind === "line" ? lineWeight : bandWeight;
    const weights = points.map((_, at) => weigh(points, at, place));
    const sum = weights.reduce((a, b) => a + b, 0) || 1;
    return points.map((point, at) => ({ ...point, weight: weights[at] / sum }));
  }
}

/** Linear between neighbours; beyond the ends the last point. */
function lineWeight(points, at, [place]) {
  const side = (other) => {
    if (!other) return 1;
    const gap = other.at[0] - points[at].at[0];
    return gap === 0 ? 1 : Math.min(Math.max(1 - (place - points[at].at[0]) / gap, 0), 1);
  };
  return place < points[at].at[0] ? side(points[at - 1]) : side(points[at + 1]);
}

/** Gradient bands (Rune Skovbo Johansen, 2009, section 6.3). */
function bandWeight(points, at, place) {
  const own = points[at].at;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const from = (a) => [a[0] - own[0], a[1] - own[1]];
  const others = points.filter((point) => dot(from(point.at), from(point.at)) > 0);
  const bands = others.map(({ at }) => 1 - dot(from(place), from(at)) / dot(from(at), from(at)));
  return Math.max(0, Math.min(1, ...bands));
}
