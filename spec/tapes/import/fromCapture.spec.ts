import type { LineProblem } from '../../../src/tapes/format/tape';
import { fromCapture, isCaptured } from '../../../src/tapes/import/importSession';

const imported = (...values: Record<string, unknown>[]) => {
  const problems: LineProblem[] = [];
  const result = fromCapture(
    values.map((value, i) => ({ lineNumber: i + 1, value })),
    problems,
  );
  return { ...result, problems };
};
const STARTED = Date.UTC(2026, 0, 1);
const started = new Date(STARTED).toISOString();

describe('fromCapture', () => {
  it.each([
    ['c2s', 'in'],
    ['Client->Server', 'in'],
    ['client_to_server', 'in'],
    ['client→server', 'in'],
    ['request', 'in'],
    ['s2c', 'out'],
    ['server-to-client', 'out'],
    ['response', 'out'],
    ['STDERR', 'err'],
  ])('reads the direction %s as %s', (direction, dir) => {
    expect(imported({ direction, raw: 'x' }).entries).toEqual([{ t: 0, dir, line: 'x' }]);
  });

  it.each([
    [{ raw: { a: 1 } }, '{"a":1}'],
    [{ message: 'm' }, 'm'],
    [{ raw: '', payload: { b: 2 } }, '{"b":2}'],
    [{ msg: null, text: 't' }, 't'],
  ])('reads the message of %j', (own, line) => {
    expect(imported({ dir: 'in', ...own }).entries).toEqual([{ t: 0, dir: 'in', line }]);
  });

  it('counts from the first time, never back, and takes the time before where there is none', () => {
    const times = [STARTED, STARTED + 7, STARTED + 3, undefined, STARTED + 9];
    const { meta, entries } = imported(...times.map((ts) => ({ dir: 'in', raw: 'x', ...(ts && { ts }) })));
    expect([meta, entries.map(({ t }) => t)]).toEqual([{ started }, [0, 7, 7, 7, 9]]);
  });

  it('takes what the first line names of the server into the meta', () => {
    expect(
      imported({ direction: 'meta', ts: STARTED, server_label: 's', raw: { command: ['c'], secret: 'x' } }),
    ).toEqual({ meta: { started, server: 's', command: ['c'] }, entries: [], problems: [] });
    expect(imported({ direction: 'meta', server_label: 's' })).toEqual({
      meta: { server: 's' },
      entries: [],
      problems: [],
    });
  });

  it.each([
    ['an unknown direction', { direction: 'up', raw: 'x' }],
    ['no message          ', { direction: 'c2s', raw: '' }],
    ['no direction        ', { raw: 'x' }],
    ['a member of objects ', { direction: 'constructor', raw: 'x' }],
  ])('keeps a line with %s as a note, and reports it', (_, value) => {
    expect(imported(value)).toEqual({
      meta: {},
      entries: [{ t: 0, dir: 'note', line: JSON.stringify(value) }],
      problems: [{ lineNumber: 1, reason: 'has no known direction, or no message' }],
    });
  });
});

describe('isCaptured', () => {
  it.each([
    [{ direction: 'up' }, true],
    [{ from: 'client' }, true],
    [{ direction: '' }, false],
    [{ id: 1 }, false],
  ])('of %j is %j', (value, expected) => {
    expect(isCaptured(value)).toBe(expected);
  });
});
