import fc from 'fast-check';
import { joinDeltas, outputCategoryOf } from '../../../src/tapes/session/joinDeltas';

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

describe('joinDeltas', () => {
  it.each<[string, object[], object[]]>([
    ['a run of deltas', [delta('a'), delta('b'), delta('c')], [delta('abc')]],
    ['deltas of a method without an event', [plain({ delta: 'a' }), plain({ delta: 'b' })], [plain({ delta: 'ab' })]],
    ['output of a debug adapter', [output(1, 'a'), output(2, 'b')], [output(1, 'ab')]],
    ['output whose number was left out', [numberless('a'), numberless('b')], [numberless('ab')]],
    ['pieces of bytes, also where a character is cut', [chunk('é'), chunk('!')], [chunk('é!')]],
  ])('joins %s', (_, items, joined) => {
    expect(joinDeltas(items as { value: unknown }[])).toEqual(joined);
  });

  it.each<[string, object[]]>([
    ['of different types', [delta('a'), delta('b', 'agent_reasoning_delta')]],
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

describe('outputCategoryOf', () => {
  it.each<[unknown, string | undefined]>([
    [output(1, 'a', 'stderr').value, 'stderr'],
    [numberless('a').value, 'console'],
    [{ jsonrpc: '2.0', ...numberless('a').value }, undefined],
    [{ type: 'event', event: 'output' }, undefined],
    ['output', undefined],
  ])('of %j is %j', (value, category) => {
    expect(outputCategoryOf(value)).toBe(category);
  });
});
