// Runs a program for WASI with this system's files: the runner of `tools/test-runtime wasm32`.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [, , program, ...args] = process.argv;
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env: process.env, preopens: { '/': '/' } });
const module = await WebAssembly.compile(await readFile(program));
process.exitCode = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
