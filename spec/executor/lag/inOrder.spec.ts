import fc from 'fast-check';
import { from, lastValueFrom, toArray } from 'rxjs';
import type { PlacedEvent, StoredEvent } from '../../../src/executor/backend';
import { inOrder, markGaps } from '../../../src/executor/lag/inOrder';
import { LAGGED, type Lagged } from '../../../src/executor/lag/recoverLag';
import { placeEvents } from '../../../src/fleet/executor/eventMessage';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { marbles } from '../../support/marbles';
import { through } from '../../support/streams';
import { closed, exited, gap, output } from '../events';

const event: Record<string, ProcessEvent | Lagged> = {
  L: LAGGED,
  ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((seq) => [seq, output(seq)])),
};

describe('inOrder', () => {
  it(
    'passes what is in order at once',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -1-(23)--4|', event);
      const expected = '   -1-(23)--4|';
      expectObservable(event$.pipe(inOrder())).toBe(expected, event);
    }),
  );

  it(
    'lets what is early wait, and drops what came before',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -2-4-1---2-3---5-3-|', event);
      const expected = '   -----(12)--(34)5---|';
      expectObservable(event$.pipe(inOrder())).toBe(expected, event);
    }),
  );

  it(
    'lets all go after a lag, holes and all, and counts on from the next that is new',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot(' -1-4-3-L-----2-6-5-8-7---|', event);
      const expected = '   -1-----(L34)---6-----(78)|';
      expectObservable(event$.pipe(inOrder())).toBe(expected, event);
    }),
  );

  it(
    'takes what is missing for lost at the end, and when too many wait for it',
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-1-4-3-|     ', event).pipe(inOrder())).toBe('-1-----(L34|)', event);
      expectObservable(hot('-2-3-4------5|', event).pipe(inOrder({ maxBuffered: 2 }))).toBe('-----(L234)-5|', event);
    }),
  );

  it(
    'is never, empty and failed as its source is',
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold<ProcessEvent>('---').pipe(inOrder())).toBe('---');
      expectObservable(cold<ProcessEvent>('--|').pipe(inOrder())).toBe('--|');
      expectObservable(cold('-2#', event).pipe(inOrder())).toBe('--#');
    }),
  );

  it('gives the same events however they are shuffled and doubled', () => {
    const order = fc.shuffledSubarray([...Array(30).keys()], { minLength: 30 });
    fc.assert(
      fc.property(order, fc.array(fc.nat(29)), (list, again) => {
        const events = [...list, ...again].map((i) => output(i + 1));
        expect(through(inOrder(), events)).toEqual([...Array(30).keys()].map((i) => output(i + 1)));
      }),
    );
  });
});

const own = (event: unknown, bytesBefore: number, exit?: PlacedEvent['exit']): PlacedEvent => ({
  event: event as StoredEvent,
  bytesBefore,
  ...(exit && { exit }),
});
const EXIT = { seq: 4, exitCode: 7 };

const placed = {
  1: own(output(1, 'four'), 0),
  2: own(output(2, 'ten bytes.'), 4),
  3: own(output(3, 'x'), 14),
  4: own(exited(4, 7), 15),
  5: own(output(5, 'late'), 15, EXIT),
  6: own(closed(6), 19, EXIT),
};
const events = Object.fromEntries(Object.entries(placed).map(([name, { event }]) => [name, event]));

/** Reads from one index to another, none of which has what an earlier one did not find: what was evicted does not come back. */
const asRetained = (reads: readonly [number, number][]): [number, number][] => {
  let [covered, retained] = [0, 0];
  return reads.map(([begin, end]) => {
    const from = Math.max(begin, retained);
    if (end > from && from > covered) retained = from;
    if (end > from) covered = Math.max(covered, end);
    return [from, end];
  });
};

describe('markGaps', () => {
  it(
    'passes each event once, wherever the consumer begins again',
    marbles(({ hot, expectObservable }) => {
      const placed$ = hot('-1-2-1-2-(123)-4-6-4-6|', placed);
      const expected = '   -1-2-----3-----4-(gE)-|';
      expectObservable(placed$.pipe(markGaps())).toBe(expected, { ...events, g: gap(5, 1, 4), E: closed(6) });
    }),
  );

  it(
    'marks what is missing, with its bytes, and puts an exit that is missing in its place',
    marbles(({ hot, expectObservable }) => {
      const g = (seq: number, missing: number, bytes?: number) => ({ ...events, g: gap(seq, missing, bytes) });
      expectObservable(hot('-1-3----|', placed).pipe(markGaps())).toBe('-1-(g3)-|', g(2, 1, 10));
      expectObservable(hot('-3------|', placed).pipe(markGaps())).toBe('-(g3)---|', g(2, 2, 14));
      expectObservable(hot('-1-5----|', placed).pipe(markGaps())).toBe('-1-(g45)|', g(3, 2, 11));
      expectObservable(hot('-1-6-----|', placed).pipe(markGaps())).toBe('-1-(g4h6)|', {
        ...events,
        g: gap(3, 2),
        h: gap(5, 1),
      });
      expectObservable(hot('-(123)-6----|', placed).pipe(markGaps())).toBe('-(123)-(4h6)|', {
        ...events,
        h: gap(5, 1, 4),
      });
    }),
  );

  it(
    'errors if more events are missing than their bytes can have, and if one comes that was missing',
    marbles(({ hot, expectObservable }) => {
      const made = { ...placed, h: own(output(9_000, 'forged'), 20), b: own(output(9, 'forged'), 90) };
      const error = (what: string) =>
        new Error(
          `the stored events of the process contradict each other (${what}): let only its executor publish to their subject`,
        );
      const many = error('8997 events before event 9000 are missing, with 6 bytes');
      expectObservable(hot('-(12)-h-3', made).pipe(markGaps())).toBe('-(12)-#', events, many);
      const late = error('event 3 came after a later one');
      const forged = { ...events, g: gap(8, 6, 76), b: output(9, 'forged') };
      expectObservable(hot('-(12)-b---3', made).pipe(markGaps())).toBe('-(12)-(gb)#', forged, late);
    }),
  );

  it(
    'is never, empty and failed as its source is, and stops with its reader',
    marbles(({ hot, expectObservable, expectSubscriptions }) => {
      expectObservable(hot('---', placed).pipe(markGaps())).toBe('---');
      expectObservable(hot('--|', placed).pipe(markGaps())).toBe('--|');
      expectObservable(hot('-1#', placed).pipe(markGaps())).toBe('-1#', events);
      const source = hot('-1-2-', placed);
      expectObservable(source.pipe(markGaps()), '--!').toBe('-1-', events);
      expectSubscriptions(source.subscriptions).toBe('^-!');
    }),
  );

  it('accounts for every event and every byte, whatever was evicted and whatever came again', async () => {
    const life: StoredEvent[] = [
      ...[1, 2, 3, 4].map((seq) => output(seq, 'x'.repeat(seq)) as StoredEvent),
      exited(5, 3) as StoredEvent,
      output(6, 'late') as StoredEvent,
      closed(7) as StoredEvent,
    ];
    const all = await lastValueFrom(from(life).pipe(placeEvents(), toArray()));
    const anyRead = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(anyRead, async (reads) => {
        const read = asRetained(reads).flatMap(([begin, end]) => all.slice(begin, Math.max(begin, end)));
        const seen = await lastValueFrom(from([...read, ...all.slice(6)]).pipe(markGaps(), toArray()));
        const covered = seen.flatMap((event) =>
          event.kind === 'gap'
            ? Array.from({ length: event.missing }, (_, i) => event.seq - event.missing + 1 + i)
            : [event.seq],
        );
        expect(covered).toEqual([1, 2, 3, 4, 5, 6, 7]);
        expect(seen.filter(({ kind }) => kind === 'exited')).toEqual([exited(5, 3)]);
      }),
    );
  });
});
