import fc from 'fast-check';
import { EMPTY, NEVER, of, Subject, throwError } from 'rxjs';
import { inOrder } from '../../../src/executor/lag/inOrder';
import { LAGGED, type Lagged, recoverLag, toEvents } from '../../../src/executor/lag/recoverLag';
import type { OutputPage, ProcessEvent, ReadRequest } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';
import { through } from '../../support/streams';
import { bytesBefore, closed, exited, failed, gap, output, pageOf } from '../events';

const log = silentLog;
const life = [output(1), output(2), output(3), output(4), output(5), exited(6), closed(7)];
const [o1, o2, o3, o4, o5, x, z] = life as [ProcessEvent, ...ProcessEvent[]];
const event = { L: LAGGED, 1: o1, 2: o2, 3: o3, 4: o4, 5: o5, x, z } as Record<string, ProcessEvent | Lagged>;
/** The page of a process that has come so far. */
const soFar = (count: number, afterSeq: number, firstKept?: number) =>
  pageOf(life.slice(0, count), afterSeq, firstKept);

describe('recoverLag', () => {
  it(
    'passes events as they come, and goes on after the exit',
    marbles(({ hot, expectObservable }) => {
      const event$ = hot('-1-2-3-4-5-x---z-|', event);
      const expected = '  -1-2-3-4-5-x---(z|)';
      expectObservable(event$.pipe(recoverLag({ read: () => EMPTY, log }))).toBe(expected, event);
    }),
  );

  it('takes many thousand events that waited for a read', () => {
    const page$ = new Subject<OutputPage>();
    const event$ = new Subject<ProcessEvent | Lagged>();
    const seqs: number[] = [];
    event$.pipe(recoverLag({ read: () => page$, log })).subscribe(({ seq }) => seqs.push(seq));
    const all = Array.from({ length: 20_000 }, (_, i) => output(i + 1));
    event$.next(LAGGED);
    for (const event of all) event$.next(event);
    page$.next(pageOf(all.slice(0, 9), 0));
    expect(seqs).toEqual(all.map(({ seq }) => seq));
  });

  it(
    'reads once after a lag, from the last seq, without waiting; what comes meanwhile is neither lost nor doubled',
    marbles(({ hot, cold, flush, expectObservable, expectSubscriptions }) => {
      const page$ = cold('    ---(p|)         ', { p: soFar(4, 1) });
      const event$ = hot(' -1-L-4-------5-x-z|', event);
      const sub = '        ---^--!            ';
      const expected = '   -1----(234)--5-x-(z|)';
      const read = jest.fn((_: ReadRequest) => page$);
      expectObservable(event$.pipe(recoverLag({ read, log }))).toBe(expected, event);
      expectSubscriptions(page$.subscriptions).toBe(sub);
      flush();
      expect(read.mock.calls).toEqual([[{ afterSeq: 1, waitMs: 0 }]]);
    }),
  );

  it(
    'reads if a number is missing, and emits after it what came during the read',
    marbles(({ hot, cold, expectObservable }) => {
      const page$ = cold('    ---(p|)       ', { p: soFar(3, 1) });
      const event$ = hot(' -1-345---------x-z|', event);
      const expected = '   -1----(2345)---x-(z|)';
      expectObservable(event$.pipe(recoverLag({ read: () => page$, log }))).toBe(expected, event);
    }),
  );

  it(
    'finds exit and close in the page',
    marbles(({ hot, cold, expectObservable }) => {
      const page$ = cold('    -(p|)       ', { p: soFar(7, 2) });
      const event$ = hot(' 12-L---z---|', event);
      const expected = '   12--(345xz|)';
      expectObservable(event$.pipe(recoverLag({ read: () => page$, log }))).toBe(expected, event);
    }),
  );

  it(
    'emits what is no longer retained as a gap with its size, in events and in bytes',
    marbles(({ hot, cold, expectObservable }) => {
      const page$ = cold('    -(p|)          ', { p: soFar(5, 1, 4) });
      const event$ = hot(' -1--L------x-z|', event);
      const expected = '   -1---(G45)-x-(z|)';
      expectObservable(event$.pipe(recoverLag({ read: () => page$, log }))).toBe(expected, {
        ...event,
        G: gap(3, 2, 2),
      });
    }),
  );

  it(
    'takes for lost what neither comes nor is in the page',
    marbles(({ hot, cold, expectObservable }) => {
      const page$ = cold('    (p|)        ', { p: { ...soFar(1, 1), nextSeq: 2 } });
      const event$ = hot(' -1--4---5-x-z|', event);
      const expected = '   -1--(G4)5-x-(z|)'; // of how many bytes, nobody knows
      expectObservable(event$.pipe(recoverLag({ read: () => page$, log }))).toBe(expected, { ...event, G: gap(3, 2) });
    }),
  );

  it(
    'ends when the process failed, with the reason: by itself, by its page',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const F = failed(2, 'lost');
      const page$ = cold('    -(p|)', { p: { ...soFar(1, 1), failure: 'lost' } });
      const own$ = hot('   -1---F-2', { ...event, F });
      const event$ = hot(' -1--L--2', event);
      const expected = '   -1---(F|)';
      const sub = '        ^----!';
      expectObservable(own$.pipe(recoverLag({ read: () => NEVER, log }))).toBe(expected, { ...event, F });
      expectObservable(event$.pipe(recoverLag({ read: () => page$, log }))).toBe(expected, { ...event, F });
      expectSubscriptions(event$.subscriptions).toBe(sub);
    }),
  );

  it.each([
    ['fails', () => throwError(() => new Error('gone')), 'gone'],
    [
      'throws',
      () => {
        throw new Error('gone');
      },
      'gone',
    ],
    ['says nothing', () => EMPTY, 'the executor sent no result'],
  ])('ends when a read %s', (_, read, why) =>
    marbles(({ hot, expectObservable }) => {
      const F = failed(2, `missed output could not be read: ${why}`);
      const event$ = hot(' -1--L--2', event);
      const expected = '   -1--(F|)';
      expectObservable(event$.pipe(recoverLag({ read, log }))).toBe(expected, { ...event, F });
    })(),
  );

  it(
    'is never, empty and failed as its source is, and leaves a read when nobody listens',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const operator = recoverLag({ read: () => page$, log });
      const page$ = cold('   ------(p|)', { p: soFar(4, 1) });
      expectObservable(cold<ProcessEvent>('---').pipe(operator)).toBe('---');
      expectObservable(cold<ProcessEvent>('--|').pipe(operator)).toBe('--|');
      expectObservable(cold('-1#', event).pipe(operator)).toBe('-1#', event);
      expectObservable(hot('-1-L---', event).pipe(operator), '-----!').toBe('-1---', event);
      expectSubscriptions(page$.subscriptions).toBe('---^-!');
    }),
  );

  it('gives a whole life once and in order, whatever is lost, doubled and shuffled, as long as it is retained', () => {
    const size = 40;
    const all = [...Array(size)].map((_, i) => output(i + 1)).concat([exited(size + 1), closed(size + 2)]);
    const lot = fc.record({ keep: fc.boolean(), again: fc.boolean(), place: fc.nat({ max: 1000 }), lag: fc.boolean() });
    const read = ({ afterSeq }: ReadRequest) => of(pageOf(all, afterSeq));
    fc.assert(
      fc.property(fc.array(lot, { minLength: all.length, maxLength: all.length }), fc.boolean(), (lots, ordered) => {
        const arriving = lots
          .flatMap(({ keep, again, place, lag }, i) => [
            ...(keep ? [{ place: i * 20 + place, item: all[i] as ProcessEvent | Lagged }] : []),
            ...(again ? [{ place: i * 20 + place + 7, item: all[i] as ProcessEvent | Lagged }] : []),
            ...(lag ? [{ place: i * 20 + place + 3, item: LAGGED }] : []),
          ])
          .sort((a, b) => a.place - b.place)
          .map(({ item }) => item);
        const events = [...arriving, LAGGED];
        const recovered = recoverLag({ read, log });
        const emitted = ordered
          ? through<ProcessEvent | Lagged, ProcessEvent>(
              (event$) => event$.pipe(inOrder<ProcessEvent>(), recovered),
              events,
            )
          : through<ProcessEvent | Lagged, ProcessEvent>(recovered, events);
        expect(emitted).toEqual(all);
      }),
    );
  });

  it('emits every number, and every byte, once even if only the newest is retained', () => {
    const all = [...Array(30)].map((_, i) => output(i + 1, 'x'.repeat(i % 7)));
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }), fc.nat(5), (kept, retained) => {
        const read = jest.fn(({ afterSeq }: ReadRequest) => of(pageOf(all, afterSeq, all.length - retained + 1)));
        const arriving = [...all.filter((_, i) => kept[i]), LAGGED];
        const emitted = through<ProcessEvent | Lagged, ProcessEvent>(recoverLag({ read, log }), arriving);
        const covered = emitted.flatMap((event) =>
          event.kind === 'gap'
            ? [...Array(event.missing)].map((_, i) => event.seq - event.missing + 1 + i)
            : [event.seq],
        );
        expect(covered).toEqual(all.map(({ seq }) => seq));
        const bytes = emitted.map((event) => (event.kind === 'gap' ? event.missingBytes : bytesBefore([event], 99)));
        expect(bytes.reduce((sum: number, size) => sum + (size ?? Number.NaN), 0)).toBe(bytesBefore(all, 99));
      }),
    );
  });
});

const unread = { seq: 0, exited: false, bytes: 0 };
/** Each output is one byte. */
const at = (seq: number, exited: boolean) => ({ seq, exited, bytes: seq });
const whole = [output(1), output(2), exited(3, 7), output(4), closed(5)];

describe('toEvents', () => {
  it('finds the numbers of exit and close', () => {
    expect(toEvents(unread, pageOf(whole, 0))).toEqual(whole);
    expect(toEvents(at(2, false), pageOf(whole, 2))).toEqual(whole.slice(2));
    expect(toEvents(at(3, true), pageOf(whole, 3))).toEqual(whole.slice(3));
    expect(toEvents(at(4, true), pageOf(whole, 4))).toEqual(whole.slice(4));
    expect(toEvents(unread, pageOf([output(1), exited(2), closed(3)], 0))).toEqual([output(1), exited(2), closed(3)]);
    expect(toEvents(unread, pageOf([exited(1)], 0))).toEqual([exited(1)]);
    expect(toEvents(unread, pageOf([], 0))).toEqual([]);
  });

  it('emits what nobody retains, with its size', () => {
    const events = [...[1, 2, 3, 4, 5].map((seq) => output(seq)), exited(6), closed(7)];
    expect(toEvents(at(1, false), pageOf(events, 1, 5))).toEqual([gap(4, 3, 3), ...events.slice(4)]);
    expect(toEvents(at(1, false), pageOf(events, 1, 99))).toEqual([gap(5, 4, 4), exited(6), closed(7)]);
    const early = [output(1), exited(2), output(3), output(4)];
    expect(toEvents(unread, pageOf(early, 0, 4))).toEqual([gap(2, 2, 2), exited(3), output(4)]);
    const afterExit = toEvents({ seq: 2, exited: true, bytes: 1 }, pageOf(early, 2, 4));
    expect(afterExit).toEqual([gap(3, 1, 1), output(4)]);
  });

  it('emits no size in bytes if the executor or the reader does not know it', () => {
    const { evicted, ...page } = pageOf(whole, 0, 2);
    expect(evicted).toEqual({ throughSeq: 1, bytes: 1 });
    expect(toEvents(unread, page)[0]).toEqual(gap(1, 1));
    expect(toEvents({ ...unread, bytes: undefined }, { ...page, evicted })[0]).toEqual(gap(1, 1));
  });

  it('finds no hole after the last output of a page whose nextSeq is too low', () => {
    const page = { ...pageOf([output(1), output(3)], 0), nextSeq: 2 };
    expect(toEvents(unread, page)).toEqual([output(1), gap(2, 1), output(3)]);
  });

  it('numbers exit and close itself if the executor does not count them', () => {
    const page = pageOf(whole, 0);
    expect(toEvents(at(4, false), { ...page, chunks: [], nextSeq: 5 })).toEqual([exited(5, 7), closed(6)]);
    expect(toEvents(unread, { ...page, chunks: page.chunks.slice(0, 2), nextSeq: 3 })).toEqual([
      output(1),
      output(2),
      exited(3, 7),
      closed(4),
    ]);
  });

  it('gives from any seq on what was there, of all that is retained', () => {
    const life = fc.record({
      before: fc.nat(8),
      after: fc.nat(3),
      end: fc.nat(2),
      seq: fc.nat(14),
      firstKept: fc.nat(8),
    });
    fc.assert(
      fc.property(life, ({ before, after, end, seq, firstKept }) => {
        const outputs = (from: number, count: number) => Array.from({ length: count }, (_, i) => output(from + i));
        const top = before + 1 + after;
        const events = [
          ...outputs(1, before),
          ...(end > 0 ? [exited(before + 1), ...outputs(before + 2, after)] : []),
          ...(end > 1 ? [closed(top + 1)] : []),
        ];
        const last = Math.min(seq, end > 1 ? top : (events.at(-1)?.seq ?? 0)); // who has the close reads no more
        const reader = { seq: last, exited: end > 0 && last > before, bytes: bytesBefore(events, last + 1) };
        const emitted = toEvents(reader, pageOf(events, last, Math.min(firstKept, before)));
        const lost = Math.max(0, Math.min(firstKept, before) - 1 - last);
        const expected = events.filter((event) => event.seq > last + lost);
        const bytes = bytesBefore(events, last + lost + 1) - reader.bytes;
        expect(emitted).toEqual(lost > 0 ? [gap(last + lost, lost, bytes), ...expected] : expected);
      }),
    );
  });
});
