import { timer } from 'rxjs';
import type { CallOutput } from '../../../../src/server/calls/step';
import type { Caller } from '../../../../src/server/mcp/caller';
import { progressNotifications } from '../../../../src/server/mcp/progress/progressNotifications';
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

describe('progressNotifications', () => {
  it(
    'sends only a beat where the face is that of an old release',
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
    'counts anew for the request that resumes a call, and sends it what was buffered',
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
