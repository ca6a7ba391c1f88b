// The page: opens the archive and starts the viewer, the game or the editor.
"use strict";
const the = (id) => document.getElementById(id);
const picture = the("picture");

// Gives the canvas as many pixels as it covers. Returns its size.
function fitted(canvas) {
    const size = [canvas.clientWidth, canvas.clientHeight].map((side) => Math.max(1, Math.round(side * devicePixelRatio)));
    if (canvas.width !== size[0] || canvas.height !== size[1]) [canvas.width, canvas.height] = size;
    return size;
}

(async () => {
    let hasFailed = false;
    // The first failure is the cause of all others.
    const fail = (sentence) => {
        if (hasFailed) return;
        hasFailed = true;
        the("message").textContent = sentence;
        the("message").hidden = false;
        document.documentElement.dataset.state = "failed";
    };
    const data = async (id) => {
        const text = the(id).textContent.trim();
        const bytes = Uint8Array.fromBase64 ? Uint8Array.fromBase64(text) : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        if (the(id).type !== "application/gzip") return bytes;
        const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    };

    const gl = picture.getContext("webgl2", { alpha: false, antialias: false, depth: false });
    if (!gl) return fail("This page needs WebGL 2, which this browser lacks or has turned off.");
    if (!window.WebAssembly || !window.DecompressionStream) return fail("This browser is too old for this page.");
    picture.addEventListener("webglcontextlost", () => fail("The browser has lost its graphics: reload the page."));
    const asked = new URLSearchParams(location.hash.slice(1)), mode = document.body.dataset.mode;
    document.body.classList.add(mode);
    document.body.classList.toggle("bare", asked.has("bare"));
    let each;
    try {
        await wasm_bindgen({ module_or_path: await data("module") });
        const archive = await data("archive");
        if (mode === "editor") each = await startEditor(gl, archive, await data("icons"), fail);
        else if (mode === "game") each = startGame(new wasm_bindgen.GamePage(gl, archive));
        else each = startViewer(new wasm_bindgen.ViewerPage(gl, archive), asked);
    } catch (error) {
        console.error(error.stack ?? error);
        return fail(`This page can't be shown: ${error.message ?? error}.`);
    }
    let before;
    const draw = (now) => {
        if (hasFailed) return;
        try {
            each(Math.max(0, now - (before ?? now)) / 1000);
        } catch (error) {
            return fail(`This page can't be drawn: ${error.message ?? error}.`);
        }
        before = now;
        document.documentElement.dataset.state = "drawn";
        requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
})();
