import fc from 'fast-check';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { ResponseItem } from '../../../src/protocol/model/items';
import { shorten } from '../../../src/protocol/model/shorten';
import { atOnce } from '../../../src/streams/pausing';
import { SUMMARY_MARK } from '../../../src/threads/lines/prompts';
import { toItem } from '../../../src/threads/lines/storedItem';
import { addLine, noItems, pairCalls, toItems } from '../../../src/threads/lines/storedItems';
import { stepsOf } from '../../support/pausing';

const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] });

const line = (type: string, payload: object): JsonObject => ({ type, payload }) as JsonObject;

const item = (role: string, text: string) => line('response_item', message(role, text));

const texts = (lines: readonly JsonObject[]): string[] =>
  atOnce(toItems(lines.reduce(addLine, noItems()))).map((each) =>
    each.type === 'message' ? each.content.map((part) => 'text' in part && part.text).join() : each.type,
  );

const CONTEXT = '<environment_context>\n</environment_context>';

describe('addLine', () => {
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

  it('keeps the context, the prompts and the summary of an older compaction', () => {
    const lines = [
      item('developer', 'rules'),
      item('user', CONTEXT),
      item('user', 'a'),
      line('compacted', { message: 'sum' }),
    ];
    expect(texts(lines)).toEqual(['rules', CONTEXT, 'a', 'sum']);
    const long = item('user', 'x'.repeat(80_000));
    expect(texts([long, ...lines])).toEqual(['rules', CONTEXT, 'a', 'sum']);
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

  it('undoes the compaction of a turn that was rolled back, but not the compaction before', () => {
    const compaction = (...history: object[]) => line('compacted', { message: '', replacement_history: history });
    const rolledBack = (num_turns: number) => line('event_msg', { type: 'thread_rolled_back', num_turns });
    const [a, b] = [message('user', 'a'), message('user', 'b')];
    const turns = [
      item('user', 'a'),
      item('assistant', 'A'),
      item('user', 'b'),
      compaction(a, b),
      item('assistant', 'B'),
    ];
    expect(texts([...turns, rolledBack(1), item('user', 'c')])).toEqual(['a', 'A', 'c']);
    expect(texts([...turns, item('user', 'c'), rolledBack(1)])).toEqual(['a', 'b', 'B']);
    expect(texts([...turns, item('user', 'c'), rolledBack(1), rolledBack(1)])).toEqual(['a', 'A']);
    expect(texts([...turns, rolledBack(9)])).toEqual([]);
  });

  it('counts no summary as a turn that is rolled back', () => {
    const replacement_history = [message('user', `${SUMMARY_MARK}\nSUM`)];
    const lines = [line('compacted', { message: '', replacement_history }), item('user', 'a')];
    expect(texts([...lines, line('event_msg', { type: 'thread_rolled_back', num_turns: 2 })])).toEqual([
      `${SUMMARY_MARK}\nSUM`,
    ]);
  });
});

describe('pairCalls', () => {
  /** By letter: u, d messages to the model, m one of it, r reasoning; a, b, c calls, x a free-form one; A, B, C, X their outputs. */
  const item = (letter: string): ResponseItem => {
    if (letter === 'r') return { type: 'reasoning', id: 'r', summary: [] };
    if (letter === 'x') return { type: 'custom_tool_call', name: 't', input: '', call_id: 'x' };
    if (letter === 'X') return { type: 'custom_tool_call_output', call_id: 'x', output: 'X' };
    if ('abc'.includes(letter)) return { type: 'function_call', name: 't', arguments: '', call_id: letter };
    if ('ABC'.includes(letter)) return { type: 'function_call_output', call_id: letter.toLowerCase(), output: letter };
    const role = letter === 'u' ? 'user' : letter === 'd' ? 'developer' : 'assistant';
    return { type: 'message', role, content: [] };
  };
  /** The other way round; `!` marks an output `aborted`. */
  const letterOf = (each: ResponseItem): string => {
    if (each.type === 'reasoning') return 'r';
    if (each.type === 'message') return each.role === 'user' ? 'u' : each.role === 'developer' ? 'd' : 'm';
    if ('output' in each) return `${each.call_id.toUpperCase()}${each.output === 'aborted' ? '!' : ''}`;
    return 'call_id' in each ? each.call_id : each.type;
  };
  const paired = (letters: string): string =>
    atOnce(pairCalls([...letters].map(item)))
      .map(letterOf)
      .join('');

  it.each([
    ['', ''],
    ['dum', 'dum'],
    ['uraAm', 'uraAm'],
    ['uabBAm', 'uabABm'],
    ['uabAcCBm', 'uabcABCm'],
    ['uaAbBm', 'uaAbBm'],
    ['uab', 'uabA!B!'],
    ['uaum', 'uaA!um'],
    ['uxum', 'uxX!um'],
    ['uBm', 'um'],
    ['umr', 'um'],
    ['urum', 'uum'],
    ['uaAuaA', 'uaAuaA'],
    ['uaAua', 'uaAuaA!'],
    ['Au', 'u'],
  ])('makes of %s %s', (letters, expected) => {
    expect(paired(letters)).toBe(expected);
  });

  it('pauses in a long conversation', () => {
    const { steps, result } = stepsOf(pairCalls([...'uaAm'.repeat(5_000)].map(item)));
    expect([steps, result.length]).toEqual([4, 20_000]);
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...'udmrabcxABCX')), (letters) => {
        const once = atOnce(pairCalls(letters.map(item)));
        expect(atOnce(pairCalls(once))).toEqual(once);
      }),
    );
  });
});

describe('toItem', () => {
  it.each<[string, object, object | undefined]>([
    [
      'a message of 0.28.0',
      { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    ],
    [
      'a message of 0.169.0 without what providers refuse',
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        status: 'completed',
        internal: 1,
        phase: 'final_answer',
        content: [{ type: 'output_text', text: 'Done.', annotations: [] }, { type: 'audio' }],
      },
      {
        type: 'message',
        id: 'm',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.' }],
        phase: 'final_answer',
      },
    ],
    [
      'a picture',
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:', detail: 'high' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_image', image_url: 'data:' }] },
    ],
    [
      'reasoning',
      {
        type: 'reasoning',
        id: 'r',
        summary: [{ type: 'summary_text', text: 'hm' }],
        content: null,
        encrypted_content: 'e',
      },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'e' },
    ],
    [
      'thoughts that go back with calls',
      { type: 'reasoning', id: '', summary: [], extra_content: { reasoning_content: 'hm' } },
      { type: 'reasoning', id: '', summary: [], extra_content: { reasoning_content: 'hm' } },
    ],
    [
      'a summary of the provider',
      { type: 'compaction', encrypted_content: 'e', internal: 1 },
      { type: 'compaction', encrypted_content: 'e' },
    ],
    [
      'a summary of the provider by another name',
      { type: 'context_compaction', encrypted_content: 'e' },
      { type: 'context_compaction', encrypted_content: 'e' },
    ],
    ['a summary without its content', { type: 'compaction' }, undefined],
    [
      'a search of the web',
      { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } },
    ],
    [
      'an output with pictures',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'data:' },
        ],
      },
      { type: 'function_call_output', call_id: 'c', output: 'a', images: ['data:'] },
    ],
    [
      'an output with pictures as this program keeps it',
      { type: 'function_call_output', call_id: 'c', output: 'a', images: ['data:'] },
      { type: 'function_call_output', call_id: 'c', output: 'a', images: ['data:'] },
    ],
    [
      'a call',
      { type: 'function_call', id: 'f', name: 'shell', arguments: '{}', call_id: 'c', namespace: 'x' },
      { type: 'function_call', id: 'f', name: 'shell', arguments: '{}', call_id: 'c' },
    ],
    [
      'what a server wants back with a call',
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c', extra_content: { google: {} } },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c', extra_content: { google: {} } },
    ],
    [
      'a free-form call',
      { type: 'custom_tool_call', status: 'completed', name: 'apply_patch', input: '***', call_id: 'c' },
      { type: 'custom_tool_call', name: 'apply_patch', input: '***', call_id: 'c' },
    ],
    [
      'a call of the built-in shell',
      { type: 'local_shell_call', call_id: null, id: 'l', action: { type: 'exec', command: ['ls'] } },
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'l' },
    ],
    [
      'an output in parts',
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [{ type: 'input_text', text: 'a' }, { type: 'input_image' }],
      },
      { type: 'function_call_output', call_id: 'c', output: 'a' },
    ],
    [
      'an output in an object',
      { type: 'custom_tool_call_output', call_id: 'c', output: { content: 'a', success: true } },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'a' },
    ],
    ['a picture that the model made', { type: 'image_generation_call' }, undefined],
  ])('reads %s', (_, item, expected) => {
    expect(toItem(item as never)).toEqual(expected);
  });

  it('shortens an output that only Codex stores whole, as the model would read it', () => {
    const outputOf = (output: string) => toItem({ type: 'function_call_output', call_id: 'c', output });
    const lines = 'as a build prints it\n'.repeat(3000);
    expect(outputOf(lines)).toEqual({ type: 'function_call_output', call_id: 'c', output: shorten(lines) });
    const own = 'x'.repeat(40_960);
    expect(outputOf(own)).toMatchObject({ output: own });
  });

  it('reads any object', () => {
    const kinds = fc.constantFrom('message', 'reasoning', 'function_call', 'local_shell_call', 'function_call_output');
    const members = fc.dictionary(
      fc.constantFrom('role', 'content', 'output', 'summary', 'action', 'id'),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(kinds, members, (type, rest) => {
        expect(typeof toItem({ ...rest, type })?.type).toBe('string');
      }),
    );
  });
});
