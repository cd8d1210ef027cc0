/** Builds `dist/`: `node build/build.mjs [program|testing|page …]`, all of them by default. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPage } from '../src/tapes/page/build.mjs';
import { toNotices } from './notices.mjs';
import { buildProgram } from './program.mjs';
import { root } from './root.mjs';
import { buildTesting } from './testing.mjs';
import './usableTmpdir.cjs';

const PARTS = { program: buildProgram, testing: buildTesting, page: buildPage };

const parts = process.argv.slice(2);
const unknown = parts.filter((part) => !(part in PARTS));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`);

mkdirSync(path.join(root, 'dist'), { recursive: true });
const inputs = [];
for (const part of parts.length > 0 ? parts : Object.keys(PARTS)) inputs.push(...(await PARTS[part]()));
if (parts.length === 0) {
  writeFileSync(path.join(root, 'dist/THIRD-PARTY-NOTICES'), toNotices(inputs));
  const page = execFileSync(process.execPath, [path.join(root, 'bin/codex-rx.js'), '--help', 'man']);
  writeFileSync(path.join(root, 'dist/codex-rx.1'), page);
}
