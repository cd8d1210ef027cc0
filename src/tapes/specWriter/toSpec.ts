/** Writes the source of a spec from the phases of a session. */
import { toVisible } from '../../io/log/toVisible';
import { isObject } from '../../protocol/jsonrpc/json';
import type { Framing } from '../../streams/bytes/byFraming';
import { NO_PACE, type RecordedPace } from './paceOf';
import type { WrittenPhase } from './writeLine';

/** The runners that a spec can be written for. */
export const RUNNERS = ['node', 'jest', 'vitest', 'mocha'] as const;
/** The name of a runner. */
export type Runner = (typeof RUNNERS)[number];

/** What the spec tests: a command, or a tape as a server. */
export type Subject = { kind: 'command'; argv: readonly string[]; framing?: Framing } | { kind: 'tape'; path: string };

/**
 * `name` is the file name of the tape; `writer` is the name and version of this program; `modules` is how the spec imports, `import` by
 * default; `pace` is how long the recorded session took.
 */
export type SpecOptions = {
  name: string;
  runner: Runner;
  subject: Subject;
  writer: string;
  modules?: 'import' | 'require';
  pace?: RecordedPace;
};

/**
 * The function of a runner that declares a test, and the module that it is from; without one it is a global. `limitMs` is how long a test
 * may take by default.
 */
const TESTS: Record<Runner, { from?: string; test: string; limitMs: number }> = {
  node: { from: 'node:test', test: 'test', limitMs: Number.POSITIVE_INFINITY },
  vitest: { from: 'vitest', test: 'test', limitMs: 5_000 },
  jest: { test: 'test', limitMs: 5_000 },
  mocha: { test: 'it', limitMs: 2_000 },
};

/** A module that runs with the named runner, as JavaScript and as TypeScript. */
export const toSpec = (phases: readonly WrittenPhase[], options: SpecOptions): string => {
  const { name, runner, subject, writer, modules = 'import', pace = NO_PACE } = options;
  const { from, test } = TESTS[runner];
  const written = withUniqueNames(phases).map(toPhaseSource);
  const imported = new Set([
    'session',
    subject.kind === 'command' ? 'stdio' : 'tape',
    ...written.flatMap(({ builders }) => builders),
  ]);
  return [
    `// Written from ${toVisible(name.replace(/\s+/g, ' '))} by ${writer}.`,
    '// Small letters are the client, capitals the server; a column is a message, and only the order counts.',
    ...(from === undefined ? [] : [toImport(modules, [test], from)]),
    toImport(modules, [...imported].sort(), 'codex-rx/testing'),
    '',
    `const server = ${toSubject(subject)};`,
    '',
    ...written.flatMap(({ values }) => (values === '' ? [] : [values, ''])),
    `${test}(${toQuoted(`${name}: the server responds as recorded`)}, () =>`,
    ...toPlays(
      written.map(({ phase }) => phase),
      { open: `session(server${toSessionOptions(pace)}).plays(`, end: toEnd(options) },
    ),
    '',
  ].join('\n');
};

const indented = (lines: readonly string[], by: number): string[] => lines.map((line) => ' '.repeat(by) + line);

const toImport = (modules: 'import' | 'require', names: readonly string[], from: string): string =>
  modules === 'import'
    ? `import { ${names.join(', ')} } from '${from}';`
    : `const { ${names.join(', ')} } = require('${from}');`;

/** Closes the test, with a limit where the session may take longer than the runner's own. */
const toEnd = ({ runner, pace = NO_PACE }: SpecOptions): string => {
  const limitMs = toTestLimit(pace, TESTS[runner].limitMs);
  if (limitMs === undefined) return ');';
  return runner === 'mocha' ? `).timeout(${limitMs});` : `, ${limitMs});`;
};

const toPlays = (phases: readonly string[][], { open, end }: { open: string; end: string }): string[] => {
  const [only] = phases;
  if (only && phases.length === 1) return [`  ${open}{`, ...indented(only, 4), `  })${end}`];
  return [`  ${open}`, ...phases.flatMap((phase) => ['    {', ...indented(phase, 6), '    },']), `  )${end}`];
};

const toSubject = (subject: Subject): string => {
  if (subject.kind === 'tape') return `tape(${toQuoted(subject.path)})`;
  const options = subject.framing === 'contentLength' ? ", { framing: 'contentLength' }" : '';
  return `stdio(${toSource(subject.argv, 0, 20)}${options})`;
};

type NamedPhase = WrittenPhase & { constant: string };

/** Numbers phases of one name, and gives the values of each a constant of its own. A single phase needs no name. */
const withUniqueNames = (phases: readonly WrittenPhase[]): NamedPhase[] => {
  const [only] = phases;
  if (only && phases.length === 1) return [{ ...only, name: '', constant: 'values' }];
  const seen = new Map<string, number>();
  return phases.map((phase) => {
    const constant = toConstant(phase.name);
    const nth = (seen.get(constant) ?? 0) + 1;
    seen.set(constant, nth);
    return nth === 1
      ? { ...phase, constant }
      : { ...phase, name: `${phase.name}, ${nth}`, constant: `${constant}${nth}` };
  });
};

const toConstant = (name: string): string => {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words
    .map((word, i) => (i === 0 ? word.toLowerCase() : word[0]?.toUpperCase() + word.slice(1)))
    .join('');
  return `${/^[a-z]/.test(joined) ? joined : `phase${joined}`}Values`;
};

const toPhaseSource = ({ name, client, server, values, constant }: NamedPhase) => {
  const messages = values.map(([letter, value]) => {
    const { text, builder } = toMessageSource(value, 2, 5);
    return { line: `  ${letter}: ${text},`, builder };
  });
  const [only] = server;
  const lines =
    server.length === 1
      ? [`server: ${toQuoted(only ?? '')},`]
      : ['server: [', ...server.map((lane) => `        ${toQuoted(lane)},`), '],'];
  return {
    builders: messages.flatMap(({ builder }) => builder ?? []),
    values: values.length === 0 ? '' : [`const ${constant} = {`, ...messages.map(({ line }) => line), '};'].join('\n'),
    phase: [
      ...(name === '' ? [] : [`name: ${toQuoted(name)},`]),
      `client: ${toQuoted(client)},`,
      ...lines,
      ...(values.length === 0 ? [] : [constant === 'values' ? 'values,' : `values: ${constant},`]),
    ],
  };
};

/** What a session waits by default; see docs/testing.md. */
const [LIMIT_MS, SETTLE_MS] = [5_000, 1_000];

/** The default plus three times the recorded time, rounded up to whole seconds. */
const toLimit = (recordedMs: number, defaultMs: number): string =>
  `${Math.ceil((defaultMs + 3 * recordedMs) / 1_000)}_000`;

/** The options of a session, after its server, where the recorded one took more than half of the default. */
export const toSessionOptions = ({ silentMs, endMs }: RecordedPace): string => {
  const limits = [
    ...(2 * silentMs > LIMIT_MS ? [`limitMs: ${toLimit(silentMs, LIMIT_MS)}`] : []),
    ...(2 * endMs > SETTLE_MS ? [`settleMs: ${toLimit(endMs, SETTLE_MS)}`] : []),
  ];
  return limits.length === 0 ? '' : `, { ${limits.join(', ')} }`;
};

/** The limit of a test; undefined where `defaultMs`, that of the runner, is enough. */
export const toTestLimit = ({ totalMs }: RecordedPace, defaultMs: number): string | undefined =>
  2 * totalMs <= defaultMs ? undefined : toLimit(totalMs, LIMIT_MS);

/** Writes JSON values as JavaScript source, broken into lines that fit. */
const WIDTH = 116;

/**
 * A text as a string literal of JavaScript, in single quotes unless double ones spare escapes. Invisible characters are
 * escaped, so that a reader of the source sees them.
 */
export const toQuoted = (text: string): string => {
  const quoted = toVisible(JSON.stringify(text));
  if (text.includes("'") && !text.includes('"')) return quoted;
  return `'${quoted.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
};

const toName = (name: string): string => {
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toQuoted(name);
};

/** A JSON value as an expression. @param indent spaces before its first line @param used characters of that line that are taken */
export const toSource = (value: unknown, indent: number, used = indent): string => {
  const flat = toFlat(value);
  if (used + flat.length <= WIDTH || !isHolder(value)) return flat;
  const inner = ' '.repeat(indent + 2);
  const lines = Array.isArray(value)
    ? value.map((one) => `${inner}${toSource(one, indent + 2)},`)
    : Object.entries(value).map(([name, one]) => {
        const start = `${inner}${toName(name)}: `;
        return `${start}${toSource(one, indent + 2, start.length)},`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join('\n')}\n${' '.repeat(indent)}${close}`;
};

const isHolder = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const toFlat = (value: unknown): string => {
  if (typeof value === 'string') return toQuoted(value);
  if (Array.isArray(value)) return `[${value.map(toFlat).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.entries(value).map(([name, one]) => `${toName(name)}: ${toFlat(one)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
};

const has = (value: object, ...names: string[]): boolean => toSorted(Object.keys(value)) === toSorted(names);
const toSorted = (names: string[]): string => [...names].sort().join();

/** The source of a message, and the function that it calls. */
type MessageSource = { text: string; builder?: string };

/** A message as a call of a function of `codex-rx/testing`, such as `request(…)`, where there is one for it; `builder` names the function. */
export const toMessageSource = (value: unknown, indent: number, used: number): MessageSource => {
  const call = (builder: string, texts: string[], last?: unknown): MessageSource => {
    const head = `${builder}(${[...texts, ''].join(', ')}`;
    if (last === undefined) return { builder, text: `${builder}(${texts.join(', ')})` };
    return { builder, text: `${head}${toSource(last, indent, used + head.length + 2)})` };
  };
  if (!isObject(value) || value.jsonrpc !== '2.0') return { text: toSource(value, indent, used) };
  const { id, method, params, result, error } = value;
  const [, letter] = typeof id === 'string' ? (/^<id of (.)>$/u.exec(id) ?? []) : [];
  const named = isHolderOrNone(params) && typeof method === 'string' ? toQuoted(method) : undefined;
  const members = params === undefined ? [] : ['params'];
  if (named && id === '<id>' && has(value, 'jsonrpc', 'id', 'method', ...members))
    return call('request', [named], params);
  if (named && has(value, 'jsonrpc', 'method', ...members)) return call('notification', [named], params);
  if (letter && has(value, 'jsonrpc', 'id', 'result')) return call('answer', [toQuoted(letter)], result);
  if (letter && isObject(error) && has(value, 'jsonrpc', 'id', 'error') && isPlainError(error)) {
    return call('refusal', [toQuoted(letter), String(error.code), toQuoted(error.message)], error.data);
  }
  return { text: toSource(value, indent, used) };
};

const isHolderOrNone = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null);

const isPlainError = (error: Record<string, unknown>): error is { code: number; message: string; data?: unknown } =>
  typeof error.code === 'number' &&
  typeof error.message === 'string' &&
  (has(error, 'code', 'message') || has(error, 'code', 'message', 'data'));
