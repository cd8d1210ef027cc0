/**
 * Builds the program as three scripts: `main` is what a start needs; what is loaded later, by `lazy(() => require(…))`,
 * is in `turn`, which has what the turns of a server need, or in `rest`. Reading and compiling everything as one script took a third of a start, and V8
 * retains the text of a script that it reads.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { root } from './root.mjs';
import { MAIN, QUIET, splitSources } from './splitSources.mjs';

const GRAMMAR = [
  'node_modules/web-tree-sitter/web-tree-sitter.wasm',
  'node_modules/tree-sitter-bash/tree-sitter-bash.wasm',
];
const FORMAT = { platform: 'node', target: 'node20', format: 'cjs', bundle: true, ...QUIET };
const OTHERS = ['main:*', 'turn:*', 'rest:*'];
const SMALL = { minifySyntax: true, minifyWhitespace: true };
const SHORT = { names: { minifyIdentifiers: true, keepNames: true } };

/** Returns the files that went into the program. */
export const buildProgram = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-split-'));
  try {
    const split = { ...(await splitSources(folder)), id: hashOf(folder) };
    await Promise.all([buildMain(split), buildTurn(split), buildRest(split)]);
    await build({
      ...FORMAT,
      ...SMALL,
      entryPoints: ['src/cli/start/start.ts'],
      absWorkingDir: root,
      define: { BUILD: JSON.stringify(split.id) },
      outfile: out('start'),
    });
    for (const file of GRAMMAR) copyFileSync(path.join(root, file), path.join(root, 'dist', path.basename(file)));
    return [...split.inputs, ...GRAMMAR];
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** Marks the scripts of a build, so that a running program never takes a part of another. */
const hashOf = (folder) => {
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith('.js'))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(path.join(folder, file)));
  return hash.digest('hex').slice(0, 12);
};

const out = (name) => path.join(root, 'dist', `${name}.cjs`);

/** Exports the program, and, under the name of each of its pieces, what the other scripts import from it. */
const buildMain = async ({ id, folder, main, packages }) => {
  const pieces = main.map((piece) => `export * as ${JSON.stringify(piece)} from './${piece}';`);
  const contents = [`export * from './${MAIN}';`, ...pieces].join('\n');
  await buildScript('main', id, {
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    external: [...OTHERS, ...packages],
  });
};

/** Exports a function for each source that is loaded later, by the name in its `require`, and for each piece that `rest` imports from it. */
const buildTurn = async (split) => {
  const pieces = Object.fromEntries(split.turn.map((piece) => [piece, piece]));
  await buildLater('turn', split, { entries: { ...sourcesIn('turn', split), ...pieces }, from: { main: split.main } });
};

/** Most of the package, and read by single commands only: short names make it a quarter smaller. Stack traces show the whole ones. */
const buildRest = async (split) => {
  const { main, turn } = split;
  await buildLater('rest', { ...split, ...SHORT }, { entries: sourcesIn('rest', split), from: { main, turn } });
};

const sourcesIn = (name, { later }) =>
  Object.fromEntries(
    Object.entries(later).flatMap(([id, piece]) => {
      const [script, source] = id.split(':');
      return script === name ? [[source, piece]] : [];
    }),
  );

const buildLater = async (name, { id, folder, exportsOf, packages, names }, { entries, from }) => {
  const lines = Object.entries(entries).map(([id, piece]) => `${JSON.stringify(id)}: () => require('./${piece}')`);
  const contents = `exports.sources = {${lines.join(',\n')}};`;
  await buildScript(name, id, {
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    external: [...OTHERS, ...packages],
    ...names,
    plugins: Object.entries(from).map(([script, pieces]) => fromOther({ script, pieces, folder, exportsOf })),
  });
};

/** Copies what is imported from a piece of another script into variables: a getter at each use would halve the speed of events. */
const fromOther = ({ script, pieces, folder, exportsOf }) => ({
  name: `what ${script} has`,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\./ }, ({ path: to, resolveDir }) => {
      const piece = path.relative(folder, path.join(resolveDir, to));
      return pieces.includes(piece) ? { path: piece, namespace: script } : undefined;
    });
    onLoad({ filter: /./, namespace: script }, ({ path: piece }) => {
      const names = exportsOf.get(piece);
      const copies = names.map((name, i) => `const v${i} = piece.${name}; export { v${i} as ${name} };`);
      return { contents: [`const piece = require('${script}:${piece}');`, ...copies].join('\n') };
    });
  },
});

/**
 * The working folder is that of the pieces, whose random name would else be in the scripts. A script exports a function, which takes what Node gives a module, with another `require`; V8 compiles a function in parentheses at once. The script ends with
 * the mark of the build, which is missing if the script is not whole.
 */
const wrapperOf = (id) => ({
  banner: { js: 'module.exports = (function (exports, require, module) {' },
  footer: { js: `});\n//${id}` },
});

const buildScript = async (name, id, options) => {
  await build({ ...FORMAT, ...SMALL, ...wrapperOf(id), ...options, outfile: out(name) });
  refuseWideCharacters(out(name));
};

/** A single non-ASCII character (esbuild leaves those in regular expressions) would double the memory for the text that a start reads. */
const refuseWideCharacters = (file) => {
  const wide = /.{0,40}[^\0-\x7f]/.exec(readFileSync(file, 'utf8'))?.[0];
  if (wide !== undefined) throw new Error(`${file}: write this character as an escape: ${wide}`);
};
