import { addStep, closeAnswer, type History, noHistory } from '../../../src/agent/thread/history';
import { recordHistory } from '../../../src/agent/turn/recordTurn';
import type { ResponseItem } from '../../../src/protocol/model/items';
import type { RolloutEntry } from '../../../src/threads/lines/rolloutEntry';
import { messageOf } from '../../support/models';
import { custom, environment, outputOf, reasoning, shell } from '../support';

/** What a series of histories is recorded as, step by step. */
const recorded = (...histories: History[]): RolloutEntry[][] => {
  const before = [noHistory, ...histories];
  return histories.map((history, at) => recordHistory(before[at] as History, history));
};

const items = (...payloads: ResponseItem[]): RolloutEntry[] =>
  payloads.map((payload) => ({ type: 'response_item', payload }));
const event = (message: string, images: string[] = []): RolloutEntry => ({
  type: 'event_msg',
  payload: { type: 'user_message', message, images, local_images: [], text_elements: [] },
});

const [ls, pwd, why] = [shell('c1', 'ls'), shell('c2', 'pwd'), reasoning('r1')];
const done: ResponseItem = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] };

describe('recordHistory', () => {
  it('records a prompt as an item and as an event, and the environment as an item', () => {
    expect(recorded(closeAnswer(noHistory, environment, messageOf('user', 'hi')))).toEqual([
      [...items(environment, messageOf('user', 'hi')), event('hi')],
    ]);
  });

  it('records a note on an empty answer as an item only', () => {
    const note = messageOf(
      'user',
      'Your answer had neither a message nor a call of a tool, only reasoning. Answer with a message.',
    );
    expect(recorded(closeAnswer(noHistory, note))).toEqual([items(note)]);
  });

  it('records the pictures of a prompt', () => {
    const prompt: ResponseItem = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_image', image_url: 'data:' }],
    };
    expect(recorded(closeAnswer(noHistory, prompt))).toEqual([[...items(prompt), event('', ['data:'])]]);
  });

  it('records each item and each output as it comes, once', () => {
    const called = addStep(addStep(noHistory, { kind: 'item', item: why }), { kind: 'item', item: ls });
    const answered = addStep(called, { kind: 'output', call: ls, text: 'a' });
    const closed = closeAnswer(answered);
    const ended = closeAnswer(addStep(closed, { kind: 'item', item: done }), messageOf('user', 'next'));
    expect(recorded(called, answered, closed, ended)).toEqual([
      items(why, ls),
      items(outputOf('c1', 'a')),
      [],
      [...items(done, messageOf('user', 'next')), event('next')],
    ]);
  });

  it('records the outputs of calls that were stopped when their answer is closed', () => {
    const called = [ls, pwd].reduce((history, item) => addStep(history, { kind: 'item', item }), noHistory);
    const one = addStep(called, { kind: 'output', call: pwd, text: 'b' });
    expect(recorded(one, closeAnswer(one))).toEqual([
      items(ls, pwd, outputOf('c2', 'b')),
      items(outputOf('c1', 'aborted')),
    ]);
  });

  it('records outputs of an id that an earlier answer used', () => {
    const again = shell('c1', 'ls');
    const first = closeAnswer(
      addStep(addStep(noHistory, { kind: 'item', item: ls }), { kind: 'output', call: ls, text: 'a' }),
    );
    const second = addStep(addStep(first, { kind: 'item', item: again }), { kind: 'output', call: again, text: 'b' });
    expect(recorded(first, second, closeAnswer(second))).toEqual([
      items(ls, outputOf('c1', 'a')),
      items(again, outputOf('c1', 'b')),
      [],
    ]);
  });

  it('records the output of a free-form call under its own type', () => {
    const call = custom('x', 'apply_patch', '***');
    const history = addStep(addStep(noHistory, { kind: 'item', item: call }), { kind: 'output', call, text: 'ok' });
    expect(recorded(history)[0]?.[1]).toEqual({
      type: 'response_item',
      payload: { type: 'custom_tool_call_output', call_id: 'x', output: 'ok' },
    });
  });

  it('records a history that was compacted as a whole', () => {
    const past = [environment, messageOf('user', 'sum')];
    expect(recorded(closeAnswer(noHistory, messageOf('user', 'a')), { ...noHistory, past })[1]).toEqual([
      { type: 'compacted', payload: { message: '', replacement_history: past } },
    ]);
  });

  it('records one as a whole that is as long as before, and ends alike', () => {
    const last = messageOf('user', 'b');
    const long = closeAnswer(noHistory, environment, messageOf('user', 'a'), last);
    const past = [{ ...environment }, messageOf('user', 'sum'), last];
    expect(recorded(long, { ...noHistory, past })[1]).toEqual([
      { type: 'compacted', payload: { message: '', replacement_history: past } },
    ]);
  });
});
