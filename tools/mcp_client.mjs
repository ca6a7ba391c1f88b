#!/usr/bin/env node
// The official client of the Model Context Protocol on `keypose mcp`: node tools/mcp_client.mjs PROGRAM FOLDER
// FOLDER has demo.wad. The client checks each answer by the protocol's schema. tools/test installs the SDK in target/node.
import path from 'node:path';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(path.join(root, 'target/node/index.js'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const [program, folder] = process.argv.slice(2);
const client = new Client({ name: 'keypose-test', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: program, args: ['mcp', '--folder', folder], env: process.env }));
const { tools } = await client.listTools();
console.log(`${client.getServerVersion().name}: ${tools.length} tools`);

async function call(name, args) {
    const result = await client.callTool({ name, arguments: args });
    if (result.isError) throw new Error(result.content[0].text);
    return result.content;
}
async function picture() {
    const image = (await call('render', { size: '160x160' })).find(part => part.type === 'image');
    if (image.mimeType !== 'image/png' || Buffer.from(image.data, 'base64').toString('latin1', 1, 4) !== 'PNG') {
        throw new Error('not a PNG');
    }
    return image.data;
}

try {
    await call('open', { path: 'demo.wad' });
    const before = await picture();
    await call('run', { script: 'pose upper_arm.L rotation 0 0 100; run key-pose' });
    console.log(`posed: ${await picture() === before ? 'the same' : 'another'} picture`);
    await call('run', { script: 'undo; undo' });
    console.log(`undone: ${await picture() === before ? 'the same' : 'another'} picture`);
    const refused = await client.callTool({ name: 'open', arguments: { path: '/etc/passwd' } });
    console.log(`refused: ${refused.isError}`);
} catch (error) {
    console.log(error.message);
    process.exitCode = 1;
}
await client.close();
