import { concat, NEVER, type Observable, of } from 'rxjs';
import { examineNats } from '../../../src/cli/doctor/examineNats';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const linkTo = (found$: Observable<unknown>): Observable<NatsLink> => {
  const findStream = (name: string) => (name === 'p-tapes' ? found$ : NEVER);
  return concat(of({ address: 'nats://s', prefix: 'p', findStream } as unknown as NatsLink), NEVER);
};
const resultOf = (text: string) => ({ text: `nats://s answers, ${text}`, ms: expect.any(Number) });
const results = {
  T: resultOf('with JetStream, and with tapes'),
  N: resultOf('with JetStream, and without tapes'),
  R: resultOf('and lets this login read no tapes'),
};

describe('examineNats', () => {
  it.each([
    ['finds tapes', '--(t|)', '--(T|)', undefined],
    ['finds none', '--(n|)', '--(N|)', undefined],
    ['names a login that may not read them', '--#', '--(R|)', new NatsError('refused', 'no')],
  ])('%s', (_, found, expected, error) =>
    marbles(({ cold, expectObservable }) => {
      const found$ = cold(found, { t: {}, n: undefined }, error);
      expectObservable(examineNats(linkTo(found$))).toBe(expected, results);
    })(),
  );

  it(
    'errors with a server that has no JetStream or is not there, and after ten seconds',
    marbles(({ cold, expectObservable }) => {
      const none = new NatsError('failed', 'JetStream is not enabled');
      expectObservable(examineNats(linkTo(cold('-#', {}, none)))).toBe('-#', {}, none);
      const away = new NatsError('unreachable', 'no server');
      expectObservable(examineNats(cold<NatsLink>('--#', {}, away))).toBe('--#', {}, away);
      const late = expect.objectContaining({ name: 'TimeoutError' });
      expectObservable(examineNats(linkTo(NEVER))).toBe('10s #', {}, late);
    }),
  );
});
