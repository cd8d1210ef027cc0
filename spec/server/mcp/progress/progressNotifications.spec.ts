import { timer } from 'rxjs';
import type { CallOutput } from '../../../../src/server/calls/step';
import type { Caller } from '../../../../src/server/mcp/caller';
import {
  progressBeat,
  progressNotifications,
  type Update,
} from '../../../../src/server/mcp/progress/progressNotifications';
import { marbles } from '../../../support/marbles';
import { turnEventOf } from '../../../support/mcp';
import { legacy, modern, op, outputsOf } from '../../../support/mcpCalls';

const first = outputsOf({ ...legacy, token: 'p' });

const other = outputsOf({ ...legacy, id: 2, token: 7 }, 'other');

const mute = outputsOf(legacy, 'mute');

const again = outputsOf({ ...modern, id: 3, token: 'p' });

const waiting: CallOutput<Caller> = { ...first.begun, op: { ...op, thread: { newest: true } } };

const message: CallOutput<Caller> = {
  ...first.started,
  event: {
    ...first.started.event,
    ...turnEventOf(op, { type: 'agent_message', message: 'hello' }),
  } as typeof first.started.event,
};

const outputs: Record<string, CallOutput<Caller>> = {
  b: first.begun,
  w: waiting,
  n: first.started,
  m: message,
  d: first.delta,
  z: first.finished,
  x: first.cancelled,
  s: first.suspended,
  q: first.question,
  B: other.begun,
  Z: other.finished,
  M: mute.begun,
  N: mute.started,
  r: again.resumed,
  p: again.replayed,
  e: again.missed,
  f: again.finished,
};

const progress = (number: number, text: string, progressToken: string | number = 'p') => ({
  kind: 'notification',
  method: 'notifications/progress',
  params: { progressToken, progress: number, message: text },
});

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

describe('progressNotifications', () => {
  it(
    'sends only a beat if the face is that of an old release',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot(' b-n 8s z|', outputs);
      const expected = '    5s N 3003ms |';
      expectObservable(output$.pipe(progressNotifications({ extended: false, after: timer }))).toBe(expected, {
        N: progress(1, 'thinking'),
      });
    }),
  );

  it(
    'sends each step a moment later, many together, and no delta',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot(' bnmd 60ms n z', outputs);
      const expected = '    - 20ms (NM)';
      expectObservable(output$.pipe(progressNotifications({ extended: true, after: timer })), '^ 90ms !').toBe(
        expected,
        {
          N: progress(1, 'thinking'),
          M: progress(2, 'hello'),
        },
      );
    }),
  );

  it(
    'sends every 5 s what is being done',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot(' w 6s n 5s z-', outputs);
      const expected = '    5s W 1000ms 20ms N 3978ms T 1022ms -';
      expectObservable(output$.pipe(progressNotifications({ extended: true, after: timer }))).toBe(expected, {
        W: progress(1, 'waiting for the thread'),
        N: progress(2, 'thinking'),
        T: progress(3, 'thinking'),
      });
    }),
  );

  it(
    'leaves out what comes just before the request waits no longer',
    marbles(({ hot, expectObservable }) => {
      for (const end of ['z', 'x', 's']) {
        const output$ = hot(`bn 10ms ${end} 10s |`, outputs);
        expectObservable(output$.pipe(progressNotifications({ extended: true, after: timer }))).toBe('-- 10ms - 10s |');
      }
    }),
  );

  it(
    'counts for each request',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot(' b-B 5s        zZ|', outputs);
      const expected = '    5s F-G--|';
      expectObservable(output$.pipe(progressNotifications({ extended: true, after: timer }))).toBe(expected, {
        F: progress(1, 'starting'),
        G: progress(1, 'starting', 7),
      });
    }),
  );

  it(
    'counts from the start for the request that resumes a call, and sends it what was buffered',
    marbles(({ hot, expectObservable }) => {
      const output$ = hot(' bs 10s er 1s p 30ms f|', outputs);
      const expected = '    2ms 10s -- 1s 20ms P 11ms |';
      expectObservable(output$.pipe(progressNotifications({ extended: true, after: timer }))).toBe(expected, {
        P: progress(1, 'thinking'),
      });
    }),
  );

  it(
    'is silent for a request without a token',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('MN 20s |', outputs).pipe(progressNotifications({ extended: true, after: timer }))).toBe(
        '-- 20s |',
      );
    }),
  );

  it(
    'errors with its source, and stops when it is unsubscribed',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('b--#', outputs).pipe(progressNotifications({ extended: true, after: timer }))).toBe('---#');
      const output$ = hot('b', outputs);
      expectObservable(output$.pipe(progressNotifications({ extended: true, after: timer })), '^ 3s !').toBe('-');
      expectSubscriptions(output$.subscriptions).toBe('^ 3s !');
    }),
  );
});

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
    'counts from the start at each step, and counts what is done from its end',
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
