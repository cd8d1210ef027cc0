import { compare, type LaneResult } from '../../../src/tapes/diff/compare';
import { describeLane, titleOf, toMarbles } from '../../../src/tapes/diff/describeLane';
import { ALL_MASKS } from '../../../src/tapes/matching/mask';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const line = (label: string, lineNumber: number) => ({ lineNumber, value: {}, text: label, label });
const lane = (own: Partial<LaneResult> = {}): LaneResult => ({
  label: 'tools/call codex',
  lineNumber: 3,
  recorded: [line('task_started', 4), line('response', 5)],
  now: [line('task_started', 7), line('error', 8)],
  ...own,
});
const value = (path: string) => ({ path, expected: 1, actual: 2 });

describe('describeLane', () => {
  it('has no lines for a lane that is the same', () => {
    expect(describeLane(lane())).toEqual([]);
  });

  it('has the reason alone where a side lacks the lane', () => {
    expect(describeLane(lane({ difference: { at: 0, reason: 'not\nnow', values: [] } }))).toEqual([
      expect.stringMatching(/^not[^\n]+now$/),
    ]);
  });

  it('has the marbles, the places, and the values that differ', () => {
    const lines = describeLane(lane({ difference: { at: 1, values: [value('a'), value('b')] as never } }));
    expect(lines).toContain('recorded: response (line 5); now: error (line 8)');
    expect(lines.slice(lines.indexOf('recorded: response (line 5); now: error (line 8)') + 1)).toHaveLength(2);
  });

  it('names a side that has ended, and shows ten values at most', () => {
    const values = Array.from({ length: 12 }, (_, i) => value(`p${i}`)) as never;
    const lines = describeLane(lane({ now: [line('task_started', 7)], difference: { at: 1, values } }));
    expect(lines).toContain('recorded: response (line 5); now: nothing');
    expect(lines.at(-1)).toBe('… and 2 more');
    expect(lines.filter((one) => /p\d/.test(one))).toHaveLength(10);
  });
});

describe('titleOf', () => {
  it.each([
    [3, 'tools/call codex (line 3)'],
    [0, 'tools/call codex'],
  ])('names the request and line %i', (lineNumber, title) => {
    expect(titleOf(lane({ lineNumber }))).toBe(title);
  });
});

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
