#!/usr/bin/env python3
"""Writes the licences of the crates that the program links to THIRD-PARTY.md, from the crates' own files.

    tools/third_party.py           writes the part of THIRD-PARTY.md below its marker; the same bytes each time
    tools/third_party.py --check   fails if a crate that is linked on this system is not named there, or one is named that
                                   Cargo.lock does not have

The crates are those that are linked on Linux, Windows and macOS, and to the player for web pages. Procedural macros and build scripts are not linked. Needs the
sources of the crates (`cargo fetch`), and no network then.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / "THIRD-PARTY.md"
MARKER = "<!-- below: written by tools/third_party.py -->\n"
# Names of files with licences and notices.
LICENCE = re.compile(r"^(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
# Code of others inside crates: folders with a licence of their own.
INSIDE = {
    "imgui-sys": ["third-party/imgui-docking/imgui"],
}
MAX_BYTES = 200_000
SYSTEMS = ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "aarch64-apple-darwin"]
WEB = "wasm32-unknown-unknown"
# Texts of crates that have no file with them.
OWN_TEXTS = ROOT / "tools/licences"


def output(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout.decode()


def metadata(systems):
    filters = [word for system in systems for word in ("--filter-platform", system)]
    return json.loads(output("cargo", "metadata", "--format-version", "1", "--locked", *filters))


def linked(systems, name):
    """The packages that are linked to one of ours on these systems."""
    data = metadata(systems)
    packages = {package["id"]: package for package in data["packages"]}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    is_macro = lambda package: any("proc-macro" in target["kind"] for target in package["targets"])
    start = next(id for id, package in packages.items() if package["name"] == name and package["source"] is None)
    seen, waiting = set(), [start]
    while waiting:
        for dep in nodes[waiting.pop()]["deps"]:
            if dep["pkg"] in seen or is_macro(packages[dep["pkg"]]):
                continue
            if any(kind["kind"] is None for kind in dep["dep_kinds"]):
                seen.add(dep["pkg"])
                waiting.append(dep["pkg"])
    return {id: packages[id] for id in seen if packages[id]["source"] is not None}


def texts(package):
    """The texts of the licence files of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    folders = [folder] + [folder / inside for inside in INSIDE.get(package["name"], [])]
    files = [file for each in folders for file in sorted(each.iterdir()) if LICENCE.match(file.name)]
    for each in list(files):
        if each.is_dir():
            files += sorted(each.iterdir())
    files = [file for file in files if file.is_file() and file.stat().st_size <= MAX_BYTES and file.suffix not in (".rs", ".html")]
    own = OWN_TEXTS / f"{package['name']}.txt"
    files += [own] if own.exists() else []
    found = []
    for file in files:
        text = file.read_text(encoding="utf-8-sig", errors="replace").replace("\r\n", "\n").replace("\f", "")
        text = "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))
        if text.strip():
            found.append(text)
    return found


def title(package):
    return f"{package['name']} {package['version']}"


def people(package):
    return ", ".join(re.sub(r"\s*<[^>]*>", "", author) for author in package["authors"]) or package["repository"] or "its authors"


def written(packages):
    by_text, without = {}, []
    for package in packages:
        found = texts(package)
        for text in found:
            # Texts that differ only in white space are one.
            text, users = by_text.setdefault(" ".join(text.split()), (text, []))
            if package not in users:
                users.append(package)
        if not found:
            without.append(package)
    lines = ["## Crates", "", "| crate | licence | by |", "|---|---|---|"]
    lines += [f"| {title(one)} | {one['license'] or 'its own'} | {people(one)} |" for one in packages]
    lines += ["", "## Licence texts", ""]
    lines += ["Each text is that of the crates above it."]
    # The order follows the first crate that has a text, so that a new crate moves few lines.
    for text, users in by_text.values():
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall(r"`+", text)), default=0))
        lines += ["", "### " + ", ".join(title(one) for one in users), "", fence + "text", text, fence]
    if without:
        names = ", ".join(f"{title(one)} ({one['license']})" for one in without)
        lines += ["", "### Crates without a licence file", "", f"These name their licence only in Cargo.toml: {names}."]
        lines += ["The texts of these licences are among those of the other crates; the copyright is that of the people in the table."]
    return "\n".join(lines) + "\n"


def main():
    is_check = "--check" in sys.argv
    host = re.search(r"^host: (.*)$", output("rustc", "-vV"), re.MULTILINE)[1]
    all_linked = linked([host] if is_check else SYSTEMS, "keypose-app") | linked([WEB], "keypose-web")
    packages = sorted(all_linked.values(), key=lambda package: (package["name"], package["version"]))
    head, marker, old = FILE.read_text(encoding="utf-8").partition(MARKER)
    if is_check:
        table = re.findall(r"^\| (\S+ \S+) \| [^|]* \| [^|]* \|$", old, re.MULTILINE)
        named, needed = set(table), {title(one) for one in packages}
        for name in sorted(needed - named):
            print(f"THIRD-PARTY.md does not name {name}; run tools/third_party.py")
        lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
        locked = {f"{name} {version}" for name, version in re.findall(r'^name = "(.*)"\nversion = "(.*)"$', lock, re.MULTILINE)}
        for name in sorted(named - locked):
            print(f"THIRD-PARTY.md names {name}, which Cargo.lock does not have; run tools/third_party.py")
        sys.exit(1 if needed - named or named - locked else 0)
    FILE.write_text(head.rstrip("\n") + "\n\n" + MARKER + "\n" + written(packages), encoding="utf-8")
    print(f"THIRD-PARTY.md: {len(packages)} crates")


main()
