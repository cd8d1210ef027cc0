import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { lastValueFrom, NEVER, toArray } from 'rxjs';
import { type Faults, readFaults } from '../../../src/tapes/faults/faults';
import { type FaultyEvent, faultyLines, faultyPipe, type PipedLine } from '../../../src/tapes/faults/faultyPipe';
import { marbles } from '../../support/marbles';

const line = (id: number): PipedLine => ({ kind: 'line', dir: 'out', line: `{"id":${id},"result":{}}` });
const sent = (id: number, injected?: string): FaultyEvent => ({
  kind: 'sent',
  recorded: { dir: 'out', line: line(id).line, ...(injected !== undefined && { injected }) },
});
const remark = (text: string): FaultyEvent => ({ kind: 'fault', text: `fault: ${text}` });
const CRASH = 'fault: the server crashes before line 2 (response)';
const lines = { a: line(1), b: line(2) };
const values: Record<string, FaultyEvent | PipedLine> = {
  ...lines,
  A: sent(1),
  B: sent(2),
  L: sent(1, 'is lost'),
  l: remark('line 1 (response) is lost'),
  D: sent(1, 'comes again after 7 ms'),
  d: remark('line 1 (response) comes again after 7 ms'),
  W: sent(1, 'waits 5 ms'),
  w: remark('line 1 (response) waits 5 ms'),
  K: remark('the server crashes before line 2 (response)'),
  N: { kind: 'sent', recorded: { dir: 'note', line: CRASH, injected: 'crash' } },
  E: { kind: 'exited', code: 1, signal: null },
};

describe('faultyLines', () => {
  it.each([
    ['records lines that pass', '-', '        a-----b---|', '(Aa)--(Bb)|'],
    ['records a lost line', 'x', '            a-----b---|', '(Ll)--(Bb)|'],
    ['records once what comes twice', 'D+7ms', 'a------b----|', '(Dda)--(Bba)|'],
    ['records a line when it was sent', '5ms', 'a---b-----|', '(Ww)B(ab)-|'],
    ['ends with a crash', '-#', '             a-----b--|', '(Aa)--(KNE|)'],
  ])('%s', (_, faults, source, expected) => {
    marbles(({ hot, expectObservable }) => {
      const deps = { dir: 'out' as const, faults: readFaults(faults) as Faults, seed: 1, stop$: NEVER };
      expectObservable(hot(source.trim(), lines).pipe(faultyLines(deps, () => () => {}))).toBe(expected.trim(), values);
    })();
  });

  it.each([
    ['lets go what waits', 'a|', '----s', '(Ww)(a|)'],
    ['lets pass what comes after it', '--a----b---|', 's', '--(Wwa)(Bb)|'],
  ])('%s once it is stopped', (_, source, stop, expected) => {
    marbles(({ hot, expectObservable }) => {
      const deps = { dir: 'out' as const, faults: readFaults('5ms') as Faults, seed: 1, stop$: hot(stop) };
      expectObservable(hot(source, lines).pipe(faultyLines(deps, () => () => {}))).toBe(expected, values);
    })();
  });
});

const pipe = (row: string, dir: 'in' | 'out' = 'out') => {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const events$ = faultyPipe({ dir, faults: readFaults(row) as Faults, seed: 1, stop$: NEVER })(from, to);
  return { from, to, events$ };
};

/** The bytes that come out of the pipe, and its events. */
const passed = async (row: string, chunks: readonly Uint8Array[], dir?: 'in' | 'out') => {
  const { from, to, events$ } = pipe(row, dir);
  const all = lastValueFrom(events$.pipe(toArray()));
  for (const chunk of chunks) from.write(chunk);
  from.end();
  const events = await all;
  return { events, bytes: (to.read() as Buffer | null) ?? Buffer.alloc(0) };
};

const framed = (text: string) => Buffer.from(`Content-Length: ${text.length}\r\n\r\n${text}`);

describe('faultyPipe', () => {
  it('passes bytes as they are where no fault is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ minLength: 1 })), async (chunks) => {
        expect((await passed('-*', chunks)).bytes).toEqual(Buffer.concat(chunks));
      }),
      { numRuns: 50 },
    );
  });

  it('cuts a message with headers to a message with headers', async () => {
    const { bytes, events } = await passed('c-', [framed('{"id":1}'), framed('{"id":2}')], 'in');
    expect(bytes).toEqual(Buffer.concat([framed('{"id'), framed('{"id":2}')]));
    expect(events[0]).toEqual({
      kind: 'sent',
      recorded: {
        dir: 'in',
        head: 'Content-Length: 8\r\n\r\n',
        line: '{"id":1}',
        end: '',
        injected: 'is cut in half',
      },
    });
  });

  it('reads nothing while all lines wait', () => {
    const { from, events$ } = pipe('1m');
    const reading = events$.subscribe();
    from.write('{"id":1}\n');
    expect(from.isPaused()).toBe(true);
    reading.unsubscribe();
  });

  it('reads nothing while too many copies wait', () => {
    const { from, events$ } = pipe('D+1m*');
    const reading = events$.subscribe();
    for (let sent = 0; sent < 1_000 && !from.isPaused(); sent += 1) from.write(`{"id":${sent}}\n`);
    expect(from.isPaused()).toBe(true);
    reading.unsubscribe();
  });
});
