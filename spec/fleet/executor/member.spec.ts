import fc from 'fast-check';
import { decodeMember, encodeMember } from '../../../src/fleet/executor/member';

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
