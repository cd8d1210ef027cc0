/** Owns the text of a spec that is written from a session. */
import type { WrittenPhase } from './toPhases';
import { toMessageSource, toQuoted, toSource } from './toSource';

/** The runners that a spec can be written for. */
export const RUNNERS = ['node', 'jest', 'vitest', 'mocha'] as const;
/** One of them. */
export type Runner = (typeof RUNNERS)[number];

/** What is held to the marbles: a command, or a tape that is played. */
export type Subject = { kind: 'command'; argv: readonly string[] } | { kind: 'tape'; path: string };

/** `name` is that of the tape, `writer` that of this program. */
export type SpecOptions = { name: string; runner: Runner; subject: Subject; writer: string };

/** What a runner's `test` comes from; those without a line have it as a global. */
const IMPORTS: Record<Runner, { line?: string; word: string }> = {
  node: { line: "import { test } from 'node:test';", word: 'test' },
  vitest: { line: "import { test } from 'vitest';", word: 'test' },
  jest: { word: 'test' },
  mocha: { word: 'it' },
};

/** A module that runs with the named runner, in JavaScript and in TypeScript. */
export const toSpec = (phases: readonly WrittenPhase[], { name, runner, subject, writer }: SpecOptions): string => {
  const { line, word } = IMPORTS[runner];
  const written = withUniqueNames(phases).map(toPhaseSource);
  const words = new Set([
    'session',
    subject.kind === 'command' ? 'stdio' : 'tape',
    ...written.flatMap(({ words }) => words),
  ]);
  return [
    `// Written from ${name.replace(/\s+/g, ' ')} by ${writer}.`,
    '// Small letters are the client, capitals the server; a column is a message, the order is what counts.',
    ...(line === undefined ? [] : [line]),
    `import { ${[...words].sort().join(', ')} } from 'codex-rx/testing';`,
    '',
    `const server = ${toSubject(subject)};`,
    '',
    ...written.flatMap(({ values }) => (values === '' ? [] : [values, ''])),
    `${word}(${toQuoted(`${name}: the server says what it said`)}, () =>`,
    ...toPlays(written.map(({ phase }) => phase)),
    '',
  ].join('\n');
};

const indented = (lines: readonly string[], by: number): string[] => lines.map((line) => ' '.repeat(by) + line);

const toPlays = (phases: readonly string[][]): string[] => {
  const [only] = phases;
  if (only && phases.length === 1) return ['  session(server).plays({', ...indented(only, 4), '  }));'];
  return [
    '  session(server).plays(',
    ...phases.flatMap((phase) => ['    {', ...indented(phase, 6), '    },']),
    '  ));',
  ];
};

const toSubject = (subject: Subject): string =>
  subject.kind === 'command' ? `stdio(${toSource(subject.argv, 0, 20)})` : `tape(${toQuoted(subject.path)})`;

type NamedPhase = WrittenPhase & { constant: string };

/** Phases of one name are numbered; each has its values under a name of its own. One alone needs no name. */
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
    const { text, word } = toMessageSource(value, 2, 5);
    return { line: `  ${letter}: ${text},`, word };
  });
  const [only] = server;
  const lines =
    server.length === 1
      ? [`server: ${toQuoted(only ?? '')},`]
      : ['server: [', ...server.map((lane) => `        ${toQuoted(lane)},`), '],'];
  return {
    words: messages.flatMap(({ word }) => word ?? []),
    values: values.length === 0 ? '' : [`const ${constant} = {`, ...messages.map(({ line }) => line), '};'].join('\n'),
    phase: [
      ...(name === '' ? [] : [`name: ${toQuoted(name)},`]),
      `client: ${toQuoted(client)},`,
      ...lines,
      ...(values.length === 0 ? [] : [constant === 'values' ? 'values,' : `values: ${constant},`]),
    ],
  };
};
