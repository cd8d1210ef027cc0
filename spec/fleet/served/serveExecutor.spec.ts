import { NEVER, type Observable, of, tap } from 'rxjs';
import type { NatsServiceRequest } from '../../../src/fleet/operators/natsService';
import {
  type AnswerDeps,
  answerRequests,
  messageBytesOf,
  removeMessages,
} from '../../../src/fleet/served/serveExecutor';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const STATUS = { executor: 'e', instance: 'i', running: 1, capacity: 2, load: 0 };

const bytesOf = (maxPayload: number) => messageBytesOf({ maxPayload, address: 'nats://h' });

const REFUSED = new NatsError('refused', 'denied');

const GONE = new NatsError('absent', 'gone');

type Results = readonly (Observable<string> | undefined)[];

/** A stream of which a message is removed by the result at its number, and what is before a number by `together`. */
const at = (results: Results, together: Observable<boolean> = of(false)) => ({
  remove: (stream: string, seq: number) =>
    (stream === 's' ? results[seq] : undefined) as unknown as Observable<boolean>,
  removeBefore: () => together,
});

const NONE_BEFORE = { own: 0, before: 0 };

describe('answerRequests', () => {
  it(
    'answers how busy the executor is, and with the report of a session that is named',
    marbles(({ hot, expectObservable, flush }) => {
      const answers: unknown[] = [];
      const asked = (endpoint: string, headers = {}) =>
        ({
          endpoint,
          headers,
          subject: `p.${endpoint}`,
          data: new Uint8Array(),
          respond: (data: Uint8Array) => answers.push(JSON.parse(Buffer.from(data).toString())),
        }) as unknown as NatsServiceRequest;
      const deps = {
        link: { prefix: 'p', state$: NEVER },
        status: () => STATUS,
        report: (session: string) => ({ from: session.length, unread: [] }),
        maxConnections: 1,
        maxMessageBytes: 1,
      } as unknown as AnswerDeps;
      const requests = { s: asked('status'), p: asked('pool'), r: asked('status', { 'Codex-Rx-Session': 'abc' }) };
      expectObservable(hot('-s-p-r', requests).pipe(answerRequests(deps))).toBe('-');
      flush();
      expect(answers).toEqual([STATUS, STATUS, { from: 3, unread: [] }]);
    }),
  );
});

describe('messageBytesOf', () => {
  it('leaves room for a chunk and a header in what the server takes', () => {
    expect([131_072, 1_048_576, 8_388_608].map(bytesOf)).toEqual([32_768, 524_288, 524_288]);
  });

  it('refuses a server that takes less, with what to do', () => {
    expect(() => bytesOf(65_536)).toThrow(
      'the server at nats://h takes messages of at most 65536 bytes: set its max_payload to at least 131072',
    );
  });
});

describe('removeMessages', () => {
  it(
    'removes each message, also after one that is gone',
    marbles(({ cold, expectObservable }) => {
      const remove = removeMessages(at([cold('--(a|)'), cold('-#', {}, GONE), cold('---(b|)')]), 's');
      expectObservable(remove({ seqs: [0, 1, 2], ...NONE_BEFORE })).toBe('--a(b|)');
      expectObservable(remove({ seqs: [], ...NONE_BEFORE })).toBe('|');
    }),
  );

  it(
    'removes 32 at the same time, and the next when one is removed',
    marbles(({ cold, expectSubscriptions, expectObservable }) => {
      const results = Array.from({ length: 33 }, (_, i) => cold(i === 0 ? '-|' : '---|'));
      const seqs = results.map((_, i) => i);
      expectObservable(removeMessages(at(results), 's')({ seqs, ...NONE_BEFORE })).toBe('----|');
      expectSubscriptions(results[31]?.subscriptions ?? []).toBe('^--!');
      expectSubscriptions(results[32]?.subscriptions ?? []).toBe('-^--!');
    }),
  );

  it(
    'errors if the login may not remove',
    marbles(({ cold, expectObservable }) => {
      const remove = removeMessages(at([cold('-#', {}, REFUSED), cold('--(a|)')]), 's');
      expectObservable(remove({ seqs: [0, 1], ...NONE_BEFORE })).toBe('-#', {}, REFUSED);
    }),
  );

  const five = { seqs: [1, 2, 3, 4, 5], own: 1, before: 6 };

  it(
    'removes those together before which nobody needs one, then the others one by one',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const results = Array.from({ length: 7 }, (_, i) => cold('-(a|)', { a: String(i) }));
      const together$ = cold('--(t|)', { t: true });
      const remove = removeMessages(at(results, together$), 's');
      expectObservable(remove({ ...five, seqs: [1, 2, 3, 4, 5, 6] })).toBe('---(a|)', { a: '6' });
      expectSubscriptions(together$.subscriptions).toBe('^-!');
      for (const { subscriptions } of results.slice(0, 6)) expectSubscriptions(subscriptions).toBe([]);
    }),
  );

  it.each([
    ['where they are few', { ...five, before: 5 }, []],
    ['where the stream has messages of an executor before', five, ['together']],
  ])('removes them one by one %s', (_, removal, asked) => {
    const seen: string[] = [];
    const results = Array.from({ length: 6 }, (_, i) => of(String(i)));
    const together$ = of(false).pipe(tap(() => seen.push('together')));
    removeMessages(at(results, together$), 's')(removal).subscribe((seq) => seen.push(String(seq)));
    expect(seen).toEqual([...asked, '1', '2', '3', '4', '5']);
  });

  it(
    'asks once if the login may remove single messages only, and again behind another error',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const results = Array.from({ length: 6 }, () => cold('|'));
      const lost$ = cold<boolean>('-#', {}, new NatsError('timeout', 'late'));
      const denied$ = cold<boolean>('-#', {}, REFUSED);
      const [afterLoss, afterDenial] = [lost$, denied$].map((together$) => removeMessages(at(results, together$), 's'));
      expectObservable(afterLoss?.(five) ?? of()).toBe('-|');
      expectObservable(afterDenial?.(five) ?? of()).toBe('-|');
      expectObservable(cold('-----|').pipe(tap({ complete: () => afterDenial?.(five).subscribe() }))).toBe('-----|');
      expectObservable(cold('-----|').pipe(tap({ complete: () => afterLoss?.(five).subscribe() }))).toBe('-----|');
      expectSubscriptions(denied$.subscriptions).toBe('^!');
      expectSubscriptions(lost$.subscriptions).toBe(['^!', '-----^!']);
    }),
  );
});
