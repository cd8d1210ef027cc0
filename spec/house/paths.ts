/** What only one place may ask of the machine, because it is easily asked in a way that fails for another user or in a container, or shows what it must not. */
import { resolve } from 'node:path';
import ts from '@typescript/typescript6';
import { lineOf, nodesOf, type Parsed, parse, parseAll } from '../support/parsedCode';

const ROOT = resolve(__dirname, '../../src');

/**
 * @param is whether a node asks
 * @param instead what the others do
 * @param owners the places that may ask, each with its reason; a name that ends with / is a folder
 */
type Rule = { is: (node: ts.Node) => boolean; instead: string; owners: Readonly<Record<string, string>> };

const isNamed =
  (...names: string[]) =>
  (node: ts.Node): boolean =>
    ts.isIdentifier(node) && names.includes(node.text);

/** A call without arguments of a function of this name. */
const isCallOf =
  (name: string) =>
  (node: ts.Node): boolean => {
    if (!ts.isCallExpression(node) || node.arguments.length > 0) return false;
    const { expression: callee } = node;
    return isNamed(name)(ts.isPropertyAccessExpression(callee) ? callee.name : callee);
  };

/** A text that is written to a stream of the process; an empty text is written to learn when all is written. */
const isPrinted = (node: ts.Node): boolean => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  return (
    /^(?:process\.)?std(?:out|err)\.write$/.test(node.expression.getText()) && node.arguments[0]?.getText() !== "''"
  );
};

const RULES: Readonly<Record<string, Rule>> = {
  'a look at a path, which throws in more ways than one expects': {
    is: isNamed('statSync', 'lstatSync', 'existsSync', 'accessSync', 'realpathSync'),
    instead: 'use io/paths',
    owners: {
      'io/paths/': 'looks',
      'io/files/': 'looks by its port at files of its own, and turns what fails into FileError',
    },
  },
  'a read of a file as a whole, which waits for the other end of a pipe': {
    is: isNamed('readFileSync'),
    instead: 'use readIfThere or readRegular of io/paths',
    owners: {
      'io/paths/look.ts': 'reads regular files only',
      'executor/sandbox/readPlain.ts': 'reads short regular files only',
      'executor/listen/token.ts': 'reads a token before anything is served; a pipe may hold it',
      'io/sockets/ownProcess.ts': 'reads tables of the kernel',
      'io/processes/descendants.ts': 'reads tables of the kernel',
      'cli/commands/diagram.ts': 'reads a file of this program',
      'cli/start/start.ts': 'reads files of this program',
      'testing/server.ts': 'reads a tape in the specs of others',
    },
  },
  'the home of the user': {
    is: (node) => isCallOf('homedir')(node) || isCallOf('userInfo')(node),
    instead: 'take `home` of ProcessInfo',
    owners: { 'cli/thisProcess.ts': 'finds it' },
  },
  'the temporary folder, which may be that of another user': {
    is: isCallOf('tmpdir'),
    instead: 'take one that was found to work',
    owners: {
      'io/disk/temporaryFolders.ts': 'finds them',
    },
  },
  'an entry of /proc by the number of a process, which may be that of another in a namespace': {
    is: (node) => ts.isTemplateExpression(node) && /\/proc\/\$\{\w*pid\b/i.test(node.getText()),
    instead: 'use /proc/self for this process',
    owners: {
      'io/disk/ownersHere.ts': 'asks about the owners of locks',
      'io/files/lockFile.ts': 'asks about the owners of locks',
      'io/processes/descendants.ts': 'asks about commands and what they have started',
      'io/sockets/ownProcess.ts': 'asks who has a connection open',
    },
  },
  'the global crypto, which Node can be started without': {
    is: (node) => ts.isPropertyAccessExpression(node) && node.getText() === 'globalThis.crypto',
    instead: 'use node:crypto',
    owners: {},
  },
  'a text for a terminal, which a text from outside could command': {
    is: isPrinted,
    instead: 'use print of cli/terminal',
    owners: {
      'cli/terminal.ts': 'makes all of it visible',
      'cli/start/start.ts': 'writes texts of its own, before anything else is loaded',
    },
  },
};

type Asker = { path: string; line: number };

const askers = ({ is }: Rule, sources: readonly Parsed[]): readonly Asker[] =>
  sources.flatMap(({ path, file }) =>
    nodesOf(file)
      .filter(is)
      .map((node) => ({ path, line: lineOf(file, node.getStart()) })),
  );

const ownerOf = ({ owners }: Rule, path: string): string | undefined =>
  Object.keys(owners).find((owner) => (owner.endsWith('/') ? path.startsWith(owner) : path === owner));

const strays = (rule: Rule, asking: readonly Asker[]): string[] =>
  asking
    .filter(({ path }) => ownerOf(rule, path) === undefined)
    .map(({ path, line }) => `src/${path}:${line}: ${rule.instead}`);

const sources = parseAll(ROOT);

const RULES_WITH_ASKERS = Object.entries(RULES).map(([name, rule]) => ({ name, rule, asking: askers(rule, sources) }));

describe('the code', () => {
  it.each(RULES_WITH_ASKERS)('asks in one place for $name', ({ rule, asking }) => {
    expect(strays(rule, asking)).toEqual([]);
  });

  it.each(RULES_WITH_ASKERS)('has no owner that does not ask for $name', ({ rule, asking }) => {
    const owners = new Set(asking.map(({ path }) => ownerOf(rule, path)));
    expect(Object.keys(rule.owners).filter((owner) => !owners.has(owner))).toEqual([]);
  });
});

describe('this spec', () => {
  it.each([
    ["import { statSync } from 'node:fs';", 1],
    ['fs.realpathSync.native(path);', 1],
    ["const text = 'statSync';", 0],
    ["readFileSync(path, 'utf8');", 1],
    ['os.homedir();', 1],
    ['const home = userInfo().homedir;', 1],
    ['userInfo(host);', 0],
    ['tmpdir();', 1],
    ['const settings = { tmpdir };', 0],
    [`open(\`/proc/$\{pid}/fd\`);`, 1],
    [`open(\`/proc/self/fd/$\{fd}\`);`, 0],
    [`open(\`/proc/$\{name}\`);`, 0],
    ['globalThis.crypto.randomUUID();', 1],
    ["import { randomUUID } from 'node:crypto';", 0],
    ['process.stdout.write(text);', 1],
    ["stderr.write('', done);", 0],
    ['stdin.write(text);', 0],
  ])('sees in %s so many questions: %i', (text, expected) => {
    const source = parse('app/x.ts', text);
    expect(Object.values(RULES).flatMap((rule) => strays(rule, askers(rule, [source])))).toHaveLength(expected);
  });

  it('lets an owner ask, and nobody of a similar name', () => {
    const { 'a look at a path, which throws in more ways than one expects': looks } = RULES;
    const files = ['io/paths/look.ts', 'pathsOther/look.ts'].map((path) => parse(path, 'statSync(path);'));
    expect(looks && strays(looks, askers(looks, files))).toEqual(['src/pathsOther/look.ts:1: use io/paths']);
  });
});
