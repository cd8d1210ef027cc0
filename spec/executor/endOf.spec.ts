import {
  addErrorOutput,
  afterFirstMessage,
  endOf,
  NO_OUTPUT,
  secretsOf,
  toCrashOutput,
} from '../../src/executor/endOf';
import { marbles } from '../support/marbles';

const events = {
  s: { kind: 'started' as const },
  o: { kind: 'output' as const, stream: 'stdout' as const, chunk: Buffer.from('{"id":1}\n') },
  e: {
    kind: 'output' as const,
    stream: 'stderr' as const,
    chunk: Buffer.from('\u001b[31mno route\u001b[0m to open-sesame\n'),
  },
  x: { kind: 'exited' as const, exitCode: 255 },
  c: { kind: 'closed' as const },
  f: { kind: 'failed' as const, reason: 'is the server running?' },
};
const end = endOf({ title: 'the program', secrets: ['open-sesame'] });

describe('endOf', () => {
  it(
    'errors at the end of a process, with its exit code and its error output, without secrets and colours',
    marbles(({ cold, expectObservable }) => {
      const why = new Error('the program ended with exit code 255.\nno route to [redacted]');
      expectObservable(cold('--s-e-xc-|', events).pipe(end)).toBe('---------#', {}, why);
    }),
  );

  it(
    'leaves out what the process wrote as it started',
    marbles(({ cold, expectObservable }) => {
      const why = new Error('the program ended with exit code 255.');
      expectObservable(cold('s-e-o-xc|', events).pipe(end)).toBe('--------#', {}, why);
    }),
  );

  it(
    'leaves out what it wrote then even if it is read right after the first message, and nothing later',
    marbles(({ cold, expectObservable }) => {
      const why = new Error('the program ended with exit code 255.');
      expectObservable(cold('s-(oe)-xc|', events).pipe(end)).toBe('---------#', {}, why);
      const later = new Error('the program ended with exit code 255.\nno route to [redacted]');
      expectObservable(cold('s-o-e-o-xc|', events).pipe(end)).toBe('----------#', {}, later);
    }),
  );

  it(
    'quotes what a process wrote that ends as it starts',
    marbles(({ cold, expectObservable }) => {
      const why = new Error('the program ended with exit code 255.\nno route to [redacted]');
      expectObservable(cold('s-(oexc|)', events).pipe(end)).toBe('--#', {}, why);
    }),
  );

  it(
    'hides a secret of which only the end is quoted',
    marbles(({ cold, expectObservable }) => {
      const rest = ' no route'.repeat(66);
      const long = { ...events, e: { ...events.e, chunk: Buffer.from(`open-sesame${rest}`) } };
      const why = new Error(`the program ended with exit code 255.\nacted]${rest}`);
      expectObservable(cold('s-exc|', long).pipe(end)).toBe('-----#', {}, why);
    }),
  );

  it(
    'ends the reason of one that could not be run with one mark',
    marbles(({ cold, expectObservable }) => {
      const why = new Error('the program could not be run: is the server running?');
      expectObservable(cold('-f|', events).pipe(end)).toBe('--#', {}, why);
    }),
  );
});

describe('secretsOf', () => {
  it('has the values of variables whose names are those of secrets', () => {
    expect(secretsOf({ HOME: '/home/me', API_TOKEN: 'open-sesame' })).toEqual(['open-sesame']);
  });
});

/** Error output by when it arrived, in ms. */
const outputOf = (...pieces: [atMs: number, text: string][]) =>
  pieces.reduce((output, [atMs, text]) => addErrorOutput(output, text, atMs), NO_OUTPUT);

describe('toCrashOutput', () => {
  it('quotes the lines of the last five seconds, whole if they came in pieces', () => {
    const output = afterFirstMessage(NO_OUTPUT);
    const printed = addErrorOutput(addErrorOutput(output, 'warning\nthread main ', 0), 'panicked\nnote', 6_000);
    expect(toCrashOutput(printed, 11_000)).toBe('thread main panicked\nnote');
    expect(toCrashOutput(printed, 11_001)).toBe('');
  });

  it('quotes all of a process that never sent a message', () => {
    expect(toCrashOutput(outputOf([0, 'no such '], [9, 'file\n']), 60_000)).toBe('no such file\n');
  });

  it('drops the stack trace, which would push the reason out', () => {
    const printed = outputOf(
      [0, 'Error: Cannot find pty.node\n    at load (/a/utils.js:36:11)\n    a'],
      [1, 't Module._compile (node:internal/loader:1929:14)\n\tat com.example.Main.main(Main.java:3)\n\nNode.js v24\n'],
    );
    expect(toCrashOutput(printed, 1)).toBe('Error: Cannot find pty.node\n\nNode.js v24\n');
  });

  it('drops the whole lines before the first message', () => {
    const started = afterFirstMessage(outputOf([0, 'warning\nhalf a ']));
    const output = addErrorOutput(started, 'line\nerror\n', 1);
    expect(toCrashOutput(output, 1)).toBe('half a line\nerror\n');
  });

  it('keeps the last 2,600 characters and the rest of their first line, of a long line its end', () => {
    const many = outputOf(
      ...Array.from({ length: 9 }, (_, at): [number, string] => [at, `${at}`.repeat(400).concat('\n')]),
    );
    expect(toCrashOutput(many, 9)).toBe([2, 3, 4, 5, 6, 7, 8].map((at) => `${at}`.repeat(400).concat('\n')).join(''));
    expect(toCrashOutput(outputOf([0, `a${'b'.repeat(2_600)}`]), 0)).toBe('b'.repeat(2_600));
  });
});
