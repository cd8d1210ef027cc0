import { toEndedBy, toEntries } from '../../../src/tapes/sessions/playClientHalf';

type Stamped = Parameters<typeof toEntries>[0][number];

const near = (timestamp: number, item: object): Stamped => ({
  timestamp,
  value: { from: 'near', item } as Stamped['value'],
});
const far = (timestamp: number, item: object): Stamped => ({
  timestamp,
  value: { from: 'far', item } as Stamped['value'],
});
const line = (text: string, own: object = {}) => ({ kind: 'line', line: text, ...own });
const ended = (own: object) => ({ kind: 'ended', trouble: 'it ended', ...own });
const entriesOf = (...traffic: Stamped[]) => toEntries(traffic, 'lines').map(({ entry }) => entry);

describe('toEntries', () => {
  it('numbers the lines after the first one of a tape, times count from the first', () => {
    const entries = toEntries(
      [near(100, line('a')), far(105, line('b')), far(106, { kind: 'log', line: 'c' })],
      'lines',
    );
    expect(entries).toEqual([
      { lineNumber: 2, entry: { t: 0, dir: 'in', line: 'a' } },
      { lineNumber: 3, entry: { t: 5, dir: 'out', line: 'b' } },
      { lineNumber: 4, entry: { t: 6, dir: 'err', line: 'c' } },
    ]);
    expect(toEntries([], 'lines')).toEqual([]);
  });

  it('keeps the status of a line, the end of the input, and no signal', () => {
    expect(entriesOf(near(0, line('a', { status: 202 })), near(1, { kind: 'signal', signal: 'SIGTERM' }))).toEqual([
      { t: 0, dir: 'in', line: 'a', status: 202 },
    ]);
    expect(entriesOf(near(0, { kind: 'end' }))).toMatchObject([{ dir: 'note' }]);
  });

  it.each([
    ['an exit code', [], ended({ exitCode: 3 }), '{"code":3,"sig":null}'],
    ['a signal that it reports', [], ended({ exitCode: 137, signal: 'SIGKILL' }), '{"code":null,"sig":"SIGKILL"}'],
    [
      'the signal that it was sent, by a shell',
      [near(0, { kind: 'signal', signal: 'SIGTERM' })],
      ended({ exitCode: 143 }),
      '{"code":null,"sig":"SIGTERM"}',
    ],
    [
      'an exit code that is not that of the signal',
      [near(0, { kind: 'signal', signal: 'SIGTERM' })],
      ended({ exitCode: 1 }),
      '{"code":1,"sig":null}',
    ],
  ])('ends with %s', (_, before, end, expected) => {
    expect(entriesOf(...before, far(1, end)).at(-1)).toMatchObject({ dir: 'exit', line: expected });
  });

  it('takes no signal into account that came after the end', () => {
    const late = near(2, { kind: 'signal', signal: 'SIGTERM' });
    expect(entriesOf(far(1, ended({ exitCode: 143 })), late)[0]).toMatchObject({ line: '{"code":143,"sig":null}' });
  });

  it('notes why a server has ended that has no exit code', () => {
    expect(entriesOf(far(0, ended({})))).toEqual([{ t: 0, dir: 'note', line: 'it ended' }]);
  });
});

describe('toEndedBy', () => {
  it.each([
    ['client', [near(0, { kind: 'end' }), far(1, ended({ exitCode: 0 }))]],
    ['client', [near(0, { kind: 'signal', signal: 'SIGINT' }), far(1, ended({ exitCode: 0 }))]],
    ['server', [near(0, line('a')), far(1, ended({ exitCode: 0 })), near(2, { kind: 'end' })]],
    ['client', [near(0, { kind: 'end' })]],
    ['server', []],
  ] as const)('is the %s', (expected, traffic) => {
    expect(toEndedBy(traffic)).toBe(expected);
  });
});
