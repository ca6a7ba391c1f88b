// The editor: events of the page go to it, and what it asks for is done: files to pick, downloads, the game, storage of unsaved work.
"use strict";
const MODIFIERS = [["ctrlKey", 1], ["metaKey", 1], ["shiftKey", 2], ["altKey", 4]];

// What the browser stores of this page; nothing where that is turned off.
const stored = (of) => { try { return of(localStorage); } catch { return null; } };

// Holds a name until the tab is closed; false if another tab holds it. Pages without HTTPS have no locks: their tabs say each second that they
// are alive, and hidden ones each minute. `isOwn`: this tab held it before it was loaded again.
const alive = (name) => `keypose alive ${name}`;
const isAlive = (name) => !navigator.locks && Date.now() - (stored((all) => all.getItem(alive(name))) ?? 0) < 90000;
const hold = (name, isOwn) => new Promise((done) => {
    if (!navigator.locks) {
        if (isAlive(name) && !isOwn) return done(false);
        const say = () => stored((all) => all.setItem(alive(name), Date.now()));
        say();
        setInterval(say, 1000);
        addEventListener("pagehide", () => stored((all) => all.removeItem(alive(name))));
        return done(true);
    }
    const held = (lock) => { done(lock !== null); return lock && new Promise(() => {}); };
    navigator.locks.request(`keypose ${name}`, { ifAvailable: true }, held).catch(() => done(true));
});

// Unsaved work in the browser's storage, each tab in a slot of its own; nothing where that is turned off.
const SLOT = "keypose slot";
// The archive that was saved last: whether a download arrived, a page can't see.
const SAVED = "saved";
const storage = {
    async base() {
        this.opened ??= new Promise((done, fail) => {
            const asked = indexedDB.open("keypose", 1);
            asked.onupgradeneeded = () => asked.result.createObjectStore("work");
            asked.onsuccess = () => done(asked.result);
            asked.onerror = () => fail(asked.error);
        });
        return this.opened;
    },
    // A full disk takes back what succeeded: only a transaction that is complete is stored.
    async ask(mode, of) {
        const all = (await this.base()).transaction("work", mode), asked = of(all.objectStore("work"));
        return new Promise((done, fail) => { all.oncomplete = () => done(asked.result); all.onabort = () => fail(all.error ?? asked.error); });
    },
    // Takes the slot that this tab had before it was loaded again, or the newest one that no tab has, or a new one. How many others are left.
    async claim() {
        const kept = (await this.ask("readonly", (store) => store.getAllKeys())).filter((slot) => slot !== SAVED).reverse();
        const own = kept.filter((slot) => slot === sessionStorage.getItem(SLOT));
        for (this.slot of [...own, ...kept, `${Date.now()} ${Math.random()}`]) if (await hold(this.slot, own.includes(this.slot))) break;
        sessionStorage.setItem(SLOT, this.slot);
        const held = (await navigator.locks?.query())?.held.map((lock) => lock.name) ?? [];
        return kept.filter((slot) => slot !== this.slot && !held.includes(`keypose ${slot}`) && !isAlive(slot)).length;
    },
    keep(file) { return this.ask("readwrite", (store) => store.put(file, SAVED)); },
    kept() { return this.ask("readonly", (store) => store.get(SAVED)); },
    load() { return this.ask("readonly", (store) => store.get(this.slot)); },
    // Opens the work of this slot; false if it ended the page before. Then it is kept until there is other work.
    open(work, editor) {
        if (stored((all) => all.getItem(this.opening()))) return false;
        stored((all) => all.setItem(this.opening(), "yes"));
        editor.recover(work.name, work.bytes);
        stored((all) => all.removeItem(this.opening()));
        return true;
    },
    opening() { return `keypose opening ${this.slot}`; },
    save(work) {
        stored((all) => all.removeItem(this.opening()));
        return this.ask("readwrite", (store) => (work.bytes.length ? store.put(work, this.slot) : store.delete(this.slot)));
    },
};

// Preferences in the browser's storage; the defaults where that is turned off.
const PREFERENCES = "keypose preferences";

// Pictures are drawn this long after the last change: until tooltips are shown, and a click is no longer the first of two.
const REST_SECS = 0.6;

async function startEditor(gl, demo, icons, fail) {
    const page = new wasm_bindgen.EditorPage(gl, demo, icons, devicePixelRatio);
    let game, ending, copied = "", canStore = true, preview = {}, shiftKey = false;

    const place = (event) => page.moved(event.clientX, event.clientY);
    const held = (event) => MODIFIERS.reduce((bits, [name, bit]) => bits | (event[name] ? bit : 0), 0);
    const key = (event, isDown) => {
        const flags = (isDown ? 1 : 0) | (event.repeat ? 2 : 0) | (event.location === 3 ? 4 : 0);
        page.key(event.code, event.key, held(event), flags);
    };
    const inEditor = (name, listener, target = window) => target.addEventListener(name, (event) => { if (!game) listener(event); }, { passive: false });
    // Only the first press of several buttons and the last release are events of their own. The bits of `buttons` are left, right, middle.
    let pressed = 0;
    const press = ({ buttons }) => {
        [0, 2, 1].forEach((button, bit) => { if ((pressed ^ buttons) >> bit & 1) page.button(button, (buttons >> bit & 1) === 1); });
        pressed = buttons;
    };
    inEditor("pointermove", (event) => { place(event); if (pressed) press(event); });
    inEditor("pointerleave", () => page.left(), picture);
    inEditor("pointerdown", (event) => {
        picture.focus();
        picture.setPointerCapture(event.pointerId);
        place(event);
        press(event);
        event.preventDefault();
    }, picture);
    inEditor("pointerup", (event) => { place(event); press(event); }, picture);
    inEditor("pointercancel", press, picture);
    inEditor("wheel", (event) => {
        const notch = event.deltaMode === 0 ? 100 : 3;
        page.wheel(-event.deltaX / notch, -event.deltaY / notch);
        event.preventDefault();
    });
    addEventListener("contextmenu", (event) => event.preventDefault());
    inEditor("keydown", (event) => {
        const isBrowsers = ["F11", "F12"].includes(event.code) || (event.ctrlKey && event.shiftKey && ["KeyI", "KeyJ"].includes(event.code));
        shiftKey = event.shiftKey;
        // A paste comes with its text. The number is that of V on every layout.
        if (isBrowsers || ((event.ctrlKey || event.metaKey) && event.keyCode === 86)) return;
        key(event, true);
        if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) page.typed(event.key);
        event.preventDefault();
    });
    addEventListener("keyup", (event) => key(event, false));
    addEventListener("blur", () => page.blurred());
    inEditor("paste", (event) => {
        page.set_clipboard(event.clipboardData.getData("text/plain"));
        const pressed = { code: "KeyV", key: "v", ctrlKey: true, shiftKey, location: 0 };
        key(pressed, true);
        key({ ...pressed, ctrlKey: false }, false);
        event.preventDefault();
    });
    inEditor("compositionend", (event) => page.typed(event.data));

    const keep = async (files) => {
        const kept = [];
        for (const file of [...files]) {
            const bytes = await file.arrayBuffer().catch(() => page.warn(`${file.name} can't be read here: is it a folder, or gone? Drop the files of a folder.`));
            if (!bytes) continue;
            page.keep_file(file.name, new Uint8Array(bytes));
            kept.push(file.name);
        }
        return kept;
    };
    // A module without memory has ended.
    const read = async (files, then) => {
        const names = [...files].map((file) => file.name);
        try {
            then(await keep(files));
        } catch (error) {
            console.error(error.stack ?? error);
            fail(`${names.join(", ")} can't be read here: it takes too much memory, or the reader has a fault. Reload the page: unsaved work comes back.`);
        }
    };
    inEditor("dragover", (event) => event.preventDefault());
    inEditor("drop", (event) => {
        event.preventDefault();
        read(event.dataTransfer.files, (names) => { if (names.length) page.dropped(names); });
    });

    const pick = (accepts, takesMany) => {
        const input = document.createElement("input");
        Object.assign(input, { type: "file", accept: accepts, multiple: takesMany, id: "picker" });
        input.addEventListener("change", () => { read(input.files, (names) => page.picked(names)); input.remove(); });
        input.addEventListener("cancel", () => { page.picked([]); input.remove(); });
        input.hidden = true;
        document.body.append(input);
        input.click();
    };
    const download = (name, bytes) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
        link.download = name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    };
    const play = (bytes) => {
        ending = new AbortController();
        game = new wasm_bindgen.GamePage(gl, bytes);
        game.each = startGame(game, ending.signal);
        the("hud").hidden = false;
        document.body.classList.add("game");
        addEventListener("keydown", (event) => { if (event.code === "F5") { event.preventDefault(); leave(); } }, { signal: ending.signal });
    };
    const leave = () => {
        ending.abort();
        game.free();
        game = undefined;
        for (const id of ["hud", "title", "pads"]) the(id).hidden = true;
        document.body.classList.remove("game");
        page.blurred();
    };
    // Plays a sound once. The one that plays ends, which is all if it is the same.
    const hear = (sound) => {
        const before = preview, next = { name: sound.name() };
        before.speaker?.close();
        preview = {};
        if (before.name === next.name) return sound.free();
        preview = Object.assign(next, { speaker: startSpeaker() });
        next.speaker.wake();
        next.speaker.playOnce(sound)?.addEventListener("ended", () => { delete next.name; });
    };
    const store = async (name, bytes) => {
        try {
            await storage.save({ name, bytes });
            canStore = true;
        } catch (error) {
            cannotStore(error);
        }
    };
    const cannotStore = (error) => {
        if (canStore) page.warn(`This browser keeps no unsaved work (${error?.message ?? error}): save before you close the page.`);
        canStore = false;
    };
    addEventListener("beforeunload", (event) => { if (page.is_unstored() || (!canStore && page.is_dirty())) event.preventDefault(); });

    const preferences = stored((all) => all.getItem(PREFERENCES));
    if (preferences) page.prefer(preferences);
    const left = await storage.claim().catch(cannotStore);
    const work = await storage.load().catch(cannotStore);
    if (work && !storage.open(work, page)) {
        const name = work.name ?? "unsaved.wad";
        download(name, work.bytes);
        page.warn(`The unsaved work of ${name} could not be opened: it is among your downloads.`);
    }
    const saved = await storage.kept().catch(() => {});
    if (saved) page.remember(saved.name, saved.bytes);
    if (left) page.warn("There is more unsaved work in this browser: each new tab with this page opens one document.");

    const answer = () => {
        for (const request of page.requests()) {
            const [kind, text, takesMany] = [request.kind(), request.text(), request.takes_many()], sound = request.sound(), bytes = request.bytes();
            if (kind === "pick") pick(text, takesMany);
            if (kind === "download") download(text, bytes);
            if (kind === "download" && text.endsWith(".wad")) storage.keep({ name: text, bytes }).catch(() => {});
            if (kind === "play") play(bytes);
            if (kind === "hear") hear(sound);
            if (kind === "store") store(text, bytes);
            if (kind === "prefer") stored((all) => all.setItem(PREFERENCES, text));
        }
    };
    // A hidden page has no frames.
    document.addEventListener("visibilitychange", () => { if (document.hidden) { page.hidden(); answer(); } });

    // Each frame of the browser, `secs` after the one before.
    let shown, restSecs = 0;
    return (secs) => {
        if (game) return game.each(secs);
        const size = `${picture.clientWidth} ${picture.clientHeight} ${devicePixelRatio}`;
        restSecs = page.is_moving() || size !== shown ? 0 : restSecs + secs;
        if (restSecs < REST_SECS) page.draw(secs, Date.now(), devicePixelRatio, ...fitted(picture));
        shown = size;
        answer();
        if (page.clipboard() !== copied) {
            copied = page.clipboard();
            navigator.clipboard?.writeText(copied).catch(() => {});
        }
        picture.style.cursor = page.cursor();
        if (document.title !== page.title()) document.title = page.title();
    };
}
