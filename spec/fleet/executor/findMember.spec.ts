import { defer, EMPTY, from, type Observable, of, throwError } from 'rxjs';
import { encodeMember, findMember, findPool } from '../../../src/fleet/executor/member';
import type { NatsMessage } from '../../../src/fleet/link/natsLink';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const member = (executor: string) => ({ executor, instance: 'i', running: 0, capacity: 1, load: 0 });
const response = (executor: string): NatsMessage => ({ subject: 'r', data: encodeMember(member(executor)) });
const at = { address: 'nats://h:4222', prefix: 'p' };

/** No member answers the first requests, as many as `times`; then these do. */
const answering = (times: number, ...names: string[]) => {
  const asked: string[] = [];
  const answer = ({ subject }: NatsMessage): Observable<NatsMessage> =>
    defer(() => {
      asked.push(subject);
      return asked.length > times ? from(names.map(response)) : throwError(() => new Error('nobody'));
    });
  return { asked, link: { ...at, request: answer, requestAll: answer } };
};

describe('findMember', () => {
  it(
    'emits the executor, also one that comes back within some seconds',
    marbles(({ expectObservable, flush }) => {
      const { asked, link } = answering(2, 'build-1');
      expectObservable(findMember(link, 'build-1')).toBe('500ms (m|)', { m: member('build-1') });
      flush();
      expect(asked).toEqual(['p.exec.build-1', 'p.exec.build-1', 'p.exec.build-1']);
    }),
  );

  it(
    'errors with what to do when none comes',
    marbles(({ expectObservable }) => {
      const error = new Error(
        'no executor build-1 answers at nats://h:4222: start it with codex-rx exec-server --listen nats://h:4222 --name build-1',
      );
      expectObservable(findMember(answering(99).link, 'build-1')).toBe('6s #', {}, error);
      const other = { ...at, request: () => of({ subject: 'r', data: Buffer.from('else') }) };
      expectObservable(findMember(other, 'build-1')).toBe('6s #', {}, error);
    }),
  );
});

describe('findMember and findPool', () => {
  it(
    'error at once if the server denies the subject',
    marbles(({ cold, expectObservable }) => {
      const refused = new NatsError('refused', 'denied');
      const denied = () => cold<NatsMessage>('-#', {}, refused);
      const link = { ...at, request: denied, requestAll: denied };
      expectObservable(findMember(link, 'build-1')).toBe('-#', {}, refused);
      expectObservable(findPool(link, 'linux')).toBe('-#', {}, refused);
    }),
  );
});

describe('findPool', () => {
  it(
    'emits all members that answer, and asks again if there is none',
    marbles(({ expectObservable, flush }) => {
      const { asked, link } = answering(1, 'a', 'b');
      expectObservable(findPool(link, 'linux')).toBe('250ms (m|)', { m: [member('a'), member('b')] });
      flush();
      expect(asked).toEqual(['p.pool.linux', 'p.pool.linux']);
    }),
  );

  it(
    'leaves out what is no status of an executor',
    marbles(({ expectObservable }) => {
      const else$ = of({ subject: 'r', data: Buffer.from('else') }, response('a'));
      expectObservable(findPool({ ...answering(0).link, requestAll: () => else$ }, 'linux')).toBe('(m|)', {
        m: [member('a')],
      });
    }),
  );

  it(
    'errors with what to do when none comes',
    marbles(({ expectObservable }) => {
      const error = new Error(
        'no executor of the pool linux answers at nats://h:4222: start it with codex-rx exec-server --listen nats://h:4222 --name NAME --pool linux',
      );
      expectObservable(findPool({ ...answering(0).link, requestAll: () => EMPTY }, 'linux')).toBe('6s #', {}, error);
    }),
  );
});
