/** The floors of the house: what a file may import, and from where. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from '@typescript/typescript6';

/** From the ground up; rooms of one floor are strangers. */
const FLOORS = [
  ['lazy'],
  ['protocol/jsonrpc', 'log', 'text'],
  ['protocol/mcp', 'protocol/exec', 'protocol/model'],
  ['protocol/codex'],
  ['protocol/codex/methods'], // what the JSON-RPC methods of Codex take
  ['streams', 'marbles', 'page', 'terminal', 'files', 'paths'], // a page knows nothing of a tape but the data it is given
  ['transport/nats', 'transport'], // strangers, the inner room first: a path belongs to the first that fits
  ['rpc', 'rollout'],
  ['config', 'auth', 'safety', 'executor', 'model', 'patch', 'tape'],
  ['executor/server'],
  ['session', 'executor/nats', 'natsThreads', 'mcpAuth'],
  ['session/matching', 'session/handles', 'mcpHttp'], // sessions are read by their messages
  ['session/templates'], // a hole may ask for what a mask hides
  ['replay', 'shrink', 'diff', 'diagram', 'stats', 'specWriter', 'tools', 'turns'],
  ['toolServers', 'check', 'rerun'], // what its servers offer are rows of the table in tools; check uses stats
  ['agent', 'appServer', 'tapeEngine'],
  ['server/calls'],
  ['server/codex'],
  ['server/mcp'],
  ['app'],
  ['cli', 'testing'],
];

/**
 * Inner rooms of a room, from the ground up; those of one row are strangers. Each has a door. The files of the room itself stand above
 * them, and other rooms do not see them.
 */
const INNER: Readonly<Record<string, readonly (readonly string[])[]>> = {
  agent: [['thread'], ['sampling'], ['compaction'], ['turn'], ['recording']],
  mcpHttp: [['messages'], ['recording', 'server', 'client']],
  model: [['http'], ['chat', 'responses', 'script']],
};

/**
 * Packages and the rooms they live in; one that is not listed lives nowhere. Their types may go anywhere, for what is
 * passed in (spawn, a readable) needs a name there.
 */
const HOMES: [RegExp, string][] = [
  [
    /^rxjs$/,
    'streams marbles page transport/nats transport rpc auth safety executor executor/nats executor/server model rollout patch tape session natsThreads mcpAuth mcpHttp rerun replay diff diagram stats specWriter tools toolServers turns agent appServer tapeEngine server/calls server/codex server/mcp app cli testing',
  ],
  [/^rxjs\/(testing|internal\/testing\/)/, 'marbles testing'],
  // Beside the wire and config.toml three kinds of documents come from outside: what a model writes as arguments of a
  // tool, scripts, and tapes. The faces of the server cut their tools out of the protocol's schemas.
  [
    /^zod(\/|$)/,
    'protocol/jsonrpc protocol/mcp protocol/codex protocol/codex/methods protocol/exec rpc config tools model tape appServer server/codex server/mcp',
  ],
  [/^smol-toml$/, 'config'],
  [/^denque$/, 'streams'],
  [/^fastest-levenshtein$/, 'text'],
  [/^safe-stable-stringify$/, 'session/matching'],
  [/^junit-report-builder$/, 'diff check'],
  [/^(string-width|wrap-ansi)$/, 'terminal'],
  [/^(yargs|yargs-parser)$/, 'cli'],
  [/^winston$/, 'app'],
  [/^(@lydell\/)?node-pty$/, 'app'],
  [/^web-tree-sitter$/, 'safety'],
  [/^eventsource-parser$/, 'model mcpHttp'],
  [/^ws$/, 'transport'],
  [/^https?-proxy-agent$/, 'transport'],
  [/^diff$/, 'patch'],
  [/^@nats-io\//, 'transport/nats'],
  [/^node:(child_process|https?|net|tls|tty)$/, 'transport/nats transport app testing'],
  // transport asks whether a process's folder is there, nats reads credentials at each login
  [/^node:(fs|fs\/promises)$/, 'paths transport/nats transport app cli testing'],
  [/^node:module$/, 'cli'], // how the program itself is loaded
  [/^node:os$/, 'model app cli testing'], // the User-Agent of a request to a model names the system
  [/^node:process$/, 'cli'],
  [/^node:util$/, 'executor server/mcp marbles testing'], // how a runner compares, and text without the codes of a terminal
  [/^node:v8$/, 'app'], // how much there is room for, and how a module is compiled
  [/^node:worker_threads$/, 'app cli'], // connects to a socket while the event loop waits; looks at an event loop that it does not share
  [/^node:url$/, 'transport'], // an address as options of a request
  [/^node:zlib$/, 'transport'],
  [/^node:buffer$/, 'tape'], // whether bytes are UTF-8
  [/^node:crypto$/, 'transport/nats server/mcp app cli'],
  [/^node:path$/, 'files config safety rollout patch tape specWriter tools turns agent appServer app cli'],
  [/^node:(stream|string_decoder)$/, 'streams transport app'],
];

/**
 * Files that write by themselves, and what they write. Whatever else the program keeps goes through the room files, which makes it
 * private, follows no link and says what to do when the disk is full; `app/files` gives that room the disk of this machine.
 */
const WRITERS: Readonly<Record<string, string>> = {
  'app/files/filesHere.ts': 'hands the disk to the room files',
  'app/files/namedHere.ts': 'hands the disk to the room files',
  'app/threads/openThreads.ts': 'hands the disk to the room files, to look for locks',
  'app/exec/localFiles.ts': 'files that a remote client works on, by the methods of its protocol',
  'app/files/lifeSocket.ts': 'a socket that shows that this process lives',
  'app/files/ownersHere.ts': 'none: it hands the disk to the room files, to look at processes',
  'app/applyPatch/folderAt.ts': 'files that a patch changes',
  'app/sandbox/sandboxFiles.ts': 'mount points of a sandbox',
  'app/sandbox/sealBytes.ts': 'files without a name',
  'app/log/openLogFile.ts': 'a stream onto a descriptor of the room files',
  'transport/sockets/listenUnix.ts': 'takes away the socket of a server that was killed',
  'app/demo/workspace.ts': 'a temporary folder',
  'cli/start/compileCache.ts': 'the folder of the compile cache',
};

/** What of node:fs changes the disk, or opens a file for it; all of it, where the module is imported as a whole. */
const WRITES =
  /^(?:default|\*|append.*|chmod.*|chown.*|copyFile.*|cp.*|createWriteStream|fchmod.*|fchown.*|ftruncate.*|lchown.*|link.*|mkdir.*|mkdtemp.*|rename.*|rm.*|symlink.*|truncate.*|unlink.*|utimes.*|write.*)$/;

/** How a file that opens others says that it writes to them. */
const WRITE_FLAGS = /\bO_(?:WRONLY|RDWR|CREAT|APPEND)\b|, '(?:[wa]x?\+?|r\+)'/;

/** Rooms that a process begins in: ours, and that of somebody's tests. */
const EDGES = ['cli', 'testing'];

const ROOT = resolve(__dirname, '../src');

type Import = { from: string; line: number; target: string; typeOnly: boolean };

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesOf(path) : path.endsWith('.ts') ? [path] : [];
  });

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

type Source = { path: string; imports: Import[]; processFacts: number[]; starExports: number[]; file: ts.SourceFile };

const read = (path: string, text: string): Source => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true);
  const found: Source = { path, imports: [], processFacts: [], starExports: [], file };
  const visit = (node: ts.Node): void => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    const one = imported(node);
    if (one) found.imports.push({ from: path, line, ...one });
    if (ts.isExportDeclaration(node) && !node.exportClause) found.starExports.push(line);
    if (isProcessFact(node) || isProcessAsWhole(node)) found.processFacts.push(line);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** Inner rooms first: a path belongs to the first that fits. */
const ROOMS = FLOORS.flat().sort((a, b) => b.length - a.length);
const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));

/** The room of a path inside src, such as `agent/thread/steps.ts` or `server/mcp`. */
const roomOf = (path: string): string | undefined => ROOMS.find((room) => path === room || path.startsWith(`${room}/`));

/** The file that a relative import means. */
const resolved = ({ from, target }: Import): string => {
  const path = resolve(dirname(from), target);
  const file = [`${path}.ts`, join(path, 'index.ts'), path].find((candidate) => existsSync(candidate)) ?? path;
  return relative(ROOT, file);
};

/** The parts of app have doors too, as a command loads only those it needs; every other room has one. */
const isDoor = (path: string, room: string): boolean =>
  path === `${room}/index.ts` || (room === 'app' && path.endsWith('/index.ts'));

const ruleOf = (one: Import): string | undefined => {
  const home = roomOf(relative(ROOT, one.from));
  if (home === undefined) return 'stands in no room';
  if (!one.target.startsWith('.')) return packageRule(one, home);
  const path = resolved(one);
  if (path === '../package.json') return home === 'cli' ? undefined : 'package.json is read by cli';
  const room = roomOf(path);
  if (room === undefined) return `leads out of the house: ${path}`;
  if (room === home) return innerRuleOf(room, relative(ROOT, one.from), path);
  if (floorOf(room) > floorOf(home)) return `climbs from ${home} to ${room}`;
  if (floorOf(room) === floorOf(home)) return `crosses from ${home} to its stranger ${room}`;
  return isDoor(path, room) ? undefined : `goes past the door of ${room}: ${path}`;
};

/** The inner room of a path in a room; undefined for a file of the room itself. */
const innerOf = (room: string, path: string): string | undefined =>
  INNER[room]?.flat().find((inner) => path.startsWith(`${room}/${inner}/`));

/** The rule for an import within a room. */
const innerRuleOf = (room: string, from: string, path: string): string | undefined => {
  const rows = INNER[room] ?? [];
  const rowOf = (inner: string | undefined) => (inner ? rows.findIndex((row) => row.includes(inner)) : rows.length);
  const [home, inner] = [innerOf(room, from), innerOf(room, path)];
  if (inner === home) return innerDoorRule(from, path);
  if (rowOf(inner) > rowOf(home)) return `climbs from ${room}/${home} to ${inner ? `${room}/${inner}` : room}`;
  if (rowOf(inner) === rowOf(home)) return `crosses from ${room}/${home} to its stranger ${room}/${inner}`;
  return innerDoorRule(from, path);
};

const PART_OF_APP = /^app(\/|$)/;

/** An inner room is a folder of a room with a door of its own, which its room enters by; the parts of app know each other without doors. */
const innerDoorRule = (from: string, to: string): string | undefined => {
  const folders = dirname(to).split('/');
  const inner = folders
    .map((_, at) => folders.slice(0, at + 1).join('/'))
    .filter((folder) => !PART_OF_APP.test(folder) && !from.startsWith(`${folder}/`))
    .find((folder) => existsSync(join(ROOT, folder, 'index.ts')));
  if (inner === undefined || to === `${inner}/index.ts`) return undefined;
  return `goes past the inner door of ${inner}: ${to}`;
};

const packageRule = ({ target, typeOnly }: Import, home: string): string | undefined => {
  const [, rooms] = HOMES.find(([pattern]) => pattern.test(target)) ?? [];
  if (rooms === undefined) return `${target} has no home`;
  return rooms.split(' ').includes(home) || typeOnly ? undefined : `${target} does not live in ${home}`;
};

const shown = (path: string, line: number, rule: string): string => `src/${relative(ROOT, path)}:${line} ${rule}`;

const faultsOf = ({ path, imports, processFacts, starExports }: Source): string[] => [
  ...imports.flatMap((one) => {
    const rule = ruleOf(one);
    return rule === undefined ? [] : [shown(path, one.line, rule)];
  }),
  ...starExports.map((line) => shown(path, line, 'exports *')),
  ...(EDGES.includes(roomOf(relative(ROOT, path)) ?? '')
    ? []
    : processFacts.map((line) => shown(path, line, 'reads what only an edge may read of the process'))),
];

/** The names that an import takes; `default` and `*` for a module as a whole. */
const namesTaken = (node: ts.Node): string[] => {
  if (!ts.isImportDeclaration(node)) return ['*'];
  const { name, namedBindings: names } = node.importClause ?? {};
  const listed = names && ts.isNamedImports(names) ? namesIn(names.elements) : names ? ['*'] : [];
  return [...(name ? ['default'] : []), ...listed];
};

const writersIn = (files: readonly Source[]): string[] =>
  files.flatMap(({ path, file, imports }) => {
    if (!imports.some(({ target, typeOnly }) => /^(node:)?fs(\/promises)?$/.test(target) && !typeOnly)) return [];
    const nodes = nodesIn(file).filter((node) => /^(node:)?fs(\/promises)?$/.test(imported(node)?.target ?? ''));
    const taken = nodes.flatMap((node) => (imported(node)?.typeOnly ? [] : namesTaken(node)));
    const opensToWrite = taken.some((name) => /^open(Sync)?$/.test(name)) && WRITE_FLAGS.test(file.text);
    return opensToWrite || taken.some((name) => WRITES.test(name)) ? [relative(ROOT, path)] : [];
  });

const sources = filesOf(ROOT).map((path) => read(path, readFileSync(path, 'utf8')));
const faultsIn = (path: string, text: string): string[] => faultsOf(read(join(ROOT, path), text));

/** Paths of files that import each other in a circle, from the first file back to it. */
const circlesIn = (files: readonly Source[]): string[] => {
  const edges = new Map(
    files.map(({ path, imports }) => [
      relative(ROOT, path),
      imports.filter(({ target }) => target.startsWith('.')).map(resolved),
    ]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    else if (!done.has(file)) {
      for (const next of edges.get(file) ?? []) walk(next, [...way, file]);
      done.add(file);
    }
  };
  for (const file of edges.keys()) walk(file, []);
  return circles;
};

/** Doors that the package opens to others; the bundler is the one who loads them. */
const ENTRIES = ['cli/index.ts', 'testing/index.ts'];

const nodesIn = (node: ts.Node): ts.Node[] => {
  const found: ts.Node[] = [node];
  ts.forEachChild(node, (child) => {
    found.push(...nodesIn(child));
  });
  return found;
};

/** The names in `{ A, type B, C as D }` as the other file calls them. */
const namesIn = (elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): string[] =>
  elements.map(({ name, propertyName }) => (propertyName ?? name).text);

/**
 * What a file takes from another by this node; undefined where it takes all of it, as `require` does, and each name in the file, or
 * in a file that imports it, may be one of it.
 */
const takenBy = (node: ts.Node): string[] | undefined => {
  if (ts.isImportDeclaration(node)) {
    const names = node.importClause?.namedBindings;
    return names && ts.isNamedImports(names) ? namesIn(names.elements) : undefined;
  }
  if (ts.isExportDeclaration(node)) {
    return node.exportClause && ts.isNamedExports(node.exportClause) ? namesIn(node.exportClause.elements) : undefined;
  }
  if (ts.isImportTypeNode(node)) return node.qualifier && [node.qualifier.getText()];
  return undefined;
};

/** The identifiers of each file, with those of the files that import it. */
const namesAround = (files: readonly Source[]): Map<string, Set<string>> => {
  const names = new Map<string, Set<string>>();
  const add = (path: string, more: readonly string[]) =>
    names.set(path, new Set([...(names.get(path) ?? []), ...more]));
  for (const { path, file } of files) {
    const nodes = nodesIn(file);
    const own = nodes.filter(ts.isIdentifier).map(({ text }) => text);
    add(relative(ROOT, path), own);
    for (const target of nodes.flatMap((node) => imported(node)?.target ?? [])) {
      const from = resolved({ from: path, line: 0, target, typeOnly: false });
      if (target.startsWith('.') && !from.endsWith('index.ts')) add(from, own);
    }
  }
  return names;
};

/** A room within the folder of another is none of it. */
const isWithin = (path: string, folder: string): boolean =>
  path.startsWith(`${folder}/`) && (!ROOMS.includes(folder) || roomOf(path) === folder);

/** Names that each door gives to files outside its folder. */
const takenFromDoors = (files: readonly Source[]): Map<string, Set<string>> => {
  const taken = new Map<string, Set<string>>();
  const around = namesAround(files);
  for (const { path, file } of files) {
    for (const node of nodesIn(file)) {
      const target = imported(node)?.target;
      if (!target?.startsWith('.')) continue;
      const door = resolved({ from: path, line: 0, target, typeOnly: false });
      if (!door.endsWith('index.ts') || isWithin(relative(ROOT, path), dirname(door))) continue;
      const names = takenBy(node) ?? around.get(relative(ROOT, path)) ?? [];
      taken.set(door, new Set([...(taken.get(door) ?? []), ...names]));
    }
  }
  return taken;
};

const exportsOf = ({ file }: Source): string[] =>
  nodesIn(file).flatMap((node) => {
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause))
      return node.exportClause.elements.map(({ name }) => name.text);
    const isExported = ts.canHaveModifiers(node) && ts.getModifiers(node)?.[0]?.kind === ts.SyntaxKind.ExportKeyword;
    if (!isExported) return [];
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
    return ts.isFunctionDeclaration(node) || ts.isTypeAliasDeclaration(node) ? [node.name?.getText() ?? ''] : [];
  });

/** Exports of doors that nobody outside the door's folder imports. A spec imports the file itself. */
const unusedExports = (files: readonly Source[]): string[] => {
  const taken = takenFromDoors(files);
  return files.flatMap((source) => {
    const path = relative(ROOT, source.path);
    if (!path.endsWith('/index.ts') || ENTRIES.includes(path)) return [];
    return exportsOf(source).flatMap((name) => (taken.get(path)?.has(name) ? [] : [`src/${path} exports ${name}`]));
  });
};

describe('the house', () => {
  it('has imports that go down only, through doors, from packages that live there', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap(faultsOf)).toEqual([]);
  });

  it('has no two files that import each other, not even for a type', () => {
    expect(circlesIn(sources)).toEqual([]);
  });

  it('has doors that export what another room imports, and no more', () => {
    expect(unusedExports(sources)).toEqual([]);
  });

  it('writes to the disk in the room files only, but for what is listed', () => {
    expect(writersIn(sources).sort()).toEqual(Object.keys(WRITERS).sort());
  });

  it('has every room that a floor names, and no other', () => {
    const inner = Object.entries(INNER).flatMap(([room, rows]) => rows.flat().map((name) => `${room}/${name}`));
    expect([...ROOMS, ...inner].filter((room) => !existsSync(join(ROOT, room)))).toEqual([]);
    expect([...new Set(sources.map(({ path }) => relative(ROOT, path)))].filter((path) => !roomOf(path))).toEqual([]);
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
    expect(writersIn([read(join(ROOT, 'app/x.ts'), text)])).toEqual(isSeen ? ['app/x.ts'] : []);
  });

  it.each([
    ['climbs', 'streams/x.ts', "import { a } from '../agent';", 'climbs from streams to agent'],
    ['climbs for a type', 'agent/x.ts', "import type { a } from '../server/mcp';", 'climbs from agent to server/mcp'],
    ['climbs by require', 'model/x.ts', "const a = require('../tools');", 'climbs from model to tools'],
    ['climbs by import()', 'model/x.ts', "await import('../tools');", 'climbs from model to tools'],
    ['climbs by an export', 'model/x.ts', "export { a } from '../tools';", 'climbs from model to tools'],
    ['climbs in a type', 'model/x.ts', "type A = typeof import('../tools');", 'climbs from model to tools'],
    ['crosses', 'safety/x.ts', "import { a } from '../executor';", 'crosses from safety to its stranger executor'],
    [
      'passes the door',
      'agent/x.ts',
      "import { a } from '../tools/shorten';",
      'goes past the door of tools: tools/shorten.ts',
    ],
    [
      'passes an inner door',
      'cli/x.ts',
      "import { a } from '../app/log/toPlain';",
      'goes past the door of app: app/log/toPlain.ts',
    ],
    ['climbs within a room', 'model/http/x.ts', "import { a } from '../chat';", 'climbs from model/http to model/chat'],
    ['climbs out of an inner room', 'model/chat/x.ts', "import { a } from '..';", 'climbs from model/chat to model'],
    [
      'crosses within a room',
      'model/chat/x.ts',
      "import { a } from '../script';",
      'crosses from model/chat to its stranger model/script',
    ],
    [
      'passes a door within a room',
      'model/x.ts',
      "import { a } from './http/sse';",
      'goes past the inner door of model/http: model/http/sse.ts',
    ],
    [
      'enters an inner room of another',
      'agent/x.ts',
      "import { a } from '../model/http';",
      'goes past the door of model: model/http/index.ts',
    ],
    [
      'passes the door of an inner room of its own room',
      'server/codex/x.ts',
      "import { a } from './conversations/conversation';",
      'goes past the inner door of server/codex/conversations: server/codex/conversations/conversation.ts',
    ],
    ['leaves', 'app/x.ts', "import { a } from '../../spec/a';", 'leads out of the house: ../spec/a'],
    ['exports all', 'log/x.ts', "export * from './index';", 'exports *'],
    ['strays', 'agent/x.ts', "import winston from 'winston';", 'winston does not live in agent'],
    ['is homeless', 'app/x.ts', "import _ from 'lodash';", 'lodash has no home'],
    [
      'spawns',
      'tools/x.ts',
      "import { spawn } from 'node:child_process';",
      'node:child_process does not live in tools',
    ],
    ['reads env', 'app/x.ts', 'const a = process.env.A;', 'reads what only an edge may read of the process'],
    ['takes env', 'app/x.ts', 'const { env } = process;', 'reads what only an edge may read of the process'],
  ])('sees a file that %s', (_, path, text, rule) => {
    expect(faultsIn(path, text)).toEqual([`src/${path}:1 ${rule}`]);
  });

  it('sees a circle of types', () => {
    const file = (name: string, text: string) => read(join(ROOT, 'lazy', name), text);
    const files = [
      file('index.ts', "import type { A } from './lazy';"),
      file('lazy.ts', "import type { B } from '.';"),
    ];
    expect(circlesIn(files)).toEqual(['lazy/index.ts → lazy/lazy.ts → lazy/index.ts']);
  });

  it('sees an export of a door that no other room imports', () => {
    const files = [
      read(join(ROOT, 'lazy/index.ts'), "export { type A, B, c as C } from './lazy'; export const d = 1, e = 2;"),
      read(join(ROOT, 'lazy/lazy.ts'), "import { B } from '.';"),
      read(join(ROOT, 'app/x.ts'), "import { C as c, type A } from '../lazy'; export { d } from '../lazy';"),
    ];
    expect(unusedExports(files)).toEqual(['src/lazy/index.ts exports B', 'src/lazy/index.ts exports e']);
  });

  it('takes each name in a file for one of a door that it loads as a whole', () => {
    const files = [
      read(join(ROOT, 'lazy/index.ts'), "export { a, b } from './lazy';"),
      read(join(ROOT, 'app/x.ts'), "const all = () => require('../lazy');\nall().a();"),
    ];
    expect(unusedExports(files)).toEqual(['src/lazy/index.ts exports b']);
  });

  it('takes each name in a file that imports the one that loads a door as a whole', () => {
    const files = [
      read(join(ROOT, 'lazy/index.ts'), "export { a, b } from './lazy';"),
      read(join(ROOT, 'app/serve.ts'), "export const all = () => require('../lazy');"),
      read(join(ROOT, 'app/x.ts'), "import { all } from './serve';\nall().a();"),
    ];
    expect(unusedExports(files)).toEqual(['src/lazy/index.ts exports b']);
  });

  it.each([
    ['floors below', 'tools/x.ts', "import { a } from '../executor'; import { b } from '../protocol/jsonrpc';"],
    ['its own room', 'agent/x.ts', "import { a } from './step';"],
    ['an inner room below', 'model/chat/x.ts', "import { a } from '../http';"],
    ['the door of an inner room', 'server/codex/x.ts', "import { a } from './conversations';"],
    ['a part of app', 'app/exec/x.ts', "import { a } from '../log/toPlain';"],
    ['an inner door', 'cli/x.ts', "import { a } from '../app/log';"],
    ['types of a package', 'executor/x.ts', "import type { SpawnOptions } from 'node:child_process';"],
    ['types one by one', 'executor/x.ts', "import { type SpawnOptions } from 'node:child_process';"],
    ['a command', 'cli/x.ts', 'process.exit(2);'],
  ])('passes over %s', (_, path, text) => {
    expect(faultsIn(path, text)).toEqual([]);
  });
});
