import { defer, map, mergeMap, type Observable, of, take } from 'rxjs';
import type { NatsAppend, NatsLink, NatsStored } from '../../../src/fleet/link/natsLink';
import { openNatsTape, unacknowledged } from '../../../src/fleet/tapes/openNatsTape';
import { NatsError } from '../../../src/io/nats/natsAddress';
import type { TapeFile } from '../../../src/tapes/format/tape';
import { marbles } from '../../support/marbles';

const GONE = new NatsError('unreachable', 'gone for good');

const bytes = (length: number) => new Uint8Array(length);

/** A server with the stream of tapes; `acknowledge` gives the sequence of each message. */
const linkOf = (acknowledge: (message: NatsAppend) => Observable<number>, last?: Partial<NatsStored>) =>
  ({
    prefix: 'p',
    address: 'nats://h:1',
    maxPayload: 1_000_000,
    ensureStream: () => of({ name: 'p-tapes' }),
    lastOf: () => of(last),
    append: (message: NatsAppend) =>
      (message.id === 'r-begin' ? of(1) : acknowledge(message)).pipe(map((seq) => ({ seq, isDuplicate: false }))),
  }) as unknown as NatsLink;

const open = (link$: Observable<NatsLink>, more: { maxWaitingBytes?: number } = {}) =>
  openNatsTape({ link$, name: 'n', recorder: 'r', ...more });

/** What a write throws, '' if it does not. */
const refusal = (write: () => void): string => {
  try {
    write();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('openNatsTape', () => {
  it(
    'is settled when the last message was acknowledged',
    marbles(({ cold, expectObservable }) => {
      const link$ = cold('--l', { l: linkOf(() => cold('---(1|)')) });
      const settled$ = open(link$).pipe(
        mergeMap((file) => {
          file.append(bytes(5));
          file.close();
          return file.settled$;
        }),
      );
      expectObservable(settled$).toBe('-----u', { u: undefined });
    }),
  );

  it(
    'goes on after what is there, and ends a line that was cut off',
    marbles(({ cold, flush }) => {
      const sent: unknown[] = [];
      const headers = { 'Codex-Rx-At': '0', 'Codex-Rx-Size': '2' };
      const last = { seq: 3, headers, data: new Uint8Array(Buffer.from('ab')) };
      const link = linkOf(({ data, headers }) => of(sent.push([Buffer.from(data).toString(), headers])), last);
      const sizes: number[] = [];
      open(cold('l', { l: link })).subscribe((file) => {
        sizes.push(file.size());
        file.endLine();
        file.overwrite(0, Buffer.from('X'));
        sizes.push(file.size());
      });
      flush();
      expect(sizes).toEqual([2, 3]);
      expect(sent).toEqual([
        ['\n', { 'Codex-Rx-At': '2', 'Codex-Rx-Size': '3' }],
        ['X', { 'Codex-Rx-At': '0', 'Codex-Rx-Size': '3' }],
      ]);
    }),
  );

  it(
    'errors after a message that no recorder wrote',
    marbles(({ cold, expectObservable }) => {
      const last = { seq: 3, headers: {}, data: new Uint8Array(Buffer.from('{}')) };
      const refused = expect.objectContaining({ message: expect.stringContaining('was not written by a recorder') });
      expectObservable(open(cold('l', { l: linkOf(() => of(4), last) }))).toBe('#', {}, refused);
    }),
  );

  it(
    'errors when the server cannot be reached, and keeps the session when it is lost later',
    marbles(({ cold, hot, expectObservable, flush }) => {
      expectObservable(open(cold('--#', {}, GONE))).toBe('--#', {}, GONE);
      const files: TapeFile[] = [];
      const link$ = cold('-l-#', { l: linkOf(() => cold('-')) }, GONE);
      const file$ = open(link$);
      expectObservable(file$.pipe(map((file) => files.push(file)))).toBe('-1---', { 1: 1 });
      const refusals: string[] = [];
      for (const timeline of ['--x', '----x']) {
        hot(timeline).subscribe(() => refusals.push(refusal(() => files[0]?.append(bytes(1)))));
      }
      flush();
      expect(refusals).toEqual(['', 'gone for good']);
    }),
  );

  it(
    'begins though the response to its first message is lost, and a cluster is still storing it',
    marbles(({ cold, expectObservable }) => {
      const lost = new NatsError('timeout', 'lost');
      const conflict = new NatsError('conflict', 'wrong last sequence');
      const appends = [cold('-#', {}, lost), cold('-#', {}, conflict), cold('-#', {}, conflict)];
      const lasts = [undefined, undefined, { seq: 4, headers: { 'Nats-Msg-Id': 'r-begin' }, data: bytes(0) }];
      const link = {
        ...linkOf(() => cold('')),
        append: () => defer(() => appends.shift() ?? of({ seq: 9, isDuplicate: false })),
        lastOf: () => defer(() => of(lasts.shift())),
      } as unknown as NatsLink;
      const size$ = open(cold('l', { l: link })).pipe(map((file) => file.size()));
      expectObservable(size$).toBe('- 100ms - 200ms -s', { s: 0 });
    }),
  );

  it(
    'errors if another recorder begins the tape at the same time',
    marbles(({ cold, expectObservable }) => {
      const conflict = new NatsError('conflict', 'wrong last sequence');
      const lasts = [undefined, { seq: 4, headers: { 'Nats-Msg-Id': 'x-begin' }, data: bytes(0) }];
      const link = {
        ...linkOf(() => cold('')),
        append: () => cold('-#', {}, conflict),
        lastOf: () => defer(() => of(lasts.shift())),
      } as unknown as NatsLink;
      const taken = expect.objectContaining({ message: expect.stringContaining('another recorder') });
      expectObservable(open(cold('l', { l: link }))).toBe('-#', {}, taken);
    }),
  );

  it(
    'errors when the server refuses the tape',
    marbles(({ cold, expectObservable }) => {
      const refused = new NatsError('refused', 'denied');
      const link = { ...linkOf(() => cold('')), append: () => cold('-#', {}, refused) } as unknown as NatsLink;
      expectObservable(open(cold('l', { l: link }))).toBe('-#', {}, refused);
    }),
  );

  it(
    'holds lines while the server is away, up to a limit, which ends the tape',
    marbles(({ cold, expectObservable, flush }) => {
      const refusals: string[] = [];
      const settled$ = open(cold('l', { l: linkOf(() => cold('-')) }), { maxWaitingBytes: 10 }).pipe(
        mergeMap((file) => {
          for (const size of [6, 6, 6, 1]) refusals.push(refusal(() => file.append(bytes(size))));
          file.close();
          return file.settled$;
        }),
      );
      const reason = '12 bytes wait for nats://h:1, which is away or too slow';
      expectObservable(settled$).toBe('r', { r: reason });
      flush();
      expect(refusals).toEqual(['', '', reason, reason]);
    }),
  );

  it(
    'gives up a close if nothing is acknowledged for a minute, with what the last attempt came to',
    marbles(({ cold, expectObservable }) => {
      const noLeader = new NatsError('noResponder', 'writing to p.tapes.n: no leader');
      const settledAfter = (acknowledged$: Observable<number>) =>
        open(cold('l', { l: linkOf(() => acknowledged$) })).pipe(
          mergeMap((file) => {
            file.append(bytes(7));
            file.close();
            return file.settled$;
          }),
          take(1), // it is sent again without end
        );
      const reason = '7 bytes were not acknowledged by nats://h:1';
      expectObservable(settledAfter(cold('-'))).toBe('60s (r|)', { r: reason });
      expectObservable(settledAfter(cold('#', {}, noLeader))).toBe('60s (r|)', {
        r: `${reason}: writing to p.tapes.n: no leader`,
      });
    }),
  );

  it(
    'waits on while one message after another is acknowledged',
    marbles(({ cold, expectObservable }) => {
      const acks = [cold('40s (1|)', { 1: 2 }), cold('40s (1|)', { 1: 3 })];
      const settled$ = open(cold('l', { l: linkOf(() => acks.shift() ?? cold('-')) })).pipe(
        mergeMap((file) => {
          file.append(bytes(1));
          file.append(bytes(1));
          file.close();
          return file.settled$;
        }),
      );
      expectObservable(settled$).toBe('80s u', { u: undefined });
    }),
  );

  it(
    'ends the tape with the reason of the server',
    marbles(({ cold, expectObservable }) => {
      const full = new NatsError('full', 'no room');
      const settled$ = open(cold('l', { l: linkOf(() => cold('-#', {}, full)) })).pipe(
        mergeMap((file) => {
          file.append(bytes(7));
          return file.settled$;
        }),
      );
      expectObservable(settled$).toBe('-r', { r: 'no room' });
    }),
  );
});

describe('unacknowledged', () => {
  it(
    'is late when nothing is acknowledged for so long, with why the last message is sent again',
    marbles(({ hot, expectObservable }) => {
      const { add, acknowledge, inDoubt, late$, tooMany, bytes } = unacknowledged('nats://h:1', 5);
      add(7);
      inDoubt(new Error('old'));
      hot('---a--d').subscribe((what) => (what === 'a' ? acknowledge(3) : inDoubt(new Error('no leader'))));
      expectObservable(late$, '^---------!').toBe('--------l', {
        l: '4 bytes were not acknowledged by nats://h:1: no leader',
      });
      expect([bytes(), tooMany().message]).toEqual([7, '7 bytes wait for nats://h:1, which is away or too slow']);
    }),
  );

  it(
    'is late without a reason if none is known',
    marbles(({ expectObservable }) => {
      const { add, acknowledge, inDoubt, late$ } = unacknowledged('nats://h:1', 5);
      add(7);
      inDoubt(new Error('old'));
      acknowledge(3);
      expectObservable(late$, '^---------!').toBe('-----l', { l: '4 bytes were not acknowledged by nats://h:1' });
    }),
  );
});
