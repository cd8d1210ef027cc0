import fc from 'fast-check';
import { Observable } from 'rxjs';
import type { RelayEvent } from '../../../src/io/processes/relayChild';
import { type CutLine, type CutLines, cutLines, recordSession, toBytes } from '../../../src/tapes/format/recordSession';
import type { RecordedLine, RecordedLines } from '../../../src/tapes/format/tape';
import { marbles } from '../../support/marbles';
import { cuts, through, tokenize } from '../../support/streams';

const chunk = (dir: 'in' | 'out' | 'err', text: string): RelayEvent => ({
  kind: 'chunk',
  dir,
  chunk: Buffer.from(text),
});
const event: Record<string, RelayEvent> = {
  a: chunk('in', 'on'),
  b: chunk('in', 'e\ntw'),
  o: chunk('out', 'ONE\n'),
  e: chunk('err', 'hm\n'),
  z: { kind: 'ended', dir: 'in' },
  s: { kind: 'signalled', signal: 'SIGTERM' },
  x: { kind: 'exited', code: 3, signal: null },
  f: { kind: 'failed', reason: 'no such program' },
};
const recorded: Record<string, RecordedLine | RecordedLines> = {
  A: { dir: 'in', lines: Buffer.from('one\n'), count: 1 },
  B: { dir: 'in', line: 'tw', end: '' },
  N: { dir: 'note', line: 'standard input closed' },
  O: { dir: 'out', lines: Buffer.from('ONE\n'), count: 1 },
  E: { dir: 'err', lines: Buffer.from('hm\n'), count: 1 },
  S: { dir: 'note', line: 'signal SIGTERM' },
  X: { dir: 'exit', line: '{"code":3,"sig":null}' },
  F: { dir: 'note', line: 'the server could not be started: no such program' },
};

/** What is taped, as a stream. */
const tapeOf = (event$: Observable<RelayEvent>): Observable<RecordedLine | RecordedLines> =>
  new Observable((subscriber) =>
    event$.pipe(recordSession((one) => subscriber.next(one))).subscribe({ complete: () => subscriber.complete() }),
  );

describe('recordSession', () => {
  it(
    'tapes every line in its place, one cut off by the end of input before that end',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -a-b-o-e-z----x|', event);
      const tape = '       ---A-O-E-(BN)-X|';
      const expected = '   --------------x|';
      expectObservable(tapeOf(event$)).toBe(tape, recorded);
      expectObservable(event$.pipe(recordSession(() => {}))).toBe(expected, event);
    }),
  );

  it(
    'notes a signal of the client',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -z-s-x|', event);
      const tape = '       -N-S-X|';
      expectObservable(tapeOf(event$)).toBe(tape, recorded);
    }),
  );

  it(
    'tapes that a server could not be started',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -f---|', event);
      const tape = '       -F---(N|)';
      expectObservable(tapeOf(event$)).toBe(tape, recorded);
    }),
  );
});

describe('cutLines', () => {
  const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
  const chunk = {
    a: bytes('one'),
    b: bytes('\n'),
    c: bytes('two\r\nthr'),
    i: bytes('\xff\n'),
    j: bytes('\ntwo\nthree\nfo'),
    m: bytes('one\n\n\xc3\xbc\n'),
  };
  const line = {
    A: { lines: bytes('one\n'), count: 1 },
    M: { lines: bytes('one\n\n\xc3\xbc\n'), count: 3 },
    X: { line: 'oneo', end: '' },
    Y: { line: 'ne', end: '' },
    E: { lines: bytes('\n'), count: 1 },
    N: { lines: bytes('two\nthree\n'), count: 2 },
    B: { line: 'two', end: '\r\n' },
    C: { line: 'thr', end: '' },
    I: { line: '\ufffd', bytes: '/w==' },
  };

  it(
    'emits a line once it is whole, with what ended it',
    marbles(({ hot, expectObservable }) => {
      const chunk$ = hot(' -a-b-c-----|', chunk);
      const expected = '   ---A-B-----(C|)';
      expectObservable(chunk$.pipe(cutLines())).toBe(expected, line);
    }),
  );

  it(
    'leaves plain lines of a chunk together, a byte a character',
    marbles(({ hot, expectObservable }) => {
      const chunk$ = hot(' -m-m|', chunk);
      const expected = '   -M-M|';
      expectObservable(chunk$.pipe(cutLines())).toBe(expected, line);
    }),
  );

  it(
    'joins nothing but the line that an earlier chunk began',
    marbles(({ hot, expectObservable }) => {
      const chunk$ = hot(' -a-j-----b|', chunk);
      const expected = '   ---(AN)--F|';
      expectObservable(chunk$.pipe(cutLines())).toBe(expected, { ...line, F: { lines: bytes('fo\n'), count: 1 } });
    }),
  );

  it(
    'records a line that is too long in parts, before its end comes',
    marbles(({ hot, expectObservable }) => {
      const chunk$ = hot(' -a-a-----b|', chunk);
      const expected = '   ---(XY)--E|';
      expectObservable(chunk$.pipe(cutLines({ longest: 4 }))).toBe(expected, line);
    }),
  );

  it(
    'does not wait for more of a line that is as long as one may be',
    marbles(({ hot, expectObservable }) => {
      const line$ = hot('  -a---b|', chunk).pipe(cutLines({ longest: 3 }));
      expectObservable(line$).toBe('-P---E|', { ...line, P: { line: 'one', end: '' } });
    }),
  );

  it(
    'keeps the bytes of what is no text',
    marbles(({ hot, expectObservable }) => {
      const chunk$ = hot(' -i-|', chunk);
      const expected = '   -I-|';
      expectObservable(chunk$.pipe(cutLines())).toBe(expected, line);
    }),
  );

  it(
    'is never, empty and broken as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<Uint8Array>('---').pipe(cutLines())).toBe('---');
      expectObservable(cold<Uint8Array>('--|').pipe(cutLines())).toBe('--|');
      expectObservable(cold<Uint8Array>('--#').pipe(cutLines())).toBe('--#');
    }),
  );

  it('loses no byte, however the input is cut', () => {
    const whole = fc.array(fc.constantFrom(10, 13, 65, 195, 169, 255), { maxLength: 40 });
    fc.assert(
      fc.property(whole, cuts, fc.integer({ min: 1, max: 50 }), (values, places, longest) => {
        const all = Uint8Array.from(values);
        const lines = through<Uint8Array, CutLine | CutLines>(cutLines({ longest }), tokenize(all, places));
        expect([...Buffer.concat(lines.map(toBytes))]).toEqual(values);
      }),
    );
  });

  it('keeps messages with a length, and turns them into the same bytes', () => {
    const text = 'Content-Length: 3\r\n\r\n{}\nContent-Length: 2\r\n\r\n{}noise\nContent-Length: 2\r\n\r\n';
    fc.assert(
      fc.property(cuts, (places) => {
        const lines = through(cutLines(), tokenize(Buffer.from(text), places));
        expect(lines).toEqual([
          { head: 'Content-Length: 3\r\n\r\n', line: '{}' },
          { head: 'Content-Length: 2\r\n\r\n', line: '{}', end: '' },
          { line: 'noise' },
          { head: 'Content-Length: 2\r\n\r\n', line: '', end: '' },
        ]);
        expect(Buffer.concat(lines.map(toBytes)).toString()).toBe(text);
      }),
    );
  });
});
