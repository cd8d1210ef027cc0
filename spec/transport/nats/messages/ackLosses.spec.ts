import type { Status } from '@nats-io/transport-node';
import { map } from 'rxjs';
import { ackLosses, whatOf } from '../../../../src/transport/nats/messages/ackLosses';
import type { NatsState } from '../../../../src/transport/nats/natsLink';
import { marbles } from '../../../support/marbles';

const states: Record<string, NatsState> = { c: { kind: 'connected', server: 'h' }, r: { kind: 'reconnecting' } };
const violation = (operation: string) =>
  Object.assign(new Error('no'), { name: 'PermissionViolationError', operation, subject: 'a' });
const statuses: Record<string, Status> = {
  d: { type: 'error', error: violation('publish') } as Status,
  s: { type: 'error', error: violation('subscription') } as Status,
  e: { type: 'error', error: new Error('other') },
  l: { type: 'disconnect', server: 'h' },
};

describe('ackLosses', () => {
  it(
    'emits the loss of the connection for all messages, and a denial for those of its subject',
    marbles(({ hot, expectObservable }) => {
      const state$ = hot(' c-r-----c-|', states);
      const status$ = hot('-l--d-s-e-|', statuses);
      const expected = '   --L-D-----|';
      const loss$ = ackLosses({ state$, status$ }).pipe(
        map(({ subject, error }) => [subject, (error({ subject: 'x' }) as Error).message]),
      );
      expectObservable(loss$).toBe(expected, {
        L: [undefined, expect.stringMatching(/writing to x: the connection was lost/)],
        D: ['a', 'no'],
      });
    }),
  );

  it(
    'errors with its sources',
    marbles(({ cold, expectObservable }) => {
      expectObservable(ackLosses({ state$: cold('-#'), status$: cold('') })).toBe('-#');
      expectObservable(ackLosses({ state$: cold(''), status$: cold('--#') })).toBe('--#');
    }),
  );
});

describe('whatOf', () => {
  it('names the subject', () => {
    expect(whatOf({ subject: 'a.b' })).toBe('writing to a.b');
  });
});
