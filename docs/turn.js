// In the book that tools/book makes: a click on the picture of a clip, or of the game, puts the demo in its place, which one can turn or play.
const GAME = "game.html", PAGES = new URL("pages/", document.currentScript.src);

/** The address of the page that shows what a picture shows, or nothing. */
function page_of(picture) {
    if (/\/pictures\/game\.png$/.test(picture.src)) return GAME;
    const [, model, clip] = /\/gallery\/(knight|goblin)-([a-z0-9-]+)\.png$/.exec(picture.src) ?? [];
    return model && `demo.html#bare&model=${model}&clip=${clip.replaceAll("-", " ")}`;
}

for (const picture of document.querySelectorAll("main img")) {
    const page = page_of(picture);
    if (!page) continue;
    const button = document.createElement("button"), frame = document.createElement("iframe");
    button.textContent = page === GAME ? "▶ Play it here" : "⟲ Turn it";
    button.style.cssText = "display: block; margin: 0.3em auto; padding: 0.2em 0.8em; font-size: 0.85em; cursor: pointer";
    button.onclick = () => {
        frame.src = new URL(page, PAGES).href;
        frame.title = picture.alt;
        frame.style.cssText = `width: 100%; aspect-ratio: ${page === GAME ? "16 / 9" : "3 / 2"}; border: 0; border-radius: 6px`;
        picture.replaceWith(frame);
        button.remove();
        frame.focus();
    };
    picture.after(button);
}
