import { compare } from '../../../src/tapes/diff/compare';
import { toMarbles } from '../../../src/tapes/diff/toMarbles';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const event = (id: unknown, msg: object) => ({ method: 'codex/event', params: { _meta: { requestId: id }, msg } });
/** One call that brings these events about. */
const called = (...msgs: object[]) =>
  toSessionIndex(
    sessionFrom(
      [0, 'in', { id: 1, method: 'tools/call', params: { name: 'a' } }],
      ...msgs.map((msg, i): [number, string, object] => [i, 'out', event(1, msg)]),
      [99, 'out', { id: 1, result: 'ok' }],
    ),
  );

describe('toMarbles', () => {
  const drawn = (before: object[], now: object[]) => {
    const [result] = compare(called(...before), called(...now), ALL_MASKS);
    return result ? toMarbles(result) : [];
  };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((type) => ({ type })) as [object, object, object, object];

  it('aligns two runs and marks where they part', () => {
    expect(drawn([a, b, c], [a, d, c])).toEqual([
      'recorded  -a-b-c-d-|',
      'now       -a-e-c-d-|',
      '             ^',
      'a a, b b, c c, d response, e d',
    ]);
  });

  it('leaves a gap for what one side lacks', () => {
    expect(drawn([a, b, c], [a, c]).slice(0, 3)).toEqual([
      'recorded  -a-b-c-d-|',
      'now       -a---c-d-|',
      '             ^',
    ]);
    expect(drawn([a, c], [a, b, c]).slice(0, 3)).toEqual([
      'recorded  -a---b-c-|',
      'now       -a-d-b-c-|',
      '             ^',
    ]);
  });

  it('shows the surroundings of a difference in a long run', () => {
    const many = Array.from({ length: 200 }, (_, i) => ({ type: `t${i}` }));
    const [recorded, now, mark] = drawn(many, many.with(100, { type: 'a' })) as [string, string, string];
    expect(recorded.length).toBe(now.length);
    expect(recorded).toMatch(/^recorded {2}…-.*-…$/);
    expect(recorded[mark.indexOf('^')]).not.toBe(now[mark.indexOf('^')]);
    expect(recorded.slice(0, mark.indexOf('^')).replace('recorded', 'now     ')).toBe(now.slice(0, mark.indexOf('^')));
  });
});
