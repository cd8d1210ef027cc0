import fc from 'fast-check';
import { readRepeated } from '../../../../src/agent/model/responses/readRepeated';
import { isObject, parseObject } from '../../../../src/protocol/jsonrpc/json';
import type { ModelEvent } from '../../../../src/protocol/model/events';

/** As a decoder reads: one type of events has a text at the top, all else is no delta. */
const read = (data: string): ModelEvent | undefined => {
  const event = parseObject(data);
  if (event?.type === 'end') return { kind: 'nothing' };
  return event?.type === 'text' && typeof event.delta === 'string'
    ? { kind: 'text', itemId: String(isObject(event.item) ? event.item.id : event.item), delta: event.delta }
    : undefined;
};

const text = (delta: string, item = 'msg_1', rest: object = {}): string =>
  JSON.stringify({ type: 'text', item, delta, ...rest });

const countReads = (lines: readonly string[]) => {
  const reader = jest.fn(read);
  const repeated = readRepeated(reader);
  return { events: lines.map(repeated), reads: reader.mock.calls.length };
};

describe('readRepeated', () => {
  it('parses the first of deltas in equal frames, and one probe for the others', () => {
    const { events, reads } = countReads(
      ['a', 'b', '', '\u00e9\u2028\ud83d\ude00 of more', 'e'].map((delta) => text(delta)),
    );
    expect(events.map((event) => event?.kind === 'text' && event.delta)).toEqual([
      'a',
      'b',
      '',
      '\u00e9\u2028\ud83d\ude00 of more',
      'e',
    ]);
    expect(reads).toBe(2);
  });

  it.each([
    ['another item', text('b', 'msg_2')],
    ['a member after the delta', text('b', 'msg_1', { logprobs: [] })],
    ['an escape', text('b"\n')],
    ['an escape that is none', text('b').replace('b', '\\q')],
    ['a character that JSON does not allow within a string', text('b').replace('b', '\u0007')],
    ['a delta that ends before the frame does', text('b').replace('"b"', '"b","delta":"c"')],
    ['a text that is too short for the frame', '{"type":"text"}'],
    ['another event', '{"type":"end"}'],
    ['no JSON', 'nothing'],
  ])('reads an event with %s as ever', (_, line) => {
    const { events } = countReads([text('a'), line, text('c')]);
    expect(events).toEqual([text('a'), line, text('c')].map(read));
  });

  it.each([
    ['within an object before it', '{"type":"text","item":{"id":"x","delta":"a"},"delta": "a"}'],
    ['at the end of a name', '{"type":"text","item":"m","x\\"delta":"a","delta": "a"}'],
    ['a second time after it', '{"type":"text","item":"m","delta":"a","delta":"a"}'],
  ])('is not led astray by the text of a delta %s', (_, line) => {
    const lines = [line, line.replace('"a"', '"b"'), line.replace(/"a"/g, '"c"')];
    expect(countReads(lines).events).toEqual(lines.map(read));
  });

  it('reads any events as parsing each does', () => {
    const delta = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '\\', '\\u0041', '","delta":"'),
    );
    const item = fc.constantFrom('m', '"delta":"', 'x\\', '{"delta":"a"}');
    const frames = fc.constantFrom({}, { a: { delta: 'a' } }, { delta2: 'a' }, { sequence: 1 });
    const line = fc.tuple(delta, item, frames, fc.boolean()).map(([d, i, rest, isRaw]) => {
      const whole = text(d, i, rest);
      return isRaw ? whole.replace(JSON.stringify(d), `"${d}"`) : whole;
    });
    fc.assert(fc.property(fc.array(line), (lines) => expect(countReads(lines).events).toEqual(lines.map(read))));
  });
});
