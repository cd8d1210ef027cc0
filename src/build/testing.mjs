/** Builds the package's entry `codex-rx/testing`, with its types. */
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';

/** The rooms whose types the entry names. */
const TYPED = ['testing', 'marbles'];

/** Returns the files that went into it. */
export const buildTesting = async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['src/testing/index.ts'], absWorkingDir: root, outfile: 'dist/testing.cjs', bundle: true },
    ...{ platform: 'node', target: 'node20', format: 'cjs', external: ['rxjs'], logLevel: 'warning', metafile: true },
  });
  const types = path.join(root, 'dist/types');
  rmSync(types, { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.testing.json'], { cwd: root, stdio: 'inherit' });
  for (const room of readdirSync(types)) {
    if (!TYPED.includes(room)) rmSync(path.join(types, room), { recursive: true });
  }
  return Object.keys(metafile.inputs);
};
