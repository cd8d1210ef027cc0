import type { LaneResult } from '../../../src/tapes/diff/compare';
import { describeLane, titleOf } from '../../../src/tapes/diff/describeLane';

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
