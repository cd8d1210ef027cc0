import { redactTape } from '../../../src/tapes/format/redactTape';
import { framingOf, toRecorded, withLength } from '../../../src/tapes/format/withLength';

describe('withLength', () => {
  it('corrects the length in bytes, and leaves other headers', () => {
    const entry = { dir: 'out', head: 'Content-Type: x\r\nContent-Length: 99\r\n\r\n', line: '{"a":"ö"}', end: '' };
    expect(withLength(entry)).toEqual({ ...entry, head: 'Content-Type: x\r\nContent-Length: 10\r\n\r\n' });
    expect(withLength({ dir: 'out', line: 'x' })).toEqual({ dir: 'out', line: 'x' });
  });

  it('is that of the redacted line', () => {
    const line = '{"api_key":"sk-1234567890abcdefghij"}';
    const entry = { t: 0, ...toRecorded('in', line, 'contentLength') };
    const { items } = redactTape([{ kind: 'entry', lineNumber: 1, entry }], []);
    const redacted = items.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
    expect(redacted).toEqual([{ ...entry, line: '{"api_key":"[redacted]"}', head: 'Content-Length: 24\r\n\r\n' }]);
  });
});

describe('framingOf', () => {
  it('is that of the messages', () => {
    const entryOf = (framing: 'lines' | 'contentLength') => ({ entry: { t: 0, ...toRecorded('in', '{}', framing) } });
    expect(framingOf({ entries: [entryOf('lines')] })).toBe('lines');
    expect(framingOf({ entries: [entryOf('lines'), entryOf('contentLength')] })).toBe('contentLength');
  });
});
