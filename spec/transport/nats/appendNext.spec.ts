import { defer, type Observable } from 'rxjs';
import { appendNext } from '../../../src/transport/nats/appendNext';
import { NatsError } from '../../../src/transport/nats/natsError';
import type { NatsAppended, NatsStored } from '../../../src/transport/nats/natsLink';
import { marbles } from '../../support/marbles';

const LATE = new NatsError('timeout', 'late');
const FULL = new NatsError('full', 'full');
const CONFLICT = new NatsError('conflict', 'wrong last sequence');
const TAKEN = new Error('taken');
const message = { subject: 's', id: 'm', expectSubjectSeq: 5, data: new Uint8Array() };
const stored = (seq: number, id: string): NatsStored => ({
  ...{ kind: 'message', seq, order: 1, pending: 0, subject: 's', data: new Uint8Array(), atMs: 0 },
  headers: { 'Nats-Msg-Id': id },
});
const values = { k: { seq: 6, isDuplicate: false }, d: { seq: 6, isDuplicate: true } };
const lasts = { m: stored(6, 'm'), o: stored(6, 'other'), b: stored(5, 'before'), n: undefined };

/** A link whose responses come in this order, and the last message of the subject; `sent` and `read` are counted. */
const linkOf = (responses: Observable<NatsAppended>[], last$?: Observable<NatsStored | undefined>) => {
  const sent: unknown[] = [];
  const append = (one: unknown) =>
    defer(() => {
      sent.push(one);
      return responses.shift() as Observable<NatsAppended>;
    });
  return { sent, link: { append, lastOf: () => last$ as Observable<NatsStored | undefined> } };
};
const appending = ({ link }: ReturnType<typeof linkOf>, patienceMs?: number) =>
  appendNext({ link, stream: 'S', taken: () => TAKEN, ...(patienceMs !== undefined && { patienceMs }) })(message);

describe('appendNext', () => {
  it(
    'emits where the stream has the message',
    marbles(({ cold, expectObservable, flush }) => {
      const link = linkOf([cold('--(k|)', values)]);
      expectObservable(appending(link)).toBe('--(k|)', values);
      flush();
      expect(link.sent).toEqual([message]);
    }),
  );

  it(
    'sends again what is in doubt, as it was',
    marbles(({ cold, expectObservable, flush }) => {
      const link = linkOf([cold('-#', {}, LATE), cold('-#', {}, LATE), cold('(k|)', values)]);
      expectObservable(appending(link)).toBe('302ms (k|)', values);
      flush();
      expect(link.sent).toEqual([message, message, message]);
    }),
  );

  it(
    'takes a conflict with its own message for its response',
    marbles(({ cold, expectObservable }) => {
      const link = linkOf([cold('-#', {}, CONFLICT)], cold('-(m|)', lasts));
      expectObservable(appending(link)).toBe('--(d|)', values);
    }),
  );

  it(
    'sends again what a cluster is still storing',
    marbles(({ cold, expectObservable }) => {
      const link = linkOf([cold('-#', {}, CONFLICT), cold('-(k|)', values)], cold('-(b|)', lasts));
      expectObservable(appending(link)).toBe('103ms (k|)', values);
    }),
  );

  it.each([
    ['o', 'another has written'],
    ['n', 'the subject was purged'],
  ])('errors with what it is given where %s: %s', (last) =>
    marbles(({ cold, expectObservable }) => {
      const link = linkOf([cold('-#', {}, CONFLICT)], cold(`-(${last}|)`, lasts));
      expectObservable(appending(link)).toBe('--#', {}, TAKEN);
    })(),
  );

  it(
    'reads the last message again where that is in doubt',
    marbles(({ cold, expectObservable }) => {
      const link = linkOf([cold('-#', {}, CONFLICT), cold('-(k|)', values)], cold('-#', {}, LATE));
      expectObservable(appending(link)).toBe('103ms (k|)', values);
    }),
  );

  it(
    'errors with what does not pass, and when the patience is over',
    marbles(({ cold, expectObservable }) => {
      expectObservable(appending(linkOf([cold('-#', {}, FULL)]))).toBe('-#', {}, FULL);
      const late = () => cold<NatsAppended>('#', {}, LATE);
      expectObservable(appending(linkOf([late(), late(), late()]), 200)).toBe('300ms #', {}, LATE);
    }),
  );

  it(
    'unsubscribes from what is under way',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const response = cold<NatsAppended>('-----k', values);
      expectObservable(appending(linkOf([response])), '---!').toBe('');
      expectSubscriptions(response.subscriptions).toBe('^--!');
    }),
  );
});
