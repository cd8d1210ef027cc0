import { isOnWire, type TapeItem, toSessions } from '../../../src/tapes/format/tape';

const meta = (lineNumber: number): TapeItem => ({ kind: 'meta', lineNumber, meta: { n: lineNumber } });
const numbered = (lineNumber: number) => ({ lineNumber, entry: { t: 0, dir: 'in', line: 'a' } });
const entry = (lineNumber: number): TapeItem => ({ kind: 'entry', ...numbered(lineNumber) });

describe('toSessions', () => {
  it('begins a session at each meta, and at entries before the first', () => {
    const { sessions } = toSessions([entry(1), meta(2), entry(3), entry(4), meta(5)]);
    expect(sessions).toEqual([
      { meta: {}, entries: [numbered(1)] },
      { meta: { n: 2 }, entries: [numbered(3), numbered(4)] },
      { meta: { n: 5 }, entries: [] },
    ]);
  });

  it('collects bad lines and warnings', () => {
    const items: TapeItem[] = [
      { kind: 'bad', lineNumber: 1, reason: 'is not a JSON object', text: '7' },
      { kind: 'warning', lineNumber: 2, reason: 'is late' },
    ];
    expect(toSessions(items)).toEqual({
      sessions: [],
      problems: [
        { lineNumber: 1, reason: 'is not a JSON object' },
        { lineNumber: 2, reason: 'is late' },
      ],
    });
  });
});

describe('isOnWire', () => {
  it('is true without a seam and at that of MCP', () => {
    expect([{}, { seam: 'mcp' }, { seam: 'model' }].map(isOnWire)).toEqual([true, true, false]);
  });
});
