import type { Entry } from '../../../src/tapes/format/tape';
import { brokenLine } from '../../../src/tapes/rerun/brokenLine';

const entry = (seam: string | undefined, dir: string, line: unknown): Entry => ({
  t: 0,
  dir,
  line: typeof line === 'string' ? line : JSON.stringify(line),
  ...(seam !== undefined && { seam }),
});
const session = (...entries: Entry[]) => ({
  meta: {},
  entries: entries.map((one, i) => ({ lineNumber: i + 2, entry: one })),
});
const broken = (...entries: Entry[]) => brokenLine(session(...entries), 'chance');

const item = { type: 'message', role: 'assistant', content: [] };

describe('brokenLine', () => {
  it.each([
    ['model', { kind: 'text', itemId: '', delta: 'x' }],
    ['model', { kind: 'reasoningBreak', itemId: '' }],
    ['model', { kind: 'item', item }],
    ['model', { kind: 'search', callId: 'c' }],
    ['model', { kind: 'unknown', type: 'x' }],
    ['model', { kind: 'completed', responseId: '', usage: null }],
    ['executor', { kind: 'started' }],
    ['executor', { kind: 'output', seq: 1, stream: 'stdout', chunk: '' }],
    ['executor', { kind: 'gap', seq: 3, missing: 2 }],
    ['executor', { kind: 'exited', seq: 4, exitCode: 0 }],
    ['executor', { kind: 'closed', seq: 5 }],
    ['executor', { kind: 'failed', seq: 0, reason: 'x' }],
    ['timer 5', null],
    ['patch', 7],
  ])('takes what the seam %s records: %j', (seam, value) => {
    expect(broken(entry(seam, 'in', {}), entry(seam, 'out', value))).toBeUndefined();
  });

  it.each([
    ['model', '{"kind":"te', 'an event of the model'],
    ['model', 'null', 'an event of the model'],
    ['model', '[]', 'an event of the model'],
    ['model', '{"kind":"toString"}', 'an event of the model'],
    ['model', '{"kind":"item","item":null}', 'an event of the model'],
    ['model', '{"kind":"completed","responseId":"x"}', 'an event of the model'],
    ['executor', '{"kind":"output","seq":1}', 'an event of the executor'],
    ['patch', '{"kind', 'a response at the seam patch'],
  ])('finds what the seam %s does not record: %s', (seam, line, expected) => {
    const whole = entry(seam, 'in', {});
    expect(broken(whole, entry(seam, 'out', line))).toEqual({ lineNumber: 3, expected });
  });

  it('finds a request that is no JSON', () => {
    const expected = 'a request at the seam executor';
    expect(broken(entry('executor', 'in', '{'))).toEqual({ lineNumber: 2, expected });
  });

  it('passes over the wire, values of chance, and notes', () => {
    const notes = [entry('model', 'note', 'stopped'), entry('model', 'note', 'failed: x')];
    expect(broken(entry(undefined, 'in', '{'), entry('mcp', 'out', '{'), entry('chance', 'out', '{'), ...notes)).toBe(
      undefined,
    );
  });
});
