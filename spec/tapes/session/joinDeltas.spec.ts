import fc from 'fast-check';
import { cutAlike, freeLaneOf, joinDeltas } from '../../../src/tapes/session/joinDeltas';

const event = (msg: object, more: object = {}) => ({ value: { method: 'codex/event', params: { msg, ...more } } });
const delta = (text: unknown, type = 'agent_message_delta') => event({ type, delta: text });
const plain = (params: object) => ({ value: { method: 'item/agentMessage/delta', params } });
const bytes = (text: string) => Buffer.from(text).toString('base64');
const chunk = (text: string, stream = 'stdout') =>
  event({ type: 'exec_command_output_delta', stream, chunk: bytes(text) });

const output = (seq: number, text: string, category = 'stdout', name = 'output') => ({
  value: { seq, type: 'event', event: name, body: { category, output: text } },
});

const numberless = (text: string) => ({ value: { type: 'event', event: 'output', body: { output: text } } });

const update = (change: object) => ({
  value: { method: 'session/update', params: { sessionId: 's', update: change } },
});
const messageChunk = (text: string, sessionUpdate = 'agent_message_chunk', messageId = 'm') =>
  update({ sessionUpdate, messageId, content: { type: 'text', text } });
const image = { sessionUpdate: 'agent_message_chunk', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } };
const printed = (data: string) =>
  update({ sessionUpdate: 'tool_call_update', toolCallId: 't', _meta: { terminal_output_delta: { data } } });

describe('joinDeltas', () => {
  it.each<[string, object[], object[]]>([
    ['a run of deltas', [delta('a'), delta('b'), delta('c')], [delta('abc')]],
    ['deltas of a method without an event', [plain({ delta: 'a' }), plain({ delta: 'b' })], [plain({ delta: 'ab' })]],
    ['output of a debug adapter', [output(1, 'a'), output(2, 'b')], [output(1, 'ab')]],
    ['output whose number was left out', [numberless('a'), numberless('b')], [numberless('ab')]],
    ['chunks of a message of an agent', [messageChunk('a'), messageChunk('b')], [messageChunk('ab')]],
    ['output of a command of an agent', [printed('a'), printed('b')], [printed('ab')]],
    ['pieces of bytes, also where a character is cut', [chunk('é'), chunk('!')], [chunk('é!')]],
  ])('joins %s', (_, items, joined) => {
    expect(joinDeltas(items as { value: unknown }[])).toEqual(joined);
  });

  it.each<[string, object[]]>([
    ['of different types', [delta('a'), delta('b', 'agent_reasoning_delta')]],
    [
      'of different messages of an agent',
      [messageChunk('a'), messageChunk('b', undefined, 'n'), messageChunk('c', 'agent_thought_chunk', 'n')],
    ],
    ['of an agent that are no text', [update(image), update(image)]],
    ['of different categories of output', [output(1, 'a'), output(2, 'b', 'stderr')]],
    ['of a debug adapter that are no output', [output(1, 'a', 'stdout', 'x'), output(2, 'b', 'stdout', 'x')]],
    ['of different streams', [chunk('a'), chunk('b', 'stderr')]],
    [
      'that differ beside the text',
      [event({ type: 'x_delta', delta: 'a' }, { id: 1 }), event({ type: 'x_delta', delta: 'b' }, { id: 2 })],
    ],
    ['with another message between', [delta('a'), event({ type: 'task_started' }), delta('b')]],
    ['that have no text', [event({ type: 'x_delta' }), event({ type: 'x_delta' })]],
    ['whose type is no delta', [event({ type: 'whole', delta: 'a' }), event({ type: 'whole', delta: 'b' })]],
    [
      'that are no notification',
      [{ value: { delta: 'a' } }, { value: 'delta' }, { value: { method: 'delta', params: 1 } }],
    ],
  ])('keeps messages %s', (_, items) => {
    expect(joinDeltas(items as { value: unknown }[])).toEqual(items);
  });

  it('joins deltas with what comes when it comes between them', () => {
    const usage = update({ sessionUpdate: 'usage_update', used: 1, size: 2 });
    expect(joinDeltas([messageChunk('a'), usage, messageChunk('b')])).toEqual([messageChunk('ab'), usage]);
    expect(joinDeltas([output(1, 'a'), output(2, 'b', 'stderr'), output(3, 'c')])).toEqual([
      output(1, 'ac'),
      output(2, 'b', 'stderr'),
    ]);
  });

  it('keeps the first of two texts where one is none, and what else stands with the first item', () => {
    expect(
      joinDeltas([
        { ...delta('a'), at: 1 },
        { ...delta(7), at: 2 },
      ]),
    ).toEqual([{ ...delta('a'), at: 1 }]);
  });

  it('changes no item', () => {
    const items = [delta('a'), delta('b')];
    joinDeltas(items);
    expect(items).toEqual([delta('a'), delta('b')]);
  });

  it('gives the same for a text, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (pieces) => {
        expect(joinDeltas(pieces.map((piece) => delta(piece)))).toEqual([delta(pieces.join(''))]);
        expect(joinDeltas(pieces.map((piece) => chunk(piece)))).toEqual([chunk(pieces.join(''))]);
      }),
    );
  });
});

describe('freeLaneOf', () => {
  it.each<[unknown, string | undefined]>([
    [output(1, 'a', 'stderr').value, "the program's output on stderr"],
    [numberless('a').value, "the program's output on console"],
    [update({ sessionUpdate: 'usage_update', used: 1, size: 2 }).value, 'usage_update of the session'],
    [update({ sessionUpdate: 'tool_call_update', toolCallId: 't' }).value, undefined],
    [{ jsonrpc: '2.0', ...numberless('a').value }, undefined],
    [{ type: 'event', event: 'output' }, undefined],
    ['output', undefined],
  ])('of %j is %j', (value, lane) => {
    expect(freeLaneOf(value)).toBe(lane);
  });
});

describe('cutAlike', () => {
  it('cuts the longer text where the shorter ends, if it begins with the shorter', () => {
    const [a, ab] = [messageChunk('a').value, messageChunk('ab').value];
    expect(cutAlike(a, ab)).toEqual([a, a]);
    expect(cutAlike(ab, a)).toEqual([a, a]);
  });

  it('leaves other texts, and messages without a text', () => {
    const [a, b, none] = [messageChunk('a').value, messageChunk('b').value, { id: 1, result: {} }];
    expect(cutAlike(a, b)).toEqual([a, b]);
    expect(cutAlike(a, none)).toEqual([a, none]);
  });
});
