import { timer } from 'rxjs';
import { progressBeat, type Update } from '../../../../src/server/mcp/progress/progressNotifications';
import { marbles } from '../../../support/marbles';
import { legacy } from '../../../support/mcpCalls';

const caller = { ...legacy, token: 'p' };
const printed = (text: string): Update => ({ kind: 'output', caller, chunk: new TextEncoder().encode(text) });

const updates: Record<string, Update> = {
  b: { kind: 'started', caller, doing: 'starting', lasts: true },
  r: { kind: 'step', caller, doing: 'running: x', lasts: true },
  e: { kind: 'step', caller, doing: 'exit code 0', lasts: false },
  o: printed('one\ntwo\n\n'),
  c: printed('\u001B[32m 10 %\r 20 %\u001B[0m\r'),
  n: printed('\n'),
  l: printed('x'.repeat(2_000)),
  z: { kind: 'over', caller },
};

const texts = {
  S: 'starting',
  R: 'running: x',
  T: 'running: x (over 5 s)',
  U: 'running: x (over 10 s)',
  O: 'running: x: two',
  C: 'running: x (over 5 s): 20 %',
  L: `running: x: ${'x'.repeat(100)}…`,
  E: 'exit code 0',
  F: 'exit code 0 (over 5 s ago)',
};

describe('progressBeat', () => {
  const beat = (update$: Parameters<typeof progressBeat>[1]) => progressBeat(timer, update$);

  it(
    'emits every 5 s what is being done, and for how long at least',
    marbles(({ hot, expectObservable }) => {
      const update$ = hot(' r 15s z', updates);
      const expected = '    5s R 4999ms T 4999ms U|';
      expectObservable(beat(update$)).toBe(expected, texts);
    }),
  );

  it(
    'begins to count anew at each step, and counts what is done from its end',
    marbles(({ hot, expectObservable }) => {
      const update$ = hot(' b 6s r 5s e 10s z', updates);
      const expected = '    5s S 4999ms R 4999ms E 4999ms F 1002ms |';
      expectObservable(beat(update$)).toBe(expected, texts);
    }),
  );

  it(
    'adds the last line that the command printed, without what steers a terminal',
    marbles(({ hot, expectObservable }) => {
      expectObservable(beat(hot('ro 5s c 6s z', updates))).toBe('5s O 4999ms C 1002ms |', texts);
      expectObservable(beat(hot('rn 5s z', updates))).toBe('5s R- |', texts);
      expectObservable(beat(hot('rl 5s z', updates))).toBe('5s L- |', texts);
    }),
  );

  it(
    'forgets what a command printed at the next step',
    marbles(({ hot, expectObservable }) => {
      expectObservable(beat(hot('roe 5s z', updates))).toBe('5s E-- |', texts);
    }),
  );

  it(
    'waits on silence, passes an error on, and stops when it is unsubscribed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(beat(hot('-', updates)), '^ 20s !').toBe('-');
      expectObservable(beat(hot('r-#', updates))).toBe('--#');
      const update$ = hot('r', updates);
      expectObservable(beat(update$), '^ 3s !').toBe('-');
      expectSubscriptions(update$.subscriptions).toBe(['^ 3s !', '^ 3s !']);
    }),
  );
});
