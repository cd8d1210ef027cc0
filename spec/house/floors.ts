/** The floors of the house: what a file may import, and from where. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from '@typescript/typescript6';
import { lineOf, nodesOf, type Parsed, parse, parseAll } from '../support/parsedCode';

/** The wings, from the ground up: a wing imports from those above it in this list only; wings of one row are strangers. */
const WINGS = [
  ['streams'],
  ['protocol'],
  ['io'],
  ['threads', 'executor', 'settings'],
  ['tapes'],
  ['agent'],
  ['server', 'fleet'],
  ['app', 'testing'],
  ['cli'],
];

/** Rooms outside `io` that work on this machine: its disk, its processes, its sockets. */
const MACHINE = [
  'executor/listen executor/localPatch executor/sandbox executor/sandboxPatches settings/logins settings/mcpLogins tapes/files tapes/sessions',
  'agent/appServer agent/native agent/wiring server/host fleet/link fleet/served fleet/threads',
].join(' ');

/**
 * Packages, and the wings or rooms that they live in; a package that is not listed lives nowhere. Types of packages may go anywhere: what is passed
 * in (spawn, a readable) needs a name there.
 */
const HOMES: [RegExp, string][] = [
  [/^rxjs$/, WINGS.flat().join(' ')],
  [/^rxjs\/(testing|internal\/testing\/)/, 'streams/marbles testing'],
  // Besides the wire and config.toml, three kinds of documents come from outside: arguments of tools, scripts, tapes.
  [/^zod(\/|$)/, 'protocol settings/schema tapes/format tapes/check agent server/codex server/faces'],
  [/^(smol-toml|jsonc-parser)$/, 'settings'],
  [/^denque$/, 'streams'],
  [/^fastest-levenshtein$/, 'streams/text'],
  [/^safe-stable-stringify$/, 'tapes/matching'],
  [/^junit-report-builder$/, 'tapes/diff tapes/check'],
  [/^(string-width|wrap-ansi)$/, 'io/terminal'],
  [/^(yargs|yargs-parser)$/, 'cli'],
  [/^winston$/, 'io/log'],
  [/^(@lydell\/)?node-pty$/, 'executor/listen'],
  [/^web-tree-sitter$/, 'agent/safety'],
  [/^eventsource-parser$/, 'agent/modelHttp io/mcpHttp'],
  [/^ws$/, 'io/sockets'],
  [/^(https?-proxy-agent)$/, 'io/http'],
  [/^diff$/, 'executor/patch streams/marbles'],
  [/^@nats-io\//, 'fleet/link'],
  [/^node:child_process$/, 'io/processes io/disk cli/serve'], // programs are started by spawnHere, which is safe on Windows too
  [/^node:(fs|fs\/promises|https?|net|tls|tty)$/, `io app cli testing ${MACHINE}`],
  [/^node:dns\/promises$/, 'fleet/link'], // the client asks its transport for the addresses of a server
  [/^node:module$/, 'cli'], // how the program itself is loaded
  [/^node:vm$/, 'cli tapes/matching'], // the same; and it alone stops a pattern that takes too long
  [/^node:os$/, `agent/model io app cli testing ${MACHINE}`], // the User-Agent of a request to a model names the system
  [/^node:process$/, 'cli'],
  [/^node:util$/, 'agent/modelHttp executor server/mcp streams/marbles testing'], // how a runner compares, and text without the codes of a terminal
  [/^node:(v8|inspector)$/, 'app agent/native fleet/link tapes/files'], // how much room there is, and to free it
  [/^node:worker_threads$/, 'io/disk app cli'], // connects to a socket while the event loop waits; looks at another event loop
  [/^node:readline\/promises$/, 'cli'], // asks the person in a terminal
  [/^node:(url|zlib)$/, 'io/http'],
  [/^node:buffer$/, 'tapes/format executor/patch'], // whether bytes are UTF-8
  [/^node:crypto$/, `io agent/safety server/mcp fleet app cli ${MACHINE}`],
  [/^node:path$/, 'io threads executor settings tapes agent server app cli'],
  [/^node:(stream|string_decoder)$/, 'streams/bytes io app cli'],
];

/**
 * Files that write by themselves, and what they write. Whatever else the program keeps goes through io/files, which makes it private, follows no link
 * and says what to do when the disk is full; io/disk gives that room the disk of this machine.
 */
const WRITERS: Readonly<Record<string, string>> = {
  'io/disk/filesHere.ts': 'hands the disk to io/files',
  'io/disk/namedHere.ts': 'hands the disk to io/files',
  'app/openThreads.ts': 'hands the disk to io/files, to look for locks',
  'executor/listen/localFiles.ts': 'files that a remote client works on, by the methods of its protocol',
  'io/disk/lifeSocket.ts': 'a socket that shows that this process lives',
  'io/disk/ownersHere.ts': 'none: it hands the disk to io/files, to look at processes',
  'executor/localPatch/folderAt.ts': 'files that a patch changes',
  'executor/sandbox/sandboxFilesHere.ts': 'mount points of a sandbox',
  'executor/sandbox/handles.ts': 'files without a name',
  'io/sockets/listenUnix.ts': 'takes away the socket of a server that was killed',
  'cli/commands/demo.ts': 'a temporary folder',
  'cli/start/start.ts': 'the folder of the compile cache',
};

/** What of node:fs changes the disk, or opens a file for it; all of it, if the module is imported as a whole. */
const WRITES =
  /^(?:default|\*|append.*|chmod.*|chown.*|copyFile.*|cp.*|createWriteStream|fchmod.*|fchown.*|ftruncate.*|lchown.*|link.*|mkdir.*|mkdtemp.*|rename.*|rm.*|symlink.*|truncate.*|unlink.*|utimes.*|write.*)$/;

/** How a file that opens others says that it writes to them. */
const WRITE_FLAGS = /\bO_(?:WRONLY|RDWR|CREAT|APPEND)\b|, '(?:[wa]x?\+?|r\+)'/;

/** Wings that a process begins in: ours, and that of somebody's tests. */
const EDGES = ['cli', 'testing'];

/** Files that pass on what others define: the entry of the package, and what is loaded later as a whole. */
const DOORS = ['testing/index.ts', 'server/codex/index.ts'];

const ROOT = resolve(__dirname, '../../src');

type Import = { from: string; line: number; target: string; typeOnly: boolean };

const isText = (node: ts.Node | undefined): node is ts.StringLiteralLike =>
  node !== undefined && ts.isStringLiteralLike(node);

const isRequire = (node: ts.CallExpression): boolean =>
  node.expression.kind === ts.SyntaxKind.ImportKeyword ||
  (ts.isIdentifier(node.expression) && node.expression.text === 'require');

/** All elements of `import { type A, type B }` may be types one by one. */
const isOfTypes = ({ importClause: clause }: ts.ImportDeclaration): boolean => {
  if (!clause) return false;
  const names = clause.namedBindings;
  if (clause.isTypeOnly) return true;
  return !clause.name && !!names && ts.isNamedImports(names) && names.elements.every((name) => name.isTypeOnly);
};

/** What one node imports. */
const imported = (node: ts.Node): { target: string; typeOnly: boolean } | undefined => {
  if (ts.isImportDeclaration(node) && isText(node.moduleSpecifier)) {
    return { target: node.moduleSpecifier.text, typeOnly: isOfTypes(node) };
  }
  if (ts.isExportDeclaration(node) && isText(node.moduleSpecifier)) {
    return { target: node.moduleSpecifier.text, typeOnly: node.isTypeOnly };
  }
  if (ts.isCallExpression(node) && isRequire(node) && isText(node.arguments[0])) {
    return { target: node.arguments[0].text, typeOnly: false };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && isText(node.argument.literal)) {
    return { target: node.argument.literal.text, typeOnly: true };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    const { expression } = node.moduleReference;
    return isText(expression) ? { target: expression.text, typeOnly: node.isTypeOnly } : undefined;
  }
  return undefined;
};

const isProcessFact = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'process' &&
  ['env', 'argv', 'exit', 'exitCode', 'stdin', 'stdout', 'stderr', 'cwd'].includes(node.name.text);

/** `const { env } = process` and the like. */
const isProcessAsWhole = (node: ts.Node): boolean =>
  ts.isVariableDeclaration(node) &&
  node.initializer !== undefined &&
  ts.isIdentifier(node.initializer) &&
  node.initializer.text === 'process';

type Source = Parsed & { imports: Import[]; processFacts: number[]; passedOn: number[] };

const read = ({ path, file }: Parsed): Source => {
  const found: Source = { path, imports: [], processFacts: [], passedOn: [], file };
  const startOf = (node: ts.Node): number => lineOf(file, node.getStart());
  for (const node of nodesOf(file)) {
    const one = imported(node);
    if (one) found.imports.push({ from: path, line: startOf(node), ...one });
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) found.passedOn.push(startOf(node));
    if (isProcessFact(node) || isProcessAsWhole(node)) found.processFacts.push(startOf(node));
  }
  return found;
};

const wingOf = (path: string): string => path.split('/')[0] ?? '';
const rowOf = (wing: string): number => WINGS.findIndex((wings) => wings.includes(wing));

/** The folder of a wing that a path is in: `agent/tools`, or the wing itself. */
const roomOf = (path: string): string => path.split('/').slice(0, -1).slice(0, 2).join('/');

/** The file that a relative import means, by its path inside src. */
const resolved = ({ from, target }: Pick<Import, 'from' | 'target'>): string => {
  const path = resolve(ROOT, dirname(from), target);
  const file = [`${path}.ts`, join(path, 'index.ts'), path].find((candidate) => existsSync(candidate)) ?? `${path}.ts`;
  return relative(ROOT, file);
};

const ruleOf = (one: Import): string | undefined => {
  if (rowOf(wingOf(one.from)) < 0) return 'stands in no wing';
  if (!one.target.startsWith('.')) return packageRule(one);
  const path = resolved(one);
  const [home, wing] = [wingOf(one.from), wingOf(path)];
  if (path === '../package.json') return home === 'cli' ? undefined : 'package.json is read by cli';
  if (rowOf(wing) < 0) return `leads out of the house: ${path}`;
  if (wing !== home && rowOf(wing) > rowOf(home)) return `climbs from ${home} to ${wing}`;
  if (wing !== home && rowOf(wing) === rowOf(home)) return `crosses from ${home} to its stranger ${wing}`;
  const isDeep = path.split('/').length > 3 && roomOf(path) !== roomOf(one.from);
  return isDeep ? `takes what ${roomOf(path)} has for itself: ${path}` : undefined;
};

const packageRule = ({ from, target, typeOnly }: Import): string | undefined => {
  const [, homes] = HOMES.find(([pattern]) => pattern.test(target)) ?? [];
  if (homes === undefined) return `${target} has no home`;
  const livesHere = homes.split(' ').some((home) => home === wingOf(from) || home === roomOf(from));
  return livesHere || typeOnly ? undefined : `${target} does not live in ${roomOf(from)}`;
};

const faultsOf = ({ path, imports, processFacts, passedOn }: Source): string[] => {
  const shown = (line: number, rule: string): string => `src/${path}:${line} ${rule}`;
  return [
    ...imports.flatMap((one) => {
      const rule = ruleOf(one);
      return rule === undefined ? [] : [shown(one.line, rule)];
    }),
    ...(DOORS.includes(path) ? [] : passedOn.map((line) => shown(line, 'passes on what another file defines'))),
    ...(EDGES.includes(wingOf(path))
      ? []
      : processFacts.map((line) => shown(line, 'reads what only an edge may read of the process'))),
  ];
};

/** Edges between the entries of a folder, its files and its folders, by the imports of all that is in them. */
const edgesIn = (folder: string, files: readonly Source[]): Map<string, Set<string>> => {
  const start = folder === '' ? '' : `${folder}/`;
  const entryOf = (path: string): string => {
    const [name = '', ...more] = path.slice(start.length).split('/');
    return more.length > 0 ? `${name}/` : name;
  };
  const edges = new Map<string, Set<string>>();
  for (const { path, imports } of files) {
    if (!path.startsWith(start)) continue;
    const from = entryOf(path);
    for (const to of imports.filter(({ target }) => target.startsWith('.')).map(resolved)) {
      if (!to.startsWith(start) || to.startsWith('..') || (entryOf(to) === from && from.endsWith('/'))) continue;
      edges.set(from, (edges.get(from) ?? new Set()).add(entryOf(to)));
    }
  }
  return edges;
};

/** The circles of a graph, each from its first node back to it. */
const circlesOf = (edges: ReadonlyMap<string, ReadonlySet<string>>): string[] => {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (node: string, way: string[]): void => {
    if (way.includes(node)) circles.push([...way.slice(way.indexOf(node)), node].join(' → '));
    else if (!done.has(node)) {
      for (const next of edges.get(node) ?? []) walk(next, [...way, node]);
      done.add(node);
    }
  };
  for (const node of edges.keys()) walk(node, []);
  return circles;
};

/** Circles among the entries of each folder: neighbouring folders, files, and a folder with a file beside it. */
const circlesIn = (files: readonly Source[]): string[] => {
  const foldersOf = (path: string): string[] =>
    path === '.' ? [''] : [...foldersOf(dirname(path)), path === '' ? '' : path];
  const folders = new Set(files.flatMap(({ path }) => foldersOf(dirname(path))));
  return [...folders].flatMap((folder) =>
    circlesOf(edgesIn(folder, files)).map((circle) => `src/${folder}: ${circle}`),
  );
};

/** The names that an import takes; `default` and `*` for a module as a whole. */
const namesTaken = (node: ts.Node): string[] => {
  if (!ts.isImportDeclaration(node)) return ['*'];
  const { name, namedBindings: names } = node.importClause ?? {};
  const listed =
    names && ts.isNamedImports(names)
      ? names.elements.map((one) => (one.propertyName ?? one.name).text)
      : names
        ? ['*']
        : [];
  return [...(name ? ['default'] : []), ...listed];
};

const writersIn = (files: readonly Source[]): string[] =>
  files.flatMap(({ path, file, imports }) => {
    if (!imports.some(({ target, typeOnly }) => /^(node:)?fs(\/promises)?$/.test(target) && !typeOnly)) return [];
    const nodes = nodesOf(file).filter((node) => /^(node:)?fs(\/promises)?$/.test(imported(node)?.target ?? ''));
    const taken = nodes.flatMap((node) => (imported(node)?.typeOnly ? [] : namesTaken(node)));
    const opensToWrite = taken.some((name) => /^open(Sync)?$/.test(name)) && WRITE_FLAGS.test(file.text);
    return opensToWrite || taken.some((name) => WRITES.test(name)) ? [path] : [];
  });

const sources = parseAll(ROOT).map(read);
const faultsIn = (path: string, text: string): string[] => faultsOf(read(parse(path, text)));

describe('the house', () => {
  it('has the wings that the list names, and no other', () => {
    expect(readdirSync(ROOT).sort()).toEqual(WINGS.flat().sort());
  });

  it('has the rooms that architecture.md names; those of cli are of single commands', () => {
    const rows = readFileSync(join(ROOT, '../docs/architecture.md'), 'utf8').split('\n');
    const rooms = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => /^(?!cli\/).+\//.test(room)));
    const isNamed = (room: string): boolean => {
      const [wing, name] = room.split('/');
      return rows.some((row) => row.startsWith(`| \`${wing}\` |`) && row.includes(`\`${name}\``));
    };
    expect([...rooms].filter((room) => !isNamed(room))).toEqual([]);
  });

  it('has imports from wings above only, from what rooms show, from packages that live there', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(faultsOf)).toEqual([]);
  });

  it('has no circle in any folder, not even for a type', () => {
    expect(circlesIn(sources)).toEqual([]);
  });

  it('writes to the disk in io/files only, but for what is listed', () => {
    expect(writersIn(sources).sort()).toEqual(Object.keys(WRITERS).sort());
  });

  it('has homes, rooms and doors that are there', () => {
    const homes = [...HOMES.flatMap(([, rooms]) => rooms.split(' ')), ...DOORS];
    expect([...new Set(homes)].filter((home) => !existsSync(join(ROOT, home)))).toEqual([]);
  });
});

describe('this spec', () => {
  it.each([
    ["import { writeFileSync } from 'node:fs';", true],
    ["import { mkdir, stat } from 'node:fs/promises';", true],
    ["import fs from 'node:fs';", true],
    ["import * as fs from 'fs';", true],
    ["const fs = require('node:fs');", true],
    ["import { createWriteStream as open } from 'node:fs';", true],
    ["import { openSync } from 'node:fs';\nopenSync(path, 'wx');", true],
    ["import { open, constants } from 'node:fs/promises';\nopen(path, constants.O_WRONLY);", true],
    ["import { readFileSync, openSync } from 'node:fs';\nopenSync(path, 'r');", false],
    ["import type fs from 'node:fs';", false],
  ])('sees whether %s writes: %j', (text, isSeen) => {
    expect(writersIn([read(parse('app/x.ts', text))])).toEqual(isSeen ? ['app/x.ts'] : []);
  });

  it.each([
    ['climbs', 'streams/x.ts', "import { a } from '../agent/x';", 'climbs from streams to agent'],
    ['climbs for a type', 'agent/x.ts', "import type { a } from '../server/x';", 'climbs from agent to server'],
    ['climbs by require', 'io/x.ts', "const a = require('../agent/x');", 'climbs from io to agent'],
    ['climbs by import()', 'io/x.ts', "await import('../agent/x');", 'climbs from io to agent'],
    ['climbs in a type', 'io/x.ts', "type A = typeof import('../agent/x');", 'climbs from io to agent'],
    ['crosses', 'testing/x.ts', "import { a } from '../app/x';", 'crosses from testing to its stranger app'],
    [
      'enters what a room has for itself',
      'app/x.ts',
      "import { a } from '../io/http/deep/x';",
      `takes what io/http has for itself: io/http/deep/x.ts`,
    ],
    [
      'enters what a room of its wing has for itself',
      'io/x.ts',
      "import { a } from './http/deep/x';",
      `takes what io/http has for itself: io/http/deep/x.ts`,
    ],
    ['leaves', 'app/x.ts', "import { a } from '../../spec/a';", 'leads out of the house: ../spec/a.ts'],
    ['exports all', 'io/x.ts', "export * from './log/log';", 'passes on what another file defines'],
    ['is a door', 'io/log/index.ts', "export { log } from './log';", 'passes on what another file defines'],
    ['strays', 'agent/x.ts', "import winston from 'winston';", 'winston does not live in agent'],
    ['is homeless', 'app/x.ts', "import _ from 'lodash';", 'lodash has no home'],
    [
      'spawns',
      'agent/tools/x.ts',
      "import { spawn } from 'node:child_process';",
      'node:child_process does not live in agent/tools',
    ],
    ['reads env', 'app/x.ts', 'const a = process.env.A;', 'reads what only an edge may read of the process'],
    ['takes env', 'app/x.ts', 'const { env } = process;', 'reads what only an edge may read of the process'],
    ['stands outside', 'else/x.ts', "import { of } from 'rxjs';", 'stands in no wing'],
  ])('sees a file that %s', (_, path, text, rule) => {
    expect(faultsIn(path, text)).toEqual([`src/${path}:1 ${rule}`]);
  });

  it('lets a room enter what it has for itself', () => {
    expect(faultsIn('io/http/x.ts', "import { a } from './deep/x';")).toEqual([]);
    expect(faultsIn('io/http/deep/x.ts', "import { a } from '../other/x';")).toEqual([]);
  });

  it.each([
    ['files', { 'io/a.ts': './b', 'io/b.ts': './a' }, ['src/io: a → b → a']],
    ['neighbours', { 'io/a/x.ts': '../b/x', 'io/b/y.ts': '../a/y' }, ['src/io: a/ → b/ → a/']],
    ['a folder and a file beside it', { 'io/a/x.ts': '../b', 'io/b.ts': './a/y' }, ['src/io: a/ → b → a/']],
    ['rooms of a folder within', { 'io/r/a/x.ts': '../b/x', 'io/r/b/y.ts': '../a/y' }, ['src/io/r: a/ → b/ → a/']],
    ['nothing', { 'io/a/x.ts': '../b/x', 'io/b/x.ts': './y' }, []],
  ])('sees a circle of %s', (_, imports, circles) => {
    const files = Object.entries(imports).map(([path, target]) =>
      read(parse(path, `import type { A } from '${target}';`)),
    );
    expect(circlesIn(files).map((circle) => circle.replaceAll('.ts', ''))).toEqual(circles);
  });
});
