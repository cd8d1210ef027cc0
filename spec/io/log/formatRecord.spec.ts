import { type LogRecord, toJsonLine, toTextLine } from '../../../src/io/log/winstonLogger';

const record: LogRecord = {
  time: '2026-11-20T23:01:02.345Z',
  level: 'warning',
  message: 'bad\nline \u001b[2J',
  fields: { file: 'a/b.ts', text: 'two words\n', n: 1, list: ['x'], csi: '\u009b' },
};

describe('toTextLine', () => {
  it('writes one line that cannot command a terminal', () => {
    expect(toTextLine({ colour: false })(record)).toBe(
      '2026-11-20T23:01:02.345Z warning bad\\nline \\x1b[2J file=a/b.ts text="two words\\n" n=1 list=["x"] csi="\\u009b"',
    );
  });

  it('paints the level alone', () => {
    expect(toTextLine({ colour: true })({ ...record, message: 'm', fields: {} })).toBe(
      '2026-11-20T23:01:02.345Z \u001b[33mwarning\u001b[39m m',
    );
  });
});

describe('toJsonLine', () => {
  it('writes one object a line', () => {
    const line = toJsonLine(record);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual(record);
  });

  it('leaves out fields that are empty', () => {
    expect(toJsonLine({ ...record, message: 'm', fields: {} })).toBe(
      '{"time":"2026-11-20T23:01:02.345Z","level":"warning","message":"m"}',
    );
  });
});
