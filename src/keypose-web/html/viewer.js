// The viewer: buttons, mouse and fingers. What is shown is decided by the player, in WebAssembly.
"use strict";
// Pictures of keyframes beside the clip.
const MAX_PICTURES = 240;

// Behind "#": clip=walk&time=0.5&camera=side, model=NAME, and bare for the picture alone.
function startViewer(page, asked) {
    const lightness = matchMedia("(prefers-color-scheme: light)");
    let playing = !asked.has("time"), isDirty = true, pictures = [];
    const dirty = () => { isDirty = true; };
    lightness.addEventListener("change", dirty);
    new ResizeObserver(dirty).observe(picture);

    const setPlaying = (now) => {
        if (now && !page.is_looping() && page.time() >= page.length()) page.seek(0);
        playing = now;
        the("play").setAttribute("aria-pressed", now);
    };
    const seek = (secs) => { setPlaying(false); page.seek(secs); dirty(); };

    // Of a very long clip, every n-th keyframe.
    const showStrip = () => {
        const starts = page.starts(), every = Math.ceil(starts.length / MAX_PICTURES);
        pictures = [];
        the("strip").replaceChildren();
        for (let at = 0; at < starts.length; at += every) {
            const start = starts[at], button = document.createElement("button"), small = document.createElement("canvas");
            small.width = small.height = 128;
            button.title = `Keyframe ${at + 1}, ${start.toFixed(2)} s`;
            button.setAttribute("aria-label", button.title);
            button.append(small);
            button.addEventListener("click", () => seek(start));
            pictures.push([at, small]);
            the("strip").append(button);
        }
    };
    // One picture of a keyframe each frame, so that a long clip doesn't stop the page.
    const drawStrip = () => {
        const [at, small] = pictures.shift() ?? [];
        if (!small) return;
        const pixels = page.keyframe(at);
        if (pixels.length) small.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels), 128, 128), 0, 0);
    };

    const chooseClip = (at) => {
        page.choose_clip(at);
        [...the("clips").children].forEach((button, other) => button.setAttribute("aria-current", other === at));
        the("clips").children[at]?.scrollIntoView({ block: "nearest", inline: "nearest" });
        the("time").max = page.length() || 1;
        showStrip();
        setPlaying(page.length() > 0 && !asked.has("time"));
        dirty();
    };
    const chooseModel = (at) => {
        page.choose_model(at);
        the("models").selectedIndex = at;
        const button = (name, clip) => {
            const button = document.createElement("button");
            button.textContent = button.title = name;
            button.addEventListener("click", () => { asked.delete("time"); chooseClip(clip); });
            return button;
        };
        the("clips").replaceChildren();
        page.clips().forEach((name, clip) => the("clips").append(button(name, clip)));
        chooseClip(Math.max(0, page.clips().indexOf(asked.get("clip"))));
    };
    const models = page.models();
    the("name").textContent = document.title;
    the("models").replaceChildren(...models.map((name) => new Option(name)));
    the("models").hidden = models.length < 2;
    the("models").addEventListener("change", (event) => chooseModel(event.target.selectedIndex));

    const toggle = (id, set) => the(id).addEventListener("click", () => {
        const now = the(id).getAttribute("aria-pressed") !== "true";
        the(id).setAttribute("aria-pressed", now);
        set(now);
        dirty();
    });
    toggle("ghosts", (now) => page.set_ghosts(now));
    toggle("volumes", (now) => page.set_volumes(now));
    the("play").addEventListener("click", () => setPlaying(!playing));
    the("time").addEventListener("input", (event) => seek(event.target.valueAsNumber));
    const look = () => { page.look_from(asked.get("camera") ?? ""); dirty(); };
    the("look").addEventListener("click", look);

    const step = (direction) => {
        const starts = [...page.starts()], now = page.time();
        const next = direction > 0 ? starts.find((start) => start > now + 1e-6) : starts.findLast((start) => start < now - 1e-6);
        if (next !== undefined) seek(next);
    };
    const keys = {
        " ": () => setPlaying(!playing), ArrowLeft: () => step(-1), ArrowRight: () => step(1),
        g: () => the("ghosts").click(), v: () => the("volumes").click(), Home: look,
    };
    // After a click on a button, Space and arrows play and step again.
    addEventListener("click", (event) => { if (event.detail > 0) event.target.closest("button")?.blur(); });
    addEventListener("keydown", (event) => {
        const isField = event.target.matches("button, select, input") && [" ", "ArrowLeft", "ArrowRight", "Home"].includes(event.key);
        const key = !isField && !event.ctrlKey && !event.altKey && !event.metaKey && keys[event.key];
        if (key) { event.preventDefault(); key(); }
    });

    // One finger or the left button turns, two fingers or another button move and zoom.
    const fingers = new Map();
    const middle = () => {
        const all = [...fingers.values()];
        const [x, y] = [0, 1].map((axis) => all.reduce((sum, finger) => sum + finger[axis], 0) / all.length);
        return { x, y, spread: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
    };
    picture.addEventListener("pointerdown", (event) => {
        picture.setPointerCapture(event.pointerId);
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    picture.addEventListener("pointermove", (event) => {
        if (!fingers.has(event.pointerId)) return;
        const old = middle();
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
        const now = middle();
        if (fingers.size === 1 && !(event.buttons & 6) && !event.shiftKey) page.turn(now.x - old.x, now.y - old.y);
        else page.pan(now.x - old.x, now.y - old.y, picture.clientHeight);
        if (old.spread > 0) page.zoom(Math.log(old.spread / now.spread) / Math.log(0.88));
        dirty();
    });
    for (const end of ["pointerup", "pointercancel"]) picture.addEventListener(end, (event) => fingers.delete(event.pointerId));
    picture.addEventListener("contextmenu", (event) => event.preventDefault());
    picture.addEventListener("wheel", (event) => {
        event.preventDefault();
        page.zoom(-event.deltaY / (event.deltaMode === 1 ? 3 : 100));
        dirty();
    }, { passive: false });

    chooseModel(Math.max(0, models.indexOf(asked.get("model") ?? document.body.dataset.model)));
    look();
    if (asked.has("time")) seek(Number(asked.get("time")) || 0);

    // Each frame of the browser, `secs` after the one before.
    return (secs) => {
        if (playing) {
            if (!page.advance(Math.min(0.1, secs)) && !page.is_looping()) setPlaying(false);
            isDirty = true;
        }
        if (isDirty) {
            isDirty = false;
            page.draw(...fitted(picture), lightness.matches);
            the("time").value = page.time();
            the("clock").textContent = `${page.time().toFixed(2)} / ${page.length().toFixed(2)} s`;
        }
        drawStrip();
    };
}
