import { toRerunPlan } from '../../src/rerun';
import type { Entry } from '../../src/tape';

const entry = (dir: string, line: string, own: Partial<Entry> = {}): Entry => ({ t: 0, dir, line, ...own });
const model = (dir: string, call: number, line: string) => entry(dir, line, { seam: 'model', call });

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
    const plan = toRerunPlan(
      { meta: {}, entries: entries.map((one, i) => ({ lineNumber: i + 2, entry: one })) },
      'chance',
    );
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
});
