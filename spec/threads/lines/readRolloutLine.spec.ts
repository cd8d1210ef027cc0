import fc from 'fast-check';
import { type RolloutItem, readRolloutLine } from '../../../src/threads/lines/readRolloutLine';

const message = (role: string, ...texts: string[]) => ({
  type: 'message',
  role,
  content: texts.map((text) => ({ type: 'text', text })),
});
const call = { type: 'function_call', name: 'shell', call_id: 'c', arguments: '{"command":["ls"]}' };
const begin = { type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '', parsed_cmd: [] };
const done = { type: 'agent_message', message: 'Done.' };

describe('readRolloutLine', () => {
  it.each<[string, object, RolloutItem[] | undefined]>([
    ['a message of the user', message('user', 'a', 'b'), [{ kind: 'prompt', text: 'ab' }]],
    ['a message that Codex wrote for the user', message('user', '<environment_context>'), []],
    ['a message of the agent', message('assistant', 'Done.'), [{ kind: 'event', msg: done }]],
    ['a message of the developer', message('developer', 'x'), []],
    [
      'reasoning',
      { type: 'reasoning', summary: [{ text: 'hm' }] },
      [{ kind: 'event', msg: { type: 'agent_reasoning', text: 'hm' } }],
    ],
    ['a call', call, [{ kind: 'event', msg: begin }]],
    ['a line of state', { record_type: 'state' }, []],
    ['an unknown item', { type: 'moon' }, undefined],
    ['an object without a type', { a: 1 }, undefined],
  ])('reads %s of 0.28.0', (_, line, items) => {
    expect(readRolloutLine(line as never)).toEqual(items);
  });

  it.each<[string, string, object, RolloutItem[] | undefined]>([
    ['a message of the user', 'event_msg', { type: 'user_message', message: 'hi' }, [{ kind: 'prompt', text: 'hi' }]],
    ['an event', 'event_msg', done, [{ kind: 'event', msg: done }]],
    ['an event that clients do not know', 'event_msg', { type: 'moon' }, []],
    ['a message that is an event as well', 'response_item', message('assistant', 'Done.'), []],
    ['a call', 'response_item', call, [{ kind: 'event', msg: begin }]],
    ['the settings of a turn', 'turn_context', { cwd: '/' }, [{ kind: 'turnContext', context: { cwd: '/' } }]],
    ['a compacted history', 'compacted', {}, []],
    ['an unknown payload', 'moon', {}, undefined],
  ])('reads %s of 0.142.0', (_, type, payload, items) => {
    expect(readRolloutLine({ type, payload } as never)).toEqual(items);
  });

  it.each<[string, object, RolloutItem[]]>([
    ['a message of the user', { type: 'UserMessage', content: [{ text: 'hi' }] }, [{ kind: 'prompt', text: 'hi' }]],
    ['a message of the agent', { type: 'AgentMessage', content: [{ text: 'Done.' }] }, [{ kind: 'event', msg: done }]],
    [
      'reasoning',
      { type: 'Reasoning', summary_text: ['hm'] },
      [{ kind: 'event', msg: { type: 'agent_reasoning', text: 'hm' } }],
    ],
    ['another item', { type: 'Moon' }, []],
  ])('reads %s of 0.169.0', (_, item, items) => {
    const payload = { type: 'item_completed', item };
    expect(readRolloutLine({ type: 'event_msg', payload } as never)).toEqual(items);
  });

  it('reads any object', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('type', 'payload', 'role', 'content', 'arguments'), fc.jsonValue()),
        (line) => {
          expect(Array.isArray(readRolloutLine(line) ?? [])).toBe(true);
        },
      ),
    );
  });
});
