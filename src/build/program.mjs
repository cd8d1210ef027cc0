/** Builds the program: one file for the serve path, the grammar of bash beside it, the compile cache. */
import { copyFileSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { root, rxjs, rxjsTesting } from './root.mjs';

/** What only some commands need stays outside and is loaded when it is needed. */
const EXTERNAL = [
  'http-proxy-agent',
  'https-proxy-agent',
  'junit-report-builder',
  'winston',
  'yargs',
  'web-tree-sitter',
  'ws',
];
const GRAMMAR = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
];

/** One character beyond ASCII (esbuild leaves those of regular expressions) would double the memory that a start reads. */
const refuseWideCharacters = (file) => {
  const wide = /.{0,40}[^\0-\x7f]/.exec(readFileSync(file, 'utf8'))?.[0];
  if (wide !== undefined) throw new Error(`${file}: write this character as an escape: ${wide}`);
};

/** Returns the files that went into it. */
export const buildProgram = async () => {
  const { metafile } = await build({
    ...{ entryPoints: ['src/cli/main.ts', 'src/cli/start.ts'], absWorkingDir: root, outdir: 'dist', bundle: true },
    ...{ platform: 'node', target: 'node20', format: 'cjs', outExtension: { '.js': '.cjs' }, logLevel: 'warning' },
    ...{ minifySyntax: true, minifyWhitespace: true, metafile: true },
    ...{ alias: { rxjs, 'rxjs/testing': rxjsTesting }, external: EXTERNAL },
    define: { 'import.meta.url': '__filename' }, // yargs asks for it, in a format that has none
  });
  refuseWideCharacters(path.join(root, 'dist/main.cjs'));
  for (const file of GRAMMAR) copyFileSync(path.join(root, file), path.join(root, 'dist', path.basename(file)));
  createRequire(import.meta.url)(path.join(root, 'dist/start.cjs')).makeCache();
  return [...Object.keys(metafile.inputs), ...GRAMMAR];
};
