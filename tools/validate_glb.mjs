#!/usr/bin/env node
// Judges glTF files with the Khronos validator: node tools/validate_glb.mjs FILE.glb …
// Prints errors and warnings; the exit code is 1 if there are any. tools/test installs the validator in target/node.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const validator = createRequire(path.join(root, 'target/node/index.js'))('gltf-validator');
for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { maxIssues: 0 });
    const { numErrors, numWarnings, messages } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings`);
    for (const { severity, code, pointer, message } of messages) {
        if (severity < 2) {
            console.log(`    ${severity ? 'warning' : 'error'} ${code} ${pointer ?? ''}: ${message}`);
            process.exitCode = 1;
        }
    }
}
