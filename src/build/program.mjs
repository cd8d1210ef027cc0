/**
 * Builds the program as two scripts with a compile cache each: `main` is what a start needs, `rest` what is loaded later, by
 * `lazy(() => require(…))`. Reading and compiling one script of both took a third of a start.
 */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';
import { MAIN, splitSources } from './splitSources.mjs';

const GRAMMAR = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
];
const FORMAT = { platform: 'node', target: 'node20', format: 'cjs', logLevel: 'warning', bundle: true };
const SMALL = { minifySyntax: true, minifyWhitespace: true };

/** Returns the files that went into it. */
export const buildProgram = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-split-'));
  try {
    const split = await splitSources(folder);
    await buildMain(split);
    await buildRest(split);
    await build({ ...FORMAT, ...SMALL, entryPoints: ['src/cli/start.ts'], absWorkingDir: root, outfile: out('start') });
    for (const file of GRAMMAR) copyFileSync(path.join(root, file), path.join(root, 'dist', path.basename(file)));
    await createRequire(import.meta.url)(out('start')).makeCaches();
    return [...split.inputs, ...GRAMMAR];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const out = (name) => path.join(root, 'dist', `${name}.cjs`);

/** Exports the program, and under the name of each of its pieces what `rest` takes from it. */
const buildMain = async ({ folder, main, packages }) => {
  const pieces = main.map((piece) => `export * as ${JSON.stringify(piece)} from './${piece}';`);
  const contents = [`export * from './${MAIN}';`, ...pieces].join('\n');
  await buildScript('main', { stdin: { contents, resolveDir: folder }, external: packages });
};

/** Exports a function for each source that is loaded later, by the name in its `require`. */
const buildRest = async (split) => {
  const { folder, later, packages } = split;
  const entries = Object.entries(later).map(([id, piece]) => `${JSON.stringify(id)}: () => require('./${piece}')`);
  const contents = `exports.sources = {${entries.join(',\n')}};`;
  await buildScript('rest', {
    stdin: { contents, resolveDir: folder },
    external: ['main:*', ...packages],
    plugins: [fromMain(split)],
  });
};

/** Copies what is imported from a piece of `main` into variables of `rest`: a getter at each use would halve the speed of events. */
const fromMain = ({ folder, main, exportsOf }) => ({
  name: 'what main has',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\./ }, ({ path: to, resolveDir }) => {
      const piece = path.relative(folder, path.join(resolveDir, to));
      return main.includes(piece) ? { path: piece, namespace: 'main' } : undefined;
    });
    onLoad({ filter: /./, namespace: 'main' }, ({ path: piece }) => {
      const names = exportsOf.get(piece);
      const copies = names.map((name, i) => `const v${i} = piece.${name}; export { v${i} as ${name} };`);
      return { contents: [`const piece = require('main:${piece}');`, ...copies].join('\n') };
    });
  },
});

const buildScript = async (name, options) => {
  await build({ ...FORMAT, ...SMALL, ...options, outfile: out(name) });
  refuseWideCharacters(out(name));
};

/** One character beyond ASCII (esbuild leaves those of regular expressions) would double the memory that a start reads. */
const refuseWideCharacters = (file) => {
  const wide = /.{0,40}[^\0-\x7f]/.exec(readFileSync(file, 'utf8'))?.[0];
  if (wide !== undefined) throw new Error(`${file}: write this character as an escape: ${wide}`);
};
