// The game: keys, fingers and gamepads become buttons; health, time and texts are over the picture.
"use strict";
const BUTTONS = { left: 1, right: 2, up: 4, down: 8, jump: 16, attack: 32, run: 64, roll: 128 };
// The keys of the program, by their places on the keyboard.
const KEYS = {
    KeyA: "left", ArrowLeft: "left", KeyD: "right", ArrowRight: "right", KeyW: "up", ArrowUp: "up", KeyS: "down", ArrowDown: "down",
    Space: "jump", KeyZ: "jump", KeyK: "jump", KeyJ: "attack", KeyX: "attack", KeyL: "roll", KeyC: "roll",
    ShiftLeft: "run", ShiftRight: "run",
};
// The standard gamepad.
const PAD = { 0: "jump", 1: "roll", 2: "attack", 7: "run", 12: "up", 13: "down", 14: "left", 15: "right" };

// `signal` ends it: then the page may be freed.
function startGame(page, signal) {
    const listen = (name, listener) => addEventListener(name, listener, { signal });
    const held = new Set(), touched = new Set();
    const speaker = startSpeaker();
    let phase = "title", wasPressed = true, sinceFinish = 0, music, musicName;
    const say = (title, text) => {
        the("title").hidden = !title;
        the("title-name").textContent = title;
        the("title-text").textContent = text;
    };
    const starts = "Press a key, a button, or touch the picture.";
    // Fights have music of their own.
    const playMusic = () => {
        const wanted = page.music(), name = wanted?.name();
        if (name === musicName) return wanted?.free();
        music?.stop();
        [music, musicName] = [wanted && speaker.play(wanted), name];
    };
    const showTitle = () => { phase = "title"; say(page.level_name() || document.title, starts); };
    const begin = () => { phase = "playing"; say("", ""); speaker.wake(); };
    const pause = () => {
        if (phase === "playing") { phase = "paused"; speaker.pause(); say("Paused", "Press P or touch the picture to play on. R starts the level again, M turns the sound off or on."); }
        else if (phase === "paused") begin();
    };

    listen("keydown", (event) => {
        const name = KEYS[event.code];
        if (event.metaKey || event.altKey || event.ctrlKey) return;
        if (name) { held.add(event.code); event.preventDefault(); }
        if (event.repeat) return;
        if (phase !== "paused") speaker.wake();
        if (event.code === "KeyM") speaker.mute();
        else if (event.code === "KeyR") { page.restart(); begin(); }
        else if (event.code === "KeyP" || event.code === "Enter" || event.code === "Escape") { if (phase === "title") begin(); else pause(); }
    });
    listen("keyup", (event) => held.delete(event.code));
    listen("blur", () => { held.clear(); touched.clear(); if (phase === "playing") pause(); });

    // Buttons for thumbs, from the first touch on. A thumb may slide from one to another.
    const thumbs = new Map();
    const touch = () => {
        touched.clear();
        for (const name of thumbs.values()) if (name) touched.add(name);
        for (const button of document.querySelectorAll("#pads button")) button.classList.toggle("down", touched.has(button.dataset.button));
    };
    const press = (event) => {
        const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("#pads button");
        thumbs.set(event.pointerId, under?.dataset.button);
        touch();
    };
    const release = (event) => { thumbs.delete(event.pointerId); touch(); };
    listen("pointerdown", (event) => {
        if (event.pointerType === "touch") the("pads").hidden = false;
        if (phase === "playing") speaker.wake();
        if (event.target.closest("#pads")) { event.target.releasePointerCapture?.(event.pointerId); press(event); }
        else if (phase === "paused") begin();
        else if (phase !== "playing") touched.add("tap");
    });
    listen("pointermove", (event) => { if (thumbs.has(event.pointerId)) press(event); });
    for (const end of ["pointerup", "pointercancel"]) listen(end, (event) => { release(event); touched.delete("tap"); });
    listen("contextmenu", (event) => event.preventDefault());
    the("pads").hidden = !matchMedia("(pointer: coarse)").matches;

    const gamepads = (names) => {
        for (const pad of navigator.getGamepads?.() ?? []) {
            if (!pad?.connected) continue;
            for (const [at, name] of Object.entries(PAD)) if (pad.buttons[at]?.pressed) names.add(name);
            const [x, y] = pad.axes;
            if (x < -0.5) names.add("left");
            if (x > 0.5) names.add("right");
            if (y < -0.7) names.add("up");
            if (y > 0.5) names.add("down");
        }
    };
    const pressed = () => {
        const names = new Set(touched);
        for (const code of held) names.add(KEYS[code]);
        gamepads(names);
        // There is no thumb left to run.
        if (touched.has("left") || touched.has("right")) names.add("run");
        return names;
    };
    const showFigures = () => {
        const health = page.health();
        the("health").hidden = health === undefined;
        the("health").value = health ?? 0;
        the("status").textContent = page.status();
    };
    for (const finding of page.findings()) console.warn(finding);
    signal?.addEventListener("abort", () => speaker.close());
    showTitle();

    // Each frame of the browser, `secs` after the one before.
    return (secs) => {
        const names = pressed(), isPressed = names.size > 0;
        if (isPressed && !wasPressed && phase === "title") begin();
        if (isPressed && !wasPressed && phase === "finished") { page.start_next(); showTitle(); }
        wasPressed = isPressed;
        if (phase === "playing" || phase === "finished") {
            const bits = [...names].reduce((sum, name) => sum | (BUTTONS[name] ?? 0), 0);
            page.advance(secs, phase === "playing" ? bits : 0);
            playMusic();
            for (const sound of page.heard()) speaker.play(sound);
        }
        sinceFinish = page.is_finished() ? sinceFinish + secs : 0;
        if (phase === "playing" && sinceFinish > 1.75) { phase = "finished"; say("Level complete", `${page.status()}. ${starts}`); }
        page.draw(...fitted(picture));
        showFigures();
    };
}
