/** What a person is shown of the texts of others: nothing in it is unseen or commands a terminal, and an answer still means what was asked. */
import fc from 'fast-check';
import type { EventMsg } from '../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../src/protocol/codex/events';
import type { JsonObject } from '../../src/protocol/jsonrpc/json';
import { listenerMessages } from '../../src/server/conversations/deliver';
import { toElicitation } from '../../src/server/faces/toElicitation';
import { readAnswer } from '../../src/server/mcp/readAnswers';
import { toSvg } from '../../src/tapes/drawing/toSvg';
import { deps } from '../server/conversations/support';
import { faultsOf, HOSTILE } from '../support/hostile';
import { THREAD, turnEventOf } from '../support/mcp';
import { op } from '../support/mcpCalls';
import { sessionFrom } from '../support/tapes';
import { draw } from '../tapes/diagram/tapes';

describe('a question', () => {
  it('is seen as a whole: the message, and each text of a form, at any depth and under any name', () => {
    fc.assert(
      fc.property(fc.oneof(questions, forms.map(formQuestion)), (msg) => {
        const { message, requestedSchema } = askedBy(msg);
        expect(unseenIn([message, requestedSchema])).toEqual([]);
      }),
    );
  });

  it('of a hostile form is shown in one line a text', () => {
    const { message, requestedSchema } = askedBy(formQuestion(hostileForm));
    expect(unseenIn([message, requestedSchema])).toEqual([]);
    expect(`${message}`).not.toMatch(/^(?!E| {2}\| )/m);
    expect(textsIn(requestedSchema).join('')).not.toMatch(/[\n\t]/);
  });

  it('is answered by what was shown, and the server that asked gets its own names, choices and defaults', () => {
    const { requestedSchema } = askedBy(formQuestion(hostileForm));
    const { properties } = requestedSchema as { properties: Record<string, JsonObject> };
    const shown = Object.entries(properties).map(([name, field]) => [name, pickFrom(field)]);
    expect(readAnswer(hostileForm, { action: 'accept', content: Object.fromEntries(shown) })).toEqual({
      decision: 'approved',
      form: { [HOSTILE]: HOSTILE, [`b${HOSTILE}`]: [HOSTILE], c: `d${HOSTILE}`, e: 2 },
    });
  });

  it('may also be answered by the texts of the server, or by others where any text will do', () => {
    const content = { [HOSTILE]: 'a', [`b${HOSTILE}`]: [HOSTILE], c: 'free\n text' };
    expect(readAnswer(hostileForm, { action: 'accept', content })).toEqual({ decision: 'approved', form: content });
  });

  it('of a Codex method is seen as a whole, except for the files of a patch, which are data', () => {
    fc.assert(
      fc.property(questions, (msg) => {
        const [asked] = listenerMessages(
          deps,
          { id: THREAD, listeners: [] },
          { kind: 'question', question: 1, event: eventOf(msg) },
        );
        const { file_changes: _, ...params } = (asked as { params: JsonObject }).params;
        expect(unseenIn(params)).toEqual([]);
      }),
    );
  });
});

describe('a drawing', () => {
  it('shows nothing unseen, whatever a tape holds and is named', () => {
    const message = { id: HOSTILE, method: HOSTILE, params: { clientInfo: { name: HOSTILE }, [HOSTILE]: HOSTILE } };
    const session = sessionFrom([0, 'in', message], [1, 'err', HOSTILE], [2, 'note', HOSTILE]);
    expect(faultsOf(toSvg(draw(session), { title: HOSTILE, axis: 'ordinal' }))).toEqual([]);
  });

  it('on the page puts no text into an element, nor into an attribute, that is not made visible', () => {
    const put: unknown[] = [];
    const element = {
      setAttribute: (_: string, value: string) => put.push(value),
      replaceChildren: (...all: unknown[]) => put.push(...all),
      contains: () => false,
    };
    Object.assign(globalThis, { document: { createElement: () => element } });
    const { html, fill } = require('../../src/tapes/page/browser/dom');
    fill(html('span', { title: HOSTILE }, HOSTILE), `${HOSTILE}!`);
    expect(put).toHaveLength(3);
    expect(unseenIn(put)).toEqual([]);
  });
});

const eventOf = (msg: EventMsg): CodexEvent => turnEventOf(op, msg) as CodexEvent;

const askedBy = (msg: EventMsg): JsonObject => toElicitation({ capabilities: {} }, eventOf(msg));

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The texts in a value, the names of members too. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value), ...Object.values(value)].flatMap(textsIn);
};

const unseenIn = (value: unknown): string[] => textsIn(value).filter((one) => UNSEEN.test(one));

const text = fc.string({
  unit: fc.oneof(fc.constantFrom(...HOSTILE), fc.constantFrom('a', ' ', '\\', '`')),
  maxLength: 12,
});

/** What a model or a tape may ask. */
const questions: fc.Arbitrary<EventMsg> = fc.oneof(
  fc.record({
    type: fc.constant('exec_approval_request' as const),
    call_id: fc.constant('c'),
    command: fc.array(text),
    cwd: text,
    reason: text,
  }),
  fc.record({
    type: fc.constant('apply_patch_approval_request' as const),
    call_id: fc.constant('c'),
    changes: fc.dictionary(text, fc.constant({ add: { content: HOSTILE } })),
    reason: text,
    grant_root: text,
  }),
);

/** What an MCP server may ask. */
const forms = fc.record({
  title: text,
  properties: fc.dictionary(text, fc.jsonValue({ depthSize: 'small' }), { minKeys: 1 }),
  more: fc.dictionary(text, text),
}) as fc.Arbitrary<JsonObject>;

const formQuestion = (requested_schema: JsonObject): EventMsg => ({
  type: 'elicitation_request',
  server_name: HOSTILE,
  message: HOSTILE,
  requested_schema,
});

const hostileForm = {
  type: 'object',
  properties: {
    [HOSTILE]: { type: 'string', title: HOSTILE, enum: ['a', HOSTILE], enumNames: [HOSTILE, `${HOSTILE}1`] },
    [`b${HOSTILE}`]: { type: 'array', items: { anyOf: [{ const: HOSTILE, title: HOSTILE }] } },
    c: { type: 'string', description: HOSTILE, default: `d${HOSTILE}` },
    e: { type: 'integer', title: HOSTILE },
  },
  required: [HOSTILE],
};

/** What a client sends for a field: the last choice, the default, or a number. */
const pickFrom = ({ enum: values, items, default: preset }: JsonObject): unknown => {
  if (items !== undefined) return [((items as JsonObject).anyOf as JsonObject[])[0]?.const];
  return (values as string[] | undefined)?.at(-1) ?? preset ?? 2;
};
