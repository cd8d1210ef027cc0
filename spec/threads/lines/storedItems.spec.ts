import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { SUMMARY_MARK } from '../../../src/threads/lines/isContext';
import { storedItems } from '../../../src/threads/lines/storedItems';

const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] });
const line = (type: string, payload: object): JsonObject => ({ type, payload }) as JsonObject;
const item = (role: string, text: string) => line('response_item', message(role, text));
const texts = (lines: readonly JsonObject[]): string[] =>
  storedItems(lines).map((each) =>
    each.type === 'message' ? each.content.map((part) => 'text' in part && part.text).join() : each.type,
  );

const CONTEXT = '<environment_context>\n</environment_context>';

describe('storedItems', () => {
  it('reads bare items and those in an envelope, and leaves out what is for clients', () => {
    expect(
      texts([message('user', 'a') as JsonObject, item('user', 'b'), line('event_msg', { type: 'agent_message' })]),
    ).toEqual(['a', 'b']);
  });

  const happened = (...types: string[]) => types.map((type) => line('event_msg', { type }));
  const note = expect.stringMatching(
    /^<turn_aborted>\nThe previous turn ended before it was done: its program ended\n/,
  );

  it('notes where a turn has no end, because its program was killed', () => {
    const [started, complete, aborted] = happened('task_started', 'task_complete', 'turn_aborted');
    expect(texts([started, item('user', 'a')] as JsonObject[])).toEqual(['a', note]);
    const next = [started, item('user', 'a'), started, item('user', 'b'), complete] as JsonObject[];
    expect(texts(next)).toEqual(['a', note, 'b']);
    const ended = [started, item('user', 'a'), aborted, started, item('user', 'b'), complete] as JsonObject[];
    expect(texts(ended)).toEqual(['a', 'b']);
  });

  it('replaces what was compacted', () => {
    const replacement_history = [message('user', 'short')];
    expect(
      texts([item('user', 'a'), line('compacted', { message: '', replacement_history }), item('user', 'b')]),
    ).toEqual(['short', 'b']);
  });

  it('keeps the context and the summary of an older compaction', () => {
    const lines = [
      item('developer', 'rules'),
      item('user', CONTEXT),
      item('user', 'a'),
      line('compacted', { message: 'sum' }),
    ];
    expect(texts(lines)).toEqual(['rules', CONTEXT, 'sum']);
  });

  it.each([
    [1, [CONTEXT, 'a']],
    [2, [CONTEXT]],
    [3, [CONTEXT]],
    [0, [CONTEXT, 'a', 'b']],
  ])('leaves out %i turns that were rolled back', (num_turns, expected) => {
    const lines = [item('user', CONTEXT), item('user', 'a'), item('user', 'b')];
    expect(texts([...lines, line('event_msg', { type: 'thread_rolled_back', num_turns })])).toEqual(expected);
  });

  it('counts no summary as a turn that is rolled back', () => {
    const replacement_history = [message('user', `${SUMMARY_MARK}\nSUM`)];
    const lines = [line('compacted', { message: '', replacement_history }), item('user', 'a')];
    expect(texts([...lines, line('event_msg', { type: 'thread_rolled_back', num_turns: 2 })])).toEqual([
      `${SUMMARY_MARK}\nSUM`,
    ]);
  });
});
