import type { Entry } from '../../../src/tapes/format/tape';
import { brokenLine, toRerunPlan } from '../../../src/tapes/rerun/rerunPlan';

const entry = (dir: string, line: string, own: Partial<Entry> = {}): Entry => ({ t: 0, dir, line, ...own });
const model = (dir: string, call: number, line: string) => entry(dir, line, { seam: 'model', call });

const SEAMS = { chance: 'chance', choice: { seam: 'engine', inner: ['executor'] } };
const planOf = (entries: readonly Entry[]) =>
  toRerunPlan({ meta: {}, entries: entries.map((one, i) => ({ lineNumber: i + 2, entry: one })) }, SEAMS);

describe('toRerunPlan', () => {
  it('has inputs and outputs in their order, calls, and what was drawn', () => {
    const entries = [
      entry('in', 'call'),
      entry('out', '["id","x"]', { seam: 'chance' }),
      model('in', 0, 'ask'),
      model('in', 1, 'other'),
      model('out', 0, 'a'),
      model('out', 1, 'b'),
      model('note', 1, 'stopped'),
      model('out', 0, 'c'),
      ...['', '[not', '7', '[7,"x"]', 'null'].map((line) => entry('out', line, { seam: 'chance' })), // passed over
      entry('out', '["id","y"]', { seam: 'chance' }),
      entry('out', 'result'),
      entry('note', 'signal SIGTERM'),
      entry('note', 'standard input closed'),
    ];
    const plan = planOf(entries);
    expect(plan).toEqual({
      calls: [
        { seam: 'model', line: 'ask' },
        { seam: 'model', line: 'other' },
      ],
      lines: ['result'],
      drawn: new Map([['id', ['x', 'y']]]),
      steps: [
        { kind: 'send', line: 'call' },
        { kind: 'request', call: 0 },
        { kind: 'request', call: 1 },
        { kind: 'respond', call: 0, entry: entries[4], isLast: false },
        { kind: 'respond', call: 1, entry: entries[5], isLast: false },
        { kind: 'respond', call: 0, entry: entries[7], isLast: true },
        { kind: 'line' },
        { kind: 'stop', signal: 'SIGTERM' },
        { kind: 'end' },
      ],
    });
  });

  it('leaves out the processes that were started for a choice, as its result is given', () => {
    const at = (seam: string, dir: string, call: number, line: string) => entry(dir, line, { seam, call });
    const plan = planOf([
      at('engine', 'in', 1, 'auto'),
      at('executor', 'in', 1, 'asked'),
      at('timer 10', 'in', 1, 'null'),
      at('executor', 'out', 1, 'started'),
      at('engine', 'out', 1, 'native'),
      at('executor', 'in', 2, 'command'),
      at('executor', 'out', 2, 'closed'),
      at('executor', 'note', 1, 'stopped'),
    ]);
    expect(plan.calls.map(({ line }) => line)).toEqual(['auto', 'null', 'command']);
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['request', 'request', 'respond', 'request', 'respond']);
  });
});

describe('brokenLine', () => {
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
