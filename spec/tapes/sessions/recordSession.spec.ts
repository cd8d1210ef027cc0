import { Observable } from 'rxjs';
import type { RelayEvent } from '../../../src/io/processes/relayChild';
import type { RecordedLine, RecordedLines } from '../../../src/tapes/format/tape';
import { recordSession } from '../../../src/tapes/sessions/recordSession';
import { marbles } from '../../support/marbles';

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
  x: { kind: 'exited', code: 3, signal: null },
  f: { kind: 'failed', reason: 'no such program' },
};
const recorded: Record<string, RecordedLine | RecordedLines> = {
  A: { dir: 'in', lines: Buffer.from('one\n'), count: 1 },
  B: { dir: 'in', line: 'tw', end: '' },
  N: { dir: 'note', line: 'standard input closed' },
  O: { dir: 'out', lines: Buffer.from('ONE\n'), count: 1 },
  E: { dir: 'err', lines: Buffer.from('hm\n'), count: 1 },
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
    'tapes that a server could not be started',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -f---|', event);
      const tape = '       -F---(N|)';
      expectObservable(tapeOf(event$)).toBe(tape, recorded);
    }),
  );
});
