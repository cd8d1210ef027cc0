import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { type Selection, selectLines } from '../../../src/tapes/specWriter/selectLines';
import { sessionFrom } from '../../support/tapes';

const UUID = '00000000-0000-4000-8000-000000000001';
const call = (id: number, args: object = {}) => ({ id, method: 'tools/call', params: { name: 'codex', ...args } });
const answer = (id: number, result: object = {}) => ({ id, result });

/** Line numbers of what is selected, in order. */
const selected = (lines: Parameters<typeof sessionFrom>, selection: Selection = {}): number[] | undefined =>
  selectLines(toSessionIndex(sessionFrom(...lines)), selection)?.map(({ line }) => line.lineNumber);

const handshake: Parameters<typeof sessionFrom> = [
  [0, 'in', { id: 0, method: 'initialize', params: {} }],
  [1, 'out', answer(0)],
  [2, 'in', { method: 'notifications/initialized' }],
];

describe('selectLines', () => {
  it('selects everything in the order of the tape, with the end of the input', () => {
    expect(
      selected([...handshake, [3, 'in', call(1)], [4, 'note', 'standard input closed'], [5, 'out', answer(1)]]),
    ).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('selects the handshake, the calls of a span, and their responses whenever they came', () => {
    const lines: typeof handshake = [...handshake, [10, 'in', call(1)], [20, 'in', call(2)], [90, 'out', answer(1)]];
    expect(selected([...lines, [91, 'out', answer(2)]], { fromMs: 5, toMs: 15 })).toEqual([1, 2, 3, 4, 6]);
    expect(selected(lines, { fromMs: 95 })).toBeUndefined();
  });

  it.each([UUID, 'sess_1a2b3c'])('selects the call that issued %s, which a selected line sends back', (made) => {
    const lines: typeof handshake = [
      [0, 'in', call(1)],
      [1, 'out', answer(1, { made })],
      [2, 'in', call(2)],
      [3, 'out', answer(2)],
      [9, 'in', call(3, { again: made })],
    ];
    expect(selected(lines, { fromMs: 8 })).toEqual([1, 2, 5]);
  });

  it('selects a cancel with its request, and an answer with the request that it answers', () => {
    const cancel = (id: number) => ({ method: 'notifications/cancelled', params: { requestId: id } });
    const ask = { id: 'q', method: 'elicitation/create', params: { _meta: { requestId: 2 } } };
    const lines: typeof handshake = [
      [0, 'in', call(1, { threadId: 'a' })],
      [1, 'in', call(2, { threadId: 'b' })],
      [2, 'in', cancel(1)],
      [3, 'in', cancel(2)],
      [4, 'out', ask],
      [5, 'in', answer('q' as unknown as number)],
    ];
    expect(selected(lines, { thread: 'a' })).toEqual([1, 3]);
    expect(selected(lines, { thread: 'b' })).toEqual([2, 4, 5, 6]);
  });

  it('selects notifications of a thread that name no request', () => {
    const note = (thread: string) => ({ method: 'note', params: { threadId: thread } });
    const lines: typeof handshake = [
      [0, 'in', call(1, { threadId: 'a' })],
      [1, 'out', note('b')],
      [2, 'out', note('a')],
    ];
    expect(selected(lines, { thread: 'a' })).toEqual([1, 3]);
  });

  it('does not take a text that looks like a thread for one', () => {
    const lines: typeof handshake = [
      [0, 'in', call(1, { threadId: 'thread-a' })],
      [1, 'in', call(2, { threadId: 'thread-b', prompt: 'like thread-a' })],
    ];
    expect(selected(lines, { thread: 'thread-a' })).toEqual([1]);
  });
});
