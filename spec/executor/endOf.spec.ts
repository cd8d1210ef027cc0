import { endOf, secretsOf } from '../../src/executor/endOf';
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
    'leaves out what it wrote then also where it is read right after the first message, and nothing later',
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
