import * as fc from 'fast-check';
import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import { toJson } from '../../../src/protocol/jsonrpc/json';
import { deltaTexts } from '../../../src/server/mcp/toMessages';

/** As a face that names its thread, and puts members before and behind the delta. */
const shown = ({ type, ...rest }: EventMsg): object => ({ thread_id: 't"delta":""', type, ...rest, turn_id: 'u' });

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '"delta":""', '\\', '\u2028', '\ud800'));
const msg = fc.oneof(
  fc.record({
    type: fc.constant('agent_message_delta' as const),
    delta: text,
    item_id: fc.constantFrom('a', 'b', '"'),
  }),
  fc.record({ type: fc.constant('agent_reasoning_delta' as const), delta: text, item_id: fc.constantFrom('a', 'b') }),
  fc.record({ type: fc.constant('agent_reasoning_section_break' as const), item_id: fc.constantFrom('a', 'b') }),
);

describe('deltaTexts', () => {
  it('is the JSON of each message, whatever texts and items follow each other', () => {
    fc.assert(
      fc.property(fc.array(msg), (msgs) => {
        const texts = deltaTexts(msgs, shown).flatMap(({ head, values, tail }) =>
          values.map((value) => head + value + tail),
        );
        expect(texts).toEqual(msgs.map((one) => toJson(shown(one))));
      }),
    );
  });

  it('asks what a message is to the client once for deltas of one item', () => {
    const asked: EventMsg[] = [];
    const delta = (item_id: string, text: string) => ({ type: 'agent_message_delta', delta: text, item_id }) as const;
    const count = (one: EventMsg) => {
      asked.push(one);
      return one;
    };
    const texts = deltaTexts([delta('a', 'x'), delta('a', 'y'), delta('b', 'z'), delta('b', 'z')], count);
    expect(texts.map(({ values }) => values)).toEqual([
      ['"x"', '"y"'],
      ['"z"', '"z"'],
    ]);
    expect(asked).toEqual([delta('a', ''), delta('b', '')]);
  });
});
