import {
  asyncScheduler,
  concat,
  defer,
  EMPTY,
  ignoreElements,
  NEVER,
  type Observable,
  of,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { CannotBegin, noThreadText } from '../../../src/agent/turns/rejection';
import type { ThreadsDeps } from '../../../src/agent/turns/runOpened';
import { runThreads } from '../../../src/agent/turns/runThreads';
import { type TurnStop, untilStopped } from '../../../src/agent/turns/turnEvents';
import type { Event } from '../../../src/protocol/codex/events';
import type { Op } from '../../../src/protocol/codex/operations';
import { silentLog } from '../../../src/protocol/log';
import { ConfigError } from '../../../src/settings/faults/configError';
import { marbles } from '../../support/marbles';
import { aborted, call, cancel, close, done, finished, open, rejected } from './support';

type Thread = { id: string; turns: number };
type Deps = ThreadsDeps<Thread>;

/** a starts thread T, b and c reply to it, n and m to the newest, u to one that is nowhere; x, y, z cancel a, b, u. */
const op: Record<string, Op> = {
  a: call('a'),
  b: call('b', { id: 'T' }),
  c: call('c', { id: 'T' }),
  n: call('n', { newest: true }),
  m: call('m', { newest: true }),
  u: call('u', { id: 'U' }),
  x: cancel('a'),
  y: cancel('b'),
  z: cancel('u'),
  o: open('o'),
  p: open('p', { id: 'T' }),
  k: close('k'),
  j: close('j', { id: 'U' }),
  i: { kind: 'interruptThread', callId: 'i', thread: { newest: true } },
};
/** Each turn ends with the number it has in its thread. */
const events: Record<string, Event> = {
  a: done('a', 'T', '1'),
  b: done('b', 'T', '2'),
  c: done('c', 'T', '3'),
  n: done('n', 'T', '2'),
  m: done('m', 'T', '3'),
  O: finished('o', 'T'),
  P: finished('p', 'T'),
  K: finished('k', 'T'),
  J: rejected('j', noThreadText({ id: 'U' })),
  e: done('b', 'T', '1'),
  q: finished('i', 'T'),
  B: rejected('b', noThreadText({ id: 'T' })),
  x: aborted('a', 'T'),
  y: aborted('b', 'T'),
  X: aborted('a'),
  Z: aborted('u', 'U'),
  E: { ...aborted('a'), msg: { type: 'error', message: 'The turn took longer than 1 s and was stopped.' } },
  N: rejected('n', noThreadText({ newest: true })),
  U: rejected('u', noThreadText({ id: 'U' })),
  R: rejected('a', 'no codex'),
  C: rejected('a', 'Failed to load Codex configuration: bad model'),
  I: rejected('a', 'internal error: boom'),
};

const TOKENS = {
  input_tokens: 6,
  cached_input_tokens: null,
  output_tokens: 0,
  reasoning_output_tokens: null,
  total_tokens: 6,
};

/** Opens thread T after `opening$`, no other thread; a turn takes three frames. */
const opens =
  (opening$: Observable<never> = EMPTY): Deps['open'] =>
  ({ op: { callId }, entry }, keep) => {
    const thread = entry.thread ?? { id: 'T', turns: 0 };
    if (entry.id !== undefined && entry.id !== 'T') return opening$;
    if (callId === 'o' || callId === 'p') return of({ thread, run: () => EMPTY });
    const turns = thread.turns + 1;
    const turn$ = defer(() => {
      keep({ ...thread, turns });
      return concat(timer(3).pipe(ignoreElements()), of(done(callId, 'T', String(turns))));
    });
    const run = ({ stop$ }: { stop$: Observable<TurnStop> }) =>
      turn$.pipe(untilStopped(stop$, () => [aborted(callId, 'T')]));
    return concat(opening$, of({ thread, run }));
  };
const engine = (own: Partial<Deps> = {}) =>
  runThreads<Thread>({ open: opens(), turnTimeoutMs: 1_000, log: silentLog, ...own });
const slow = { open: opens(timer(5).pipe(ignoreElements())) };

describe('runThreads', () => {
  it.each<[string, Partial<Deps>, string, string]>([
    ['opens the thread of a call and runs its turn', {}, 'a-|', '---(a|)'],
    ['keeps what a turn leaves to the next', {}, 'a----b----c|', '---a----b----(c|)'],
    ['queues the turns of one thread', {}, 'anm|', '---a--n--(m|)'],
    ['rejects a reply where there is no thread', {}, 'n|', 'N|'],
    ['rejects a reply to a thread that is nowhere', {}, 'u|', 'U|'],
    ['stops a turn that is cancelled', {}, 'a-x|', '--x|'],
    ['withdraws a turn that is cancelled while it waits', {}, 'a----cby|', '---a---y(c|)'],
    ['opens a thread without a turn', {}, 'o-b|', 'O----(e|)'],
    ['opens a thread that is known', {}, 'a---p|', '---aP|'],
    ['interrupts the newest thread', {}, 'a-i----|', '--(xq)-|'],
    ['is empty as its source is', {}, '-|', '-|'],
    ['never ends as its source never does', {}, '---', '---'],
    ['takes its time to open a thread', slow, 'a|', '--------(a|)'],
    ['takes its time to find that there is none', slow, 'u|', '-----(U|)'],
    ['stops opening when the call is cancelled', slow, 'a-x|', '--X|'],
    ['stops looking for a thread when the call is cancelled', slow, 'u-z|', '--Z|'],
    ['knows stored threads', { stored: [{ id: 'T', turns: 1 }] }, 'b----n', '---b----n'],
  ])('%s', (_, own, ops, expected) =>
    marbles(({ hot, expectObservable }) => {
      const values = own.stored ? { ...events, n: done('n', 'T', '3') } : events;
      const withdrawn = expected.includes('y') ? { ...values, c: done('c', 'T', '2') } : values;
      expectObservable(hot(ops, op).pipe(engine(own))).toBe(expected, withdrawn);
    })(),
  );

  it('runs no turn of a thread that has used its tokens, as they were last reported', () => {
    const counted = (callId: string): Event => ({
      ...done(callId, 'T'),
      msg: { type: 'token_count', ...TOKENS, total: TOKENS },
    });
    const seen: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const open: Deps['open'] = ({ op: { callId } }) =>
        of({
          thread: { id: 'T', turns: 0 },
          bounds: { maxTokensPerThread: 5 },
          run: () => of(counted(callId), done(callId, 'T', '1')),
        });
      const event$ = hot('a-b|', op).pipe(engine({ open }));
      expectObservable(
        event$.pipe(
          tap((event) => seen.push('msg' in event && event.msg)),
          ignoreElements(),
        ),
      ).toBe('---|');
    })();
    expect(seen.slice(2)).toEqual([
      { type: 'error', message: expect.stringMatching(/^The turn was stopped: the thread has used 6 tokens; /) },
      { type: 'task_complete', last_agent_message: null },
    ]);
  });

  it(
    'closes a thread: stops its turn, releases it, and no longer knows it',
    marbles(({ hot, expectObservable, flush }) => {
      const closed: unknown[] = [];
      const own: Partial<Deps> = {
        close: (thread) => {
          closed.push(thread);
          return EMPTY;
        },
        open: (turn, keep) => (turn.op.callId === 'b' ? EMPTY : opens()(turn, keep)),
      };
      expectObservable(hot('a-k-------bj|', op).pipe(engine(own))).toBe('--(xK)----BJ|', events);
      flush();
      expect(closed).toEqual([{ id: 'T', turns: 1 }]);
    }),
  );

  it('releases an unused thread, and opens it again when it is needed', () => {
    const seen: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const open: Deps['open'] = ({ op: { callId }, entry }) => {
        seen.push(entry.thread?.id ?? 'none');
        return of({ thread: { id: 'T', turns: 0 }, run: () => of(done(callId, 'T')) });
      };
      const release = ({ id }: Thread) => {
        seen.push(`released ${id}`);
        return { kind: 'released' } as const;
      };
      const own = { open, unused: { afterMs: 4, most: 9, clockMs: () => asyncScheduler.now(), release } };
      expectObservable(hot('a-b-------n--|', op).pipe(engine(own))).toBe('a-b-------n--|', {
        a: done('a', 'T'),
        b: done('b', 'T'),
        n: done('n', 'T'),
      });
    })();
    expect(seen).toEqual(['none', 'T', 'released T', 'none']);
  });

  it('keeps an unused thread that was unloaded as it was left, and one that must stay as it is', () => {
    const seen: unknown[] = [];
    marbles(({ hot, expectObservable }) => {
      const open: Deps['open'] = ({ op: { callId }, entry }) => {
        const thread = entry.thread ?? { id: callId === 'a' ? 'T' : 'U', turns: 0 };
        seen.push([thread.id, entry.thread?.turns]);
        return of({ thread, run: () => of(done(callId, thread.id)) });
      };
      const release = (thread: Thread) =>
        thread.id === 'T'
          ? ({ kind: 'unloaded', thread: { ...thread, turns: 9 } } as const)
          : ({ kind: 'kept' } as const);
      const own = { open, unused: { afterMs: 4, most: 9, clockMs: () => asyncScheduler.now(), release } };
      expectObservable(hot('a--------b--|', op).pipe(engine(own))).toBe('a--------b--|', {
        a: done('a', 'T'),
        b: done('b', 'T'),
      });
    })();
    expect(seen).toEqual([
      ['T', undefined],
      ['T', 9],
    ]);
  });

  it.each<[string, Error, string, unknown[]]>([
    ['explains itself', new CannotBegin('no codex'), '(R|)', []],
    ['is about wrong settings', new ConfigError('bad model'), '(C|)', []],
    [
      'is a bug, which is logged',
      Object.assign(new Error('boom'), { stack: 'at x' }),
      '(I|)',
      [['error', 'a call could not begin because of a bug', { callId: 'a', stack: 'at x' }]],
    ],
  ])('rejects a call whose error %s', (_, error, expected, records) => {
    const logged: unknown[][] = [];
    const log: Deps['log'] = (...record) => void logged.push(record);
    const throws: Deps['open'] = () => {
      throw error;
    };
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('(a|)', op).pipe(engine({ open: () => throwError(() => error), log }))).toBe(
        expected,
        events,
      );
      expectObservable(hot('(a|)', op).pipe(engine({ open: throws, log }))).toBe(expected, events);
    })();
    expect(logged).toEqual([...records, ...records]);
  });

  it('fails a turn that errors, which is a bug and is logged', () => {
    const logged: unknown[][] = [];
    const bug = Object.assign(new Error('boom'), { stack: 'at x' });
    const open: Deps['open'] = () => of({ thread: { id: 'T', turns: 0 }, run: () => throwError(() => bug) });
    marbles(({ hot, expectObservable }) => {
      const error: Event = { ...aborted('a', 'T'), msg: { type: 'error', message: 'internal error: boom' } };
      const log: Deps['log'] = (...record) => void logged.push(record);
      expectObservable(hot('a---|', op).pipe(engine({ open, log }))).toBe('(ED)|', { E: error, D: done('a', 'T') });
    })();
    expect(logged).toEqual([['error', 'a turn failed because of a bug', { callId: 'a', stack: 'at x' }]]);
  });

  it(
    'forgets a thread that could not be opened',
    marbles(({ hot, expectObservable }) => {
      const failing: Deps['open'] = () => throwError(() => new CannotBegin('no codex'));
      expectObservable(hot('a-n|', op).pipe(engine({ open: failing }))).toBe('R-N|', events);
    }),
  );

  it(
    'ends a turn whose thread does not open in time',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('a|', op).pipe(engine({ open: () => NEVER }))).toBe('1s (EX|)', events);
    }),
  );

  it(
    'stops opening and running when it is unsubscribed',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const opening$ = cold<never>('-----');
      expectObservable(hot('a|', op).pipe(engine({ open: opens(opening$) })), '^--!').toBe('---');
      expectSubscriptions(opening$.subscriptions).toBe('^--!');
    }),
  );
});
