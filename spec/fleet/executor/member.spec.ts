import fc, { array, assert, integer, jsonValue, property, record, string } from 'fast-check';
import { defer, EMPTY, from, type Observable, of, throwError } from 'rxjs';
import {
  decodeMember,
  decodeReport,
  encodeMember,
  encodeReport,
  findMember,
  findPool,
  leastLoaded,
} from '../../../src/fleet/executor/member';
import type { NatsMessage } from '../../../src/fleet/link/natsLink';
import { NatsError } from '../../../src/io/nats/natsAddress';
import { marbles } from '../../support/marbles';

const member = (executor: string, running: number, own: { capacity?: number; load?: number } = {}) => ({
  executor,
  instance: 'i',
  running,
  capacity: 10,
  load: 0,
  ...own,
});

describe('encodeMember', () => {
  it('is read back by decodeMember', () => {
    const member = fc.record({
      executor: fc.stringMatching(/^[\w-]{1,64}$/),
      instance: fc.uuid(),
      running: fc.nat(),
      capacity: fc.nat(),
      load: fc.double({ min: 0, max: 1e6, noNaN: true }).map((load) => load + 0),
    });
    fc.assert(fc.property(member, (one) => expect(decodeMember(encodeMember(one))).toEqual(one)));
  });
});

describe('decodeMember', () => {
  it.each([
    '',
    '[]',
    '{}',
    'null',
    '{"executor":1,"instance":"i","running":1,"capacity":1,"load":1}',
    '{"executor":"e","instance":"i","running":-1,"capacity":1,"load":1}',
    '{"executor":"e","instance":"i","running":"1","capacity":1,"load":1}',
    '{"executor":"e.i","instance":"i","running":1,"capacity":1,"load":1}',
    '{"executor":"*","instance":"i","running":1,"capacity":1,"load":1}',
    '{"executor":"e","instance":">","running":1,"capacity":1,"load":1}',
    '{"executor":"e","instance":"a b","running":1,"capacity":1,"load":1}',
  ])('finds no member in %s', (text) => {
    expect(decodeMember(Buffer.from(text))).toBeUndefined();
  });
});

describe('leastLoaded', () => {
  it.each<[string, ReturnType<typeof member>[], string | undefined]>([
    ['nothing of no members', [], undefined],
    ['the one that runs least', [member('a', 3), member('b', 1), member('c', 2)], 'b'],
    ['the greater one of two that run as many', [member('a', 3), member('b', 3, { capacity: 20 })], 'b'],
    ['the idler one of two', [member('a', 3, { load: 0.9 }), member('b', 3, { load: 0.1 })], 'b'],
    ['the first by name of equals', [member('b', 3), member('a', 3)], 'a'],
    ['no full one', [member('a', 10), member('b', 9, { load: 1 })], 'b'],
    ['nothing where all are full', [member('a', 10), member('b', 0, { capacity: 0 })], undefined],
  ])('finds %s', (_, members, expected) => {
    expect(leastLoaded(members)?.executor).toBe(expected);
  });
});

describe('findMember', () => {
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
});

const count = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const unread = array(record({ processId: string(), throughSeq: count }), { maxLength: 20 });

describe('decodeReport', () => {
  it('has what was encoded', () => {
    assert(
      property(record({ from: count, unread }), (report) => {
        expect(decodeReport(encodeReport(report))).toEqual(report);
      }),
    );
  });

  it('never throws, and has counts and names only', () => {
    assert(
      property(jsonValue(), (value) => {
        const report = decodeReport(Buffer.from(JSON.stringify(value)));
        expect(report === undefined || Number.isSafeInteger(report.from)).toBe(true);
      }),
    );
    expect(decodeReport(Buffer.from('{'))).toBeUndefined();
    expect(decodeReport(Buffer.from('{"executor":"e","running":1}'))).toBeUndefined();
    const some =
      '{"from":1,"unread":[1,{"processId":"p"},{"processId":"q","throughSeq":2},{"processId":"r","throughSeq":-1}]}';
    expect(decodeReport(Buffer.from(some))).toEqual({ from: 1, unread: [{ processId: 'q', throughSeq: 2 }] });
  });

  it('has some of very many processes', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => ({ processId: `p${i}`, throughSeq: i }));
    expect(decodeReport(encodeReport({ from: 1, unread: many }))?.unread).toHaveLength(256);
  });
});
