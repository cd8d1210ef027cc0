import {
  concat,
  defer,
  firstValueFrom,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  Subject,
  switchMap,
  take,
  tap,
  throwError,
  toArray,
} from 'rxjs';
import type { NatsConsumed } from '../../../src/fleet/link/natsLink';
import { type AppendDeps, appendText, type LogState } from '../../../src/fleet/threads/appendText';
import { takenOver } from '../../../src/fleet/threads/lease';
import { drainLines, lineQueue, retakeLog, takeLog } from '../../../src/fleet/threads/natsRecord';
import { readLog } from '../../../src/fleet/threads/threadLog';
import { openPlace, type ThreadPlace, toThreadHeaders } from '../../../src/fleet/threads/threadPlace';
import { marbles } from '../../support/marbles';
import { onLink } from '../../support/nats/fleetThreads';
import { endNatsServers, type NatsServer, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { conflict, FACTS, placeWith, stored } from './doubles';

const { describe } = needs('nats-server');

let server: NatsServer;

beforeAll(async () => {
  server = await startNats();
});

afterAll(endNatsServers);

const HEAD = '{"type":"session_meta","payload":{"id":"a"}}\n';

const NEW: LogState = { seq: 0, facts: FACTS, head: '' };

/** Two processes at one thread, which the first has begun. */
const twoAt = (place: ThreadPlace, id: string) => {
  let ids = 0;
  const at = (pid: number): AppendDeps & { place: ThreadPlace } => ({
    place,
    id,
    self: { host: 'h', pid },
    newId: () => `${id}-${++ids}`,
  });
  return { one: at(1), other: at(2) };
};

const onPlace = <T>(id: string, run: (world: ReturnType<typeof twoAt> & { place: ThreadPlace }) => Promise<T>) =>
  onLink(server.address, (link) =>
    openPlace(link, 'fence').pipe(
      switchMap((place) => run({ ...twoAt(place, id), place })),
      take(1),
    ),
  );

/** Lines come with the source; appends take three frames. Emits what is appended, when its append begins. */
const drained = (line$: Observable<string>, end$: Observable<unknown>, took: Observable<never>) => {
  const appended$ = new Subject<string>();
  let waiting = '';
  const drain$ = line$.pipe(
    tap((line) => {
      waiting += line;
    }),
    drainLines({
      end$,
      take: () => {
        const text = waiting;
        waiting = '';
        return text;
      },
      append: (text) => {
        appended$.next(text);
        return took;
      },
    }),
  );
  return { drain$, appended$ };
};

describe('takeLog', () => {
  it('fences off who had the thread before: the server refuses its lines from then on, also before the other has written any', () =>
    onPlace('00000000-0000-4000-8000-000000000001', async ({ one, other, place }) => {
      const before = await lastValueFrom(appendText(one, NEW, HEAD));
      const { lines, isWhole, state } = await firstValueFrom(takeLog(other));
      expect([lines.head, isWhole]).toEqual([JSON.parse(HEAD), true]);
      await expect(lastValueFrom(appendText(one, before, '{"late":1}\n'))).rejects.toThrow(
        'was taken over by the process 2 of the host h',
      );
      await lastValueFrom(appendText(other, state, '{"b":1}\n'));
      expect((await firstValueFrom(readLog(place, one.id))).head).toBe(`${HEAD}{"b":1}\n`);
    }));

  it('goes on after a message of whoever is no daemon, without it', () =>
    onPlace('00000000-0000-4000-8000-000000000004', async ({ one, other, place }) => {
      await lastValueFrom(appendText(one, NEW, HEAD));
      await firstValueFrom(place.link.append({ subject: place.subjectOf(one.id), data: Buffer.from('{"x":1}\n') }));
      const { lines, state } = await firstValueFrom(takeLog(other));
      expect({ head: lines.head, size: state.facts.size }).toEqual({ head: JSON.parse(HEAD), size: HEAD.length });
      await lastValueFrom(appendText(other, state, '{"b":1}\n'));
      expect((await firstValueFrom(readLog(place, one.id))).head).toBe(`${HEAD}{"b":1}\n`);
    }));

  it('errors for a thread that is not there', () =>
    onPlace('00000000-0000-4000-8000-000000000002', async ({ one }) => {
      await expect(firstValueFrom(takeLog(one))).rejects.toThrow(`The thread ${one.id} was removed`);
    }));
});

describe('takeLog at a thread whose holder before still writes', () => {
  const headers = toThreadHeaders(FACTS, { host: 'h', pid: 2 });
  const log = (seq: number): NatsConsumed[] => [
    { kind: 'begin', lastSeq: seq, pending: 1 },
    { ...stored(HEAD, seq, headers), pending: 0 },
  ];
  /** Each attempt reads up to one message more, and `conflicts` of them find another after it. */
  const takenAfter = (conflicts: number) => {
    let seq = 1;
    const place = {
      ...placeWith({
        lastOf: () => defer(() => of(stored(HEAD, seq, headers))),
        consume: () => defer(() => concat(log(seq), NEVER)),
        append: () =>
          defer(() => {
            seq += 1;
            return seq <= conflicts + 1 ? throwError(() => conflict) : of({ seq, isDuplicate: false });
          }),
      }),
    } as unknown as ThreadPlace;
    return takeLog({ place, id: 'a', self: { host: 'h', pid: 1 }, newId: () => `i${seq}` }).pipe(
      map(({ state }) => state.seq),
    );
  };

  it(
    'tries again a fifth of a second later, five times',
    marbles(({ expectObservable }) => {
      expectObservable(takenAfter(0)).toBe('(s|)', { s: 2 });
      expectObservable(takenAfter(1)).toBe('200ms (s|)', { s: 3 });
      expectObservable(takenAfter(5)).toBe('1000ms (s|)', { s: 7 });
      expectObservable(takenAfter(6).pipe(map(() => ''))).toBe('1000ms #', {}, takenOver('a', { host: 'h', pid: 2 }));
    }),
  );
});

describe('retakeLog', () => {
  it('emits the log as it is if nobody has written since, and nothing if somebody has', () =>
    onPlace('00000000-0000-4000-8000-000000000003', async ({ one, other }) => {
      const before = await lastValueFrom(appendText(one, NEW, HEAD));
      const again = await lastValueFrom(retakeLog(one, before));
      expect(again.seq).toBeGreaterThan(before.seq);
      await firstValueFrom(takeLog(other));
      expect(await firstValueFrom(retakeLog(one, again).pipe(toArray()))).toEqual([]);
    }));
});

describe('lineQueue', () => {
  it('asks for one append after the current work, whatever is pushed in it', () => {
    const work: (() => void)[] = [];
    const { push, take, flush$ } = lineQueue({ soon: (run) => void work.push(run) });
    const asked: string[] = [];
    flush$.subscribe(() => asked.push(take()));
    push(['a', 'b']);
    push(['c']);
    expect([work.length, asked]).toEqual([1, []]);
    for (const run of work.splice(0)) run();
    push(['d']);
    expect([work.length, asked, take(), take()]).toEqual([1, ['abc'], 'd', '']);
  });

  it(
    'completes when all lines are appended that were pushed before',
    marbles(({ hot, expectObservable }) => {
      const { push, take, saved, allSaved } = lineQueue({ soon: () => {} });
      expectObservable(allSaved()).toBe('|');
      push(['a']);
      const first$ = allSaved();
      take();
      push(['b', 'c']);
      const second$ = allSaved();
      const saved$ = hot('--s---s').pipe(
        tap(() => {
          saved();
          take();
        }),
      );
      expectObservable(merge(saved$.pipe(map(() => 's')))).toBe('--s---s');
      expectObservable(first$).toBe('--|');
      expectObservable(second$).toBe('------|');
    }),
  );
});

describe('drainLines', () => {
  it(
    'appends what comes during an append together',
    marbles(({ hot, cold, expectObservable }) => {
      const { drain$, appended$ } = drained(hot('-a-bc----d--'), hot('-----------x'), cold('---|'));
      expectObservable(appended$.pipe(map((text) => ({ text })))).toBe('-a--b----d--', {
        a: { text: 'a' },
        b: { text: 'bc' },
        d: { text: 'd' },
      });
      expectObservable(drain$).toBe('                                       ------------|');
    }),
  );

  it(
    'appends what waits at the end',
    marbles(({ hot, cold, expectObservable }) => {
      const { drain$, appended$ } = drained(hot('-a-b'), hot('---x'), cold('---|'));
      expectObservable(appended$).toBe('         -a--b');
      expectObservable(drain$).toBe('            -------|');
    }),
  );

  it(
    'completes at the end if nothing waits',
    marbles(({ hot, expectObservable }) => {
      expectObservable(drained(NEVER, hot('--x'), NEVER).drain$).toBe('--|');
    }),
  );

  it(
    'errors with an append, and stops with its subscriber',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      expectObservable(drained(hot('-a'), NEVER, cold('--#').pipe(ignoreElements())).drain$).toBe('---#');
      const long$ = cold<never>('--------|');
      expectObservable(drained(hot('-a'), NEVER, long$).drain$, '^---!').toBe('-');
      expectSubscriptions(long$.subscriptions).toBe('           -^--!');
    }),
  );
});
