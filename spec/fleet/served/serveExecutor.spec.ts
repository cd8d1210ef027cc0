import { NEVER, type Observable } from 'rxjs';
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

/** A stream of which a message is removed by the result at its number. */
const at = (results: Results) => ({
  remove: (stream: string, seq: number) =>
    (stream === 's' ? results[seq] : undefined) as unknown as Observable<boolean>,
});

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
      expectObservable(remove([0, 1, 2])).toBe('--a(b|)');
      expectObservable(remove([])).toBe('|');
    }),
  );

  it(
    'removes 32 at the same time, and the next when one is removed',
    marbles(({ cold, expectSubscriptions, expectObservable }) => {
      const results = Array.from({ length: 33 }, (_, i) => cold(i === 0 ? '-|' : '---|'));
      const seqs = results.map((_, i) => i);
      expectObservable(removeMessages(at(results), 's')(seqs)).toBe('----|');
      expectSubscriptions(results[31]?.subscriptions ?? []).toBe('^--!');
      expectSubscriptions(results[32]?.subscriptions ?? []).toBe('-^--!');
    }),
  );

  it(
    'errors if the login may not remove',
    marbles(({ cold, expectObservable }) => {
      const remove = removeMessages(at([cold('-#', {}, REFUSED), cold('--(a|)')]), 's');
      expectObservable(remove([0, 1])).toBe('-#', {}, REFUSED);
    }),
  );
});
