/**
 * Redirects each import past the doors of rooms to the file that defines the name. esbuild considers everything that a door imports as needed by whoever
 * enters by it: without this, a start would read a third more.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sourceFile } from './sourceFile.mjs';

const IMPORTED = /^import \{([^}]*)\} from '(\.[^']*)(?<!\.json)';/gm;
const EXPORTED = /^export \{([^}]*)\} from '(\.[^']*)';/gm;

/** The names in braces that are values: `a, type B, c as d`. */
const valuesOf = (names) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));

/** The exports of a door: by name, the file that each comes from. */
const exportsOf = (door) =>
  new Map(
    [...readFileSync(door, 'utf8').matchAll(EXPORTED)].flatMap(([, names, from]) =>
      valuesOf(names).map((name) => [name, sourceFile(path.dirname(door), from)]),
    ),
  );

/** The file that defines what a file or a door exports under a name. */
const definedIn = (file, name) => {
  if (path.basename(file) !== 'index.ts') return file;
  const from = exportsOf(file).get(name);
  return from === undefined ? file : definedIn(from, name);
};

/** `import { a, b } from '../room'` as an import of each name from its own file. */
const direct = (folder) => (_, names, from) =>
  valuesOf(names)
    .map((name) => {
      const [exported] = name.split(' as ');
      return `import { ${name} } from ${JSON.stringify(definedIn(sourceFile(folder, from), exported))};`;
    })
    .join('');

export const directImports = {
  name: 'imports past the doors',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => ({
      contents: readFileSync(file, 'utf8').replace(IMPORTED, direct(path.dirname(file))),
      loader: 'ts',
    })),
};
