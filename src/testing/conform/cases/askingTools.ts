/** Cases of a call that asks its client: by a request in revisions with a handshake, by a result of its own in 2026-07-28. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { LEGACY_VERSIONS, META_CAPABILITIES, MODERN_VERSION } from '../../../protocol/mcp/mcp';
import { answer, idOf, type Message, notification, refusal } from '../../messages';
import type { ConformCase, Given } from '../conformCase';
import { asked, REPLIES, response, result, short } from '../expecting';
import { firstFault } from '../observed';
import { call } from './toolCalls';

const ASKING = {
  needs: ['askingTool'],
  capabilities: { elicitation: {}, sampling: {} },
} satisfies Partial<ConformCase>;
const LEGACY = { ...ASKING, revisions: LEGACY_VERSIONS } as const;
const MODERN = { ...ASKING, revisions: [MODERN_VERSION] } as const;

type Json = Readonly<Record<string, unknown>>;

/** What is wrong with the params of a question. Source: 2025-11-25 schema, ElicitRequestFormParams, CreateMessageRequestParams. */
const questionFault = ({ method, params }: Json): string | undefined => {
  const { message, mode, url, requestedSchema, messages, maxTokens } = toObject(params);
  if (method === 'elicitation/create') {
    if (typeof message !== 'string') return 'it has no message';
    if (mode === 'url') return typeof url === 'string' ? undefined : 'it has no url';
    return isObject(requestedSchema) && requestedSchema.type === 'object'
      ? flatFault(toObject(requestedSchema.properties))
      : `its requestedSchema is ${short(requestedSchema)}`;
  }
  if (method !== 'sampling/createMessage') return undefined;
  return Array.isArray(messages) && Number.isInteger(maxTokens) ? undefined : 'it has no messages or no maxTokens';
};

const PRIMITIVE = ['string', 'number', 'integer', 'boolean', 'array'];

const flatFault = (properties: Json): string | undefined =>
  firstFault(Object.entries(properties), ([name, schema]) => {
    const { type, enum: values, oneOf } = toObject(schema);
    const isFlat = PRIMITIVE.includes(String(type)) || values !== undefined || oneOf !== undefined;
    return isFlat ? undefined : `the property ${short(name)} of its form is ${short(schema)}`;
  });

/** Answers that turn a question down, by its method. Source: 2025-11-25 schema, ElicitResult, CreateMessageResult, ListRootsResult. */
const answersTo = (method: string | undefined): readonly Json[] => {
  if (method === 'roots/list') return [{ roots: [] }];
  if (method === 'sampling/createMessage')
    return [{ role: 'assistant', content: { type: 'text', text: 'Hi' }, model: 'none', stopReason: 'endTurn' }];
  return [{ action: 'decline' }, { action: 'cancel' }];
};

const question = ({ tool }: Given): Message => asked(tool.asks ?? '', questionFault);

/** The call `a`, the question `Q`, and what the client does then. */
const whenAsked = (client: string, server: string, values: (given: Given) => Record<string, Message>) => ({
  client: `a-${client}`,
  server: `-Q${server}`,
  values: (given: Given) => ({ a: call(given), Q: question(given), A: response('a'), ...values(given) }),
});

/** What a client may answer, and what is no answer. */
const answered: readonly ConformCase[] = [
  ...[0, 1].map((at) => ({
    id: at === 0 ? 'asking-call-declined' : 'asking-call-dismissed',
    ...REPLIES,
    ...LEGACY,
    ...whenAsked('y-', '-A', (given) => {
      const answers = answersTo(given.tool.asks);
      return { y: answer('Q', answers[at] ?? answers[0]) };
    }),
  })),
  ...Object.entries({
    empty: {},
    'unknown-action': { action: 'perhaps' },
    'null-content': { action: 'accept', content: null },
  }).map(
    ([kind, value]): ConformCase => ({
      id: `asking-call-odd-answer-${kind}`,
      ...REPLIES,
      level: 'ROBUSTNESS',
      ...LEGACY,
      sentence: 'An answer that fits no question ends a call all the same.',
      ...whenAsked('y-', '-A', () => ({ y: answer('Q', value) })),
    }),
  ),
  {
    id: 'asking-call-refused',
    ...REPLIES,
    ...LEGACY,
    ...whenAsked('y-', '-A', () => ({ y: refusal('Q', -32_603, 'Nobody is there') })),
  },
];

const keyOf = ({ result: outcome }: Json): unknown => Object.keys(toObject(toObject(outcome).inputRequests))[0];
const stateOf = ({ result: outcome }: Json): unknown => toObject(outcome).requestState;

const MRTR = 'basic/patterns/mrtr#server-requirements-basic-workflow';

/** A result that asks. @param holes whether the case names its key and its state */
const inputRequired = (letter: string): Message =>
  result(
    letter,
    ({ result: outcome }) => {
      const { resultType, inputRequests, requestState } = toObject(outcome);
      if (resultType !== 'input_required') return `its resultType is ${short(resultType)}`;
      if (inputRequests === undefined && requestState === undefined)
        return 'it has neither inputRequests nor requestState';
      return firstFault(Object.values(toObject(inputRequests)), (one) =>
        isObject(one) && /^(?:elicitation\/create|sampling\/createMessage|roots\/list)$/.test(String(one.method))
          ? questionFault(one)
          : `a question is ${short(one)}`,
      );
    },
    { $key: keyOf, $state: (message) => stateOf(message) ?? null },
  );

/** The call again, with an answer under a key. */
const retry = (given: Given, key: string, value: unknown): Message =>
  given.request('tools/call', {
    name: given.tool.name,
    arguments: given.tool.arguments,
    inputResponses: { [key]: value },
    requestState: '<any $state>',
  });

const KEY = '<string $key>';

const whenRequired = (client: string, server: string, values: (given: Given) => Record<string, Message>) => ({
  client: `a-${client}`,
  server: `-A${server}`,
  values: (given: Given) => ({ a: call(given), A: inputRequired('a'), ...values(given) }),
});

/** The cases of this file. */
export const ASKING_TOOLS: readonly ConformCase[] = [
  ...answered,
  {
    id: 'asking-call-ping',
    level: 'MUST',
    ...LEGACY,
    section: 'basic/utilities/ping#behavior-requirements',
    sentence: 'The receiver MUST respond promptly with an empty response:',
    ...whenAsked('p-y-', '-P-A', (given) => ({ y: answer('Q', answersTo(given.tool.asks)[0]) })),
  },
  {
    id: 'asking-call-answered-twice',
    ...REPLIES,
    level: 'ROBUSTNESS',
    ...LEGACY,
    sentence: 'A second answer to a question changes nothing.',
    ...whenAsked('y-zp-', '-A--P', (given) => {
      const [first] = answersTo(given.tool.asks);
      return { y: answer('Q', first), z: { jsonrpc: '2.0', id: 'no-such-question', result: first } };
    }),
  },
  {
    id: 'asking-call-cancelled',
    level: 'SHOULD',
    ...LEGACY,
    section: 'basic/utilities/cancellation#behavior-requirements',
    sentence: 'Not send a response for the cancelled request',
    ...whenAsked('cp-', '--P', () => ({ c: notification('notifications/cancelled', { requestId: idOf('a') }) })),
  },
  {
    id: 'asking-call-undeclared',
    ...REPLIES,
    ...LEGACY,
    capabilities: {},
    client: 'a-',
    server: '-A',
    values: (given) => ({ a: call(given), A: response('a') }),
  },
  {
    id: 'modern-asking-call',
    level: 'MUST',
    ...MODERN,
    section: MRTR,
    sentence:
      'Servers MUST include at least one of inputRequests or requestState in every InputRequiredResult response.',
    ...whenRequired('', '', () => ({})),
  },
  {
    id: 'modern-asking-call-answered',
    level: 'MUST',
    ...MODERN,
    section: 'basic/patterns/mrtr#basic-workflow',
    sentence:
      'The server encodes any needed context into the requestState field, which the client echoes back on retry.',
    ...whenRequired('b-', '-B', (given) => ({
      b: retry(given, KEY, answersTo(given.tool.asks)[0]),
      B: result('b'),
    })),
  },
  {
    id: 'modern-asking-call-unknown-key',
    level: 'SHOULD',
    ...MODERN,
    section: 'basic/patterns/mrtr#error-handling',
    sentence:
      'the server SHOULD respond with a new InputRequiredResult requesting the missing information again, rather than returning an error.',
    ...whenRequired('b-', '-B', (given) => ({
      b: retry(given, 'no-such-key-4711', answersTo(given.tool.asks)[0]),
      B: result('b'),
    })),
  },
  {
    id: 'modern-asking-call-foreign-state',
    level: 'MUST',
    ...MODERN,
    section: MRTR,
    sentence: 'servers MUST treat requestState as an attacker-controlled input.',
    ...whenRequired('b-p-', '-B-P', (given) => ({
      b: given.request('tools/call', {
        name: given.tool.name,
        arguments: given.tool.arguments,
        inputResponses: { [KEY]: answersTo(given.tool.asks)[0] },
        requestState: 'no-such-state-4711',
      }),
      B: response('b', ({ result: outcome }) =>
        toObject(outcome).resultType === 'complete' && toObject(outcome).isError !== true
          ? 'it takes a state that it never gave'
          : undefined,
      ),
    })),
  },
  {
    id: 'modern-asking-call-undeclared',
    level: 'MUST',
    ...MODERN,
    section: MRTR,
    sentence:
      'Servers MUST NOT send an inputRequests that the client has not declared support for in its capabilities.',
    client: 'a-',
    server: '-A',
    values: ({ request, tool }) => ({
      a: request('tools/call', { name: tool.name, arguments: tool.arguments, _meta: { [META_CAPABILITIES]: {} } }),
      A: response('a', ({ result: outcome }) =>
        Object.keys(toObject(toObject(outcome).inputRequests)).length > 0 ? 'it asks' : undefined,
      ),
    }),
  },
];
