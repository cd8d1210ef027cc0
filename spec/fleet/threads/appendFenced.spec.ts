import type { NatsAppend } from '../../../src/fleet/link/natsLink';
import { appendFenced } from '../../../src/fleet/threads/appendText';
import { FencedOff } from '../../../src/fleet/threads/holder';
import { toThreadHeaders } from '../../../src/fleet/threads/threadFacts';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';
import { conflict, FACTS, inTurn, placeWith, stored, timedOut } from './doubles';

const data = new Uint8Array([1]);
const message = { id: 'a', seq: 5, messageId: 'm', data, headers: {} };
const at = (seq: number) => ({ s: { seq, isDuplicate: false } });

describe('appendFenced', () => {
  it(
    'expects the message that it follows, and emits the sequence of its own',
    marbles(({ cold, expectObservable, flush }) => {
      const sent: NatsAppend[] = [];
      const append = (one: NatsAppend) => {
        sent.push(one);
        return cold('                                                    --(s|)', at(6));
      };
      expectObservable(appendFenced(placeWith({ append }), message)).toBe('--(s|)', { s: 6 });
      flush();
      expect(sent).toEqual([
        { subject: 'threads.a', data, headers: {}, id: 'm', expectSubjectSeq: 5, timeoutMs: 2_000 },
      ]);
    }),
  );

  it(
    'sends again what had no response',
    marbles(({ cold, expectObservable }) => {
      const append = inTurn([cold<never>('-#', {}, timedOut), cold('-(s|)', at(6))]);
      expectObservable(appendFenced(placeWith({ append }), message)).toBe('- 100ms -(s|)', { s: 6 });
    }),
  );

  it(
    'knows its own message, whose response was lost',
    marbles(({ cold, expectObservable }) => {
      const append = inTurn([cold<never>('-#', {}, timedOut), cold<never>('-#', {}, conflict)]);
      const lastOf = () => cold('-(l|)', { l: stored('', 6, { 'Nats-Msg-Id': 'm' }) });
      expectObservable(appendFenced(placeWith({ append, lastOf }), message)).toBe('- 100ms --(s|)', { s: 6 });
    }),
  );

  it(
    'sends again what a cluster is still storing',
    marbles(({ cold, expectObservable }) => {
      const append = inTurn([
        ...[cold<never>('-#', {}, timedOut), cold<never>('-#', {}, conflict)],
        cold('-(s|)', { s: { seq: 6, isDuplicate: true } }),
      ]);
      const lastOf = () => cold('-(l|)', { l: stored('', 5, { 'Nats-Msg-Id': 'before' }) });
      expectObservable(appendFenced(placeWith({ append, lastOf }), message)).toBe('- 100ms -- 200ms -(s|)', { s: 6 });
    }),
  );

  it.each([
    [
      'names who has written since',
      stored('', 6, toThreadHeaders(FACTS, { host: 'h', pid: 7 })),
      'by the process 7 of the host h',
    ],
    ['errors where the thread was removed', undefined, 'by another process'],
  ])('%s', (_, last, expected) =>
    marbles(({ cold, expectObservable, flush }) => {
      const place = placeWith({
        append: () => cold<never>('-#', {}, conflict),
        lastOf: () => cold('(l|)', { l: last }),
      });
      const errors: unknown[] = [];
      appendFenced(place, message).subscribe({ error: (error) => errors.push(error) });
      expectObservable(cold('---|')).toBe('---|');
      flush();
      expect(errors).toEqual([expect.any(FencedOff)]);
      expect(String(errors[0])).toContain(expected);
    })(),
  );

  it(
    'passes other errors on',
    marbles(({ cold, expectObservable }) => {
      const full = new NatsError('full', 'full');
      expectObservable(appendFenced(placeWith({ append: () => cold<never>('#', {}, full) }), message)).toBe(
        '#',
        undefined,
        full,
      );
    }),
  );
});
