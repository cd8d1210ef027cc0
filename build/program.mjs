/**
 * Builds the program as several scripts: `main` is what a start needs; what is loaded later, by `lazy(() => require(…))`, is in `line` (a command line),
 * `checks` (of what a peer sends), `turn` (the turns of a server), `commands` (what commands and patches need), `servers` (its tool servers), `methods` (ACP, and
 * the methods of Codex), `more` (what else a server may need) or `rest`.
 * Reading and compiling everything as one script took a third of a start, and V8 retains the text of a script that it reads.
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
const SMALL = { minifySyntax: true, minifyWhitespace: true };
/** For what most servers never run: short names make a script a quarter smaller. Stack traces show the whole ones. */
const SHORT = { names: { minifyIdentifiers: true, keepNames: true } };

/** Returns the files that went into the program. */
export const buildProgram = async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-split-'));
  try {
    const split = { ...(await splitSources(folder)), id: hashOf(folder) };
    const [, ...later] = Object.keys(split.scripts);
    await Promise.all([buildMain(split), ...later.map((name) => buildLater(name, split)), buildRest(split)]);
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
const buildMain = async (split) => {
  const pieces = split.scripts.main.map((piece) => `export * as ${JSON.stringify(piece)} from './${piece}';`);
  const contents = [`export * from './${MAIN}';`, ...pieces].join('\n');
  await buildScript('main', split, { contents });
};

/** Exports a function for each source that is loaded later, by the name in its `require`, and for each piece that scripts after it may import. */
const buildLater = async (name, split) => {
  const pieces = Object.fromEntries(split.scripts[name].map((piece) => [piece, piece]));
  const contents = toContents({ ...sourcesIn(name, split), ...pieces });
  await buildScript(name, split, { contents, before: scriptsBefore(name, split), ...(name === 'more' && SHORT) });
};

/** Most of the package, and read by single commands only. */
const buildRest = async (split) => {
  const before = Object.entries(split.scripts);
  await buildScript('rest', split, { contents: toContents(sourcesIn('rest', split)), before, ...SHORT });
};

const scriptsBefore = (name, { scripts }) => Object.entries(scripts).slice(0, Object.keys(scripts).indexOf(name));

const toContents = (entries) => {
  const lines = Object.entries(entries).map(([id, piece]) => `${JSON.stringify(id)}: () => require('./${piece}')`);
  return `exports.sources = {${lines.join(',\n')}};`;
};

const sourcesIn = (name, { later }) =>
  Object.fromEntries(
    Object.entries(later).flatMap(([id, piece]) => {
      const [script, source] = id.split(':');
      return script === name ? [[source, piece]] : [];
    }),
  );

/** Copies what is imported from a piece of another script into variables: a getter at each use would halve the speed of events. */
const fromOther = ({ script, pieces, folder, exportsOf, importsOf }) => ({
  name: `what ${script} has`,
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^\./ }, ({ path: to, resolveDir, kind }) => {
      const piece = path.relative(folder, path.join(resolveDir, to));
      if (!pieces.includes(piece)) return undefined;
      return { path: piece, namespace: script, suffix: kind === 'require-call' ? '?all' : '?imported' };
    });
    onLoad({ filter: /./, namespace: script }, ({ path: piece, suffix }) => {
      const names = suffix === '?all' ? exportsOf.get(piece) : [...(importsOf.get(piece) ?? [])];
      const copies = names.map((name, i) => `const v${i} = piece.${name}; export { v${i} as ${name} };`);
      return { contents: [`const piece = require('${script}:${piece}');`, ...copies].join('\n') };
    });
  },
});

/** The names that pieces import, by the piece that has them: esbuild would keep the copies of all others too. */
const importedBy = (folder, pieces) => {
  const found = new Map();
  for (const piece of pieces) {
    const text = readFileSync(path.join(folder, piece), 'utf8');
    for (const [, list, to] of text.matchAll(/^import \{([^}]*)\} from "(\.[^"]+)";$/gm)) {
      const from = path.join(path.dirname(piece), to);
      const names = list.split(',').map((name) => name.trim().split(' as ')[0]);
      found.set(from, new Set([...(found.get(from) ?? []), ...names]));
    }
  }
  return found;
};

/** The pieces of a script; the last one has those that no other has. */
const piecesOf = (name, { folder, scripts }) => {
  const others = Object.values(scripts).flat();
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js'));
  return scripts[name] ?? files.filter((file) => !others.includes(file));
};

/**
 * The working folder is that of the pieces, whose random name would else be in the scripts. A script exports a function, which takes what Node gives a module, with another `require`; V8 compiles a function in parentheses at once. The script ends with
 * the mark of the build, which is missing if the script is not whole.
 */
const wrapperOf = (id) => ({
  banner: { js: 'module.exports = (function (exports, require, module) {' },
  footer: { js: `});\n//${id}` },
});

const buildScript = async (name, split, { contents, before = [], names }) => {
  const { id, folder, scripts, exportsOf, packages } = split;
  const importsOf = importedBy(folder, piecesOf(name, split));
  await build({
    ...FORMAT,
    ...SMALL,
    ...names,
    ...wrapperOf(id),
    outfile: out(name),
    absWorkingDir: folder,
    stdin: { contents, resolveDir: folder },
    external: [...[...Object.keys(scripts), 'rest'].map((script) => `${script}:*`), ...packages],
    plugins: before.map(([script, pieces]) => fromOther({ script, pieces, folder, exportsOf, importsOf })),
  });
  refuseWideCharacters(out(name));
};

/** A single non-ASCII character (esbuild leaves those in regular expressions) would double the memory for the text that a start reads. */
const refuseWideCharacters = (file) => {
  const wide = /.{0,40}[^\0-\x7f]/.exec(readFileSync(file, 'utf8'))?.[0];
  if (wide !== undefined) throw new Error(`${file}: write this character as an escape: ${wide}`);
};
