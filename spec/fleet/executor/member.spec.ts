import fc from 'fast-check';
import { decodeMember, encodeMember, leastLoaded } from '../../../src/fleet/executor/member';

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
