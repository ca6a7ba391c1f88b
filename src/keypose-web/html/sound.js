// Sounds, mixed by the browser, which starts none before the first key or touch.
"use strict";
const MAX_VOICES = 32;

// The sounds of one archive: each name is that of one sound.
function startSpeaker() {
    const buffers = new Map();
    let context, out, voices = 0, isMuted = false;
    const buffer = (sound) => {
        const name = sound.name();
        if (!buffers.has(name)) {
            const channels = Array.from({ length: sound.channels() }, (_, at) => sound.samples(at));
            const made = context.createBuffer(channels.length, channels[0].length, sound.rate());
            channels.forEach((samples, at) => made.copyToChannel(samples, at));
            buffers.set(name, made);
        }
        return buffers.get(name);
    };
    const start = (sound, loop) => {
        if (!context || voices >= MAX_VOICES) return undefined;
        const voice = context.createBufferSource(), volume = context.createGain();
        Object.assign(voice, { buffer: buffer(sound), loop });
        volume.gain.value = sound.gain();
        voice.connect(volume).connect(out);
        voice.addEventListener("ended", () => { voices -= 1; volume.disconnect(); });
        voice.start();
        voices += 1;
        return voice;
    };
    const must = (promise) => promise?.catch((error) => console.warn(error));
    const freed = (sound, of) => {
        try {
            return of(sound);
        } catch (error) {
            console.warn(`No sound: ${error.message ?? error}`);
        } finally {
            sound.free();
        }
    };
    return {
        // Returns the voice; none where there is no sound. An effect that can't be heard now must not be heard later.
        play: (sound) => freed(sound, () => (sound.repeats() || context?.state === "running" ? start(sound, sound.repeats()) : undefined)),
        playOnce: (sound) => freed(sound, () => start(sound, false)),
        // Called when a key or a finger goes down.
        wake() {
            if (!context && window.AudioContext) {
                context = new AudioContext();
                out = context.createGain();
                out.connect(context.destination);
                out.gain.value = isMuted ? 0 : 1;
            }
            if (context?.state === "suspended") must(context.resume());
        },
        pause() { must(context?.suspend()); },
        mute() {
            isMuted = !isMuted;
            if (out) out.gain.value = isMuted ? 0 : 1;
        },
        close() { must(context?.close()); },
    };
}
