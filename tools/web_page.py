#!/usr/bin/env python3
"""Makes the page of the player, without an archive: web_page.py SCRIPT MODULE PAGE. `keypose export` fills in what is left. With two more
arguments, the demo archive and the font of icons, makes the page of the editor.

The page allows itself only the scripts and the style that are in it, by their digests, and no request at all."""

import base64
import gzip
import hashlib
import re
import subprocess
import sys

FOLDER = "src/keypose-web/html"


def text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def zipped(path):
    """Zopfli: half a minute for 4 % less than gzip at its best."""
    return subprocess.run(["zopfli", "--i5", "-c", path], check=True, stdout=subprocess.PIPE).stdout


def digest(content):
    return "'sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() + "'"


def main(bindings_path, module_path, page_path, demo_path=None, icons_path=None):
    module = zipped(module_path)
    bindings, style = text(bindings_path), text(f"{FOLDER}/page.css")
    name, scripts = ("editor", ["sound", "game", "editor", "page"]) if demo_path else ("page", ["viewer", "sound", "game", "page"])
    if demo_path:
        bindings = text(f"{FOLDER}/wasi.js") + bindings
    script = "".join(text(f"{FOLDER}/{name}.js") for name in scripts)
    whole = text(f"{FOLDER}/whole.js")
    for source in [bindings, script, whole]:
        assert "</script" not in source and "<!--" not in source, "a script that would end early"
    version = re.search(r'^version = "(.*)"$', text("Cargo.toml"), re.M).group(1)
    parts = {
        "version": version, "style": style, "bindings": bindings, "script": script, "whole": whole,
        "style-hash": digest(style), "script-hashes": " ".join(digest(source) for source in [bindings, script, whole]),
        "module": base64.b64encode(module).decode(),
    }
    if demo_path:
        for part, path in [("archive", demo_path), ("icons", icons_path)]:
            parts[part] = base64.b64encode(zipped(path)).decode()
    page = re.sub(r"\{([a-z-]+)\}", lambda it: parts.get(it[1], it[0]), text(f"{FOLDER}/{name}.html"))
    with open(page_path, "w", encoding="utf-8") as file:
        file.write(page)
    print(f"{page_path}: {len(gzip.compress(page.encode(), 9)):,} bytes gzipped, of which the module {len(module):,}")


if __name__ == "__main__":
    main(*sys.argv[1:])
