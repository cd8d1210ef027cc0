/** Writes the source of a spec from the phases of a session. */
import type { Framing } from '../../streams/bytes/splitMessages';
import { toVisible } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import { type MaskWords, NO_WORDS } from '../matching/maskWords';
import type { SessionIndex } from '../session/sessionIndex';
import type { WrittenPhase } from './toPhases';
import { toMessageSource, toQuoted, toSource } from './toSource';

/** The runners that a spec can be written for. */
export const RUNNERS = ['node', 'jest', 'vitest', 'mocha'] as const;
/** The name of a runner. */
export type Runner = (typeof RUNNERS)[number];

/** What the spec tests: a command, and who named it, or a tape as a server. */
export type Subject =
  | { kind: 'command'; argv: readonly string[]; framing?: Framing; namedBy: 'person' | 'tape' }
  | { kind: 'tape'; path: string };

/** How a spec is written. */
export type SpecOptions = {
  /** The file name of the tape. */
  name: string;
  runner: Runner;
  subject: Subject;
  /** The name and version of this program. */
  writer: string;
  /** How the spec imports; default `import`. */
  modules?: 'import' | 'require';
  /** How long the recorded session took. */
  pace?: RecordedPace;
  /** As a session of `codex-rx/testing` takes it; default `exactly`. */
  compare?: 'asReplay';
  /** Those of the tape. */
  masks?: MaskWords;
};

type TestFunction = {
  /** The module that exports it; undefined for a global. */
  from?: string;
  test: string;
  /** How long a test may take by default. */
  limitMs: number;
};

/** The function of a runner that declares a test. */
const TESTS: Record<Runner, TestFunction> = {
  node: { from: 'node:test', test: 'test', limitMs: Number.POSITIVE_INFINITY },
  vitest: { from: 'vitest', test: 'test', limitMs: 5_000 },
  jest: { test: 'test', limitMs: 5_000 },
  mocha: { test: 'it', limitMs: 2_000 },
};

/** A module that runs with the named runner, as JavaScript and as TypeScript. */
export const toSpec = (phases: readonly WrittenPhase[], options: SpecOptions): string => {
  const { name, runner, subject, writer, modules = 'import' } = options;
  const { from, test } = TESTS[runner];
  const written = withUniqueNames(phases).map(toPhaseSource);
  const imported = new Set([
    'session',
    subject.kind === 'command' ? 'stdio' : 'tape',
    ...written.flatMap(({ builders }) => builders),
  ]);
  return [
    `// Written from ${toVisible(name.replace(/\s+/g, ' '))} by ${writer}.`,
    toWarning(subject),
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
      { open: `session(server${toSessionOptions(options)}).plays(`, end: toEnd(options) },
    ),
    '',
  ].join('\n');
};

/** What a run of the spec starts, in one line. */
const toWarning = (subject: Subject): string => {
  if (subject.kind === 'tape') return '// It starts no program: the tape is the server.';
  const named = subject.namedBy === 'tape' ? ', as the tape names it' : '';
  return `// It starts this program${named}: ${toVisible(joinWords(subject.argv))}`;
};

const indented = (lines: readonly string[], by: number): string[] => lines.map((line) => ' '.repeat(by) + line);

const toImport = (modules: 'import' | 'require', names: readonly string[], from: string): string =>
  modules === 'import'
    ? `import { ${names.join(', ')} } from '${from}';`
    : `const { ${names.join(', ')} } = require('${from}');`;

/** Closes the test, with a limit if the session may take longer than the runner's default. */
const toEnd = (options: SpecOptions): string => {
  const { runner } = options;
  const limitMs = toTestLimit(options, TESTS[runner].limitMs);
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

/** Numbers phases with the same name, and gives each a constant for its values. A single phase needs no name. */
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
/** How long a program may take for a response, as `codex-rx replay` waits. */
const PROGRAM_MS = 30_000;

/** The least plus three times the recorded time, rounded up to whole seconds. */
const toLimit = (recordedMs: number, leastMs: number): number => Math.ceil((leastMs + 3 * recordedMs) / 1_000) * 1_000;

const toNumeral = (ms: number): string => `${ms / 1_000}_000`;

type SessionLimits = Pick<SpecOptions, 'subject' | 'compare' | 'masks' | 'pace'>;

/** The options of a session, after its server: as long as a program may take, or longer if the recorded session took more than half of the default. */
export const toSessionOptions = ({ subject, compare, masks = NO_WORDS, pace = NO_PACE }: SessionLimits): string => {
  const { silentMs, endMs } = pace;
  const words = Object.entries(masks).filter(([, texts]) => texts.length > 0);
  const limitMs = Math.max(
    subject.kind === 'command' ? PROGRAM_MS : 0,
    2 * silentMs > LIMIT_MS ? toLimit(silentMs, LIMIT_MS) : 0,
  );
  const options = [
    ...(compare === undefined ? [] : [`compare: '${compare}'`]),
    ...(words.length === 0 ? [] : [`masks: ${toSource(Object.fromEntries(words), 0, 0)}`]),
    ...(limitMs > 0 ? [`limitMs: ${toNumeral(limitMs)}`] : []),
    ...(2 * endMs > SETTLE_MS ? [`settleMs: ${toNumeral(toLimit(endMs, SETTLE_MS))}`] : []),
  ];
  return options.length === 0 ? '' : `, { ${options.join(', ')} }`;
};

/** The limit of a test; undefined if `defaultMs` of the runner is enough. */
export const toTestLimit = ({ subject, pace = NO_PACE }: SessionLimits, defaultMs: number): string | undefined => {
  if (!Number.isFinite(defaultMs)) return undefined;
  if (subject.kind === 'command') return toNumeral(toLimit(pace.totalMs, LIMIT_MS + PROGRAM_MS));
  return 2 * pace.totalMs <= defaultMs ? undefined : toNumeral(toLimit(pace.totalMs, LIMIT_MS));
};

/** How long a session took. */
export type RecordedPace = {
  /** The whole session. */
  totalMs: number;
  /** The longest silence before a line of the server. */
  silentMs: number;
  /** How long the server took to end. */
  endMs: number;
};

/** The pace of an empty session. */
export const NO_PACE: RecordedPace = { totalMs: 0, silentMs: 0, endMs: 0 };

/** The times of a session on the wire of MCP. */
export const paceOf = ({ entries }: SessionIndex): RecordedPace => {
  const first = entries[0]?.entry.t ?? 0;
  const wire = entries.filter(({ entry: { dir, seam } }) => seam === undefined && (dir === 'in' || dir === 'out'));
  const ended = entries.find(({ entry }) => entry.dir === 'exit');
  const waits = wire.map(({ entry }, at) => (entry.dir === 'out' ? entry.t - (wire[at - 1]?.entry.t ?? first) : 0));
  const lastMs = entries.findLast((one) => one !== ended)?.entry.t ?? first;
  return {
    totalMs: (entries.at(-1)?.entry.t ?? 0) - first,
    silentMs: waits.reduce((longest, ms) => Math.max(longest, ms), 0),
    endMs: ended === undefined ? 0 : Math.max(0, ended.entry.t - lastMs),
  };
};

/** The longest times of several sessions. */
export const longestOf = (paces: readonly RecordedPace[]): RecordedPace =>
  paces.reduce(
    (longest, { totalMs, silentMs, endMs }) => ({
      totalMs: Math.max(longest.totalMs, totalMs),
      silentMs: Math.max(longest.silentMs, silentMs),
      endMs: Math.max(longest.endMs, endMs),
    }),
    NO_PACE,
  );
