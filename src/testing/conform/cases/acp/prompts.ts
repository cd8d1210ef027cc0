/** Cases of prompts, which need a model: they run if `--prompt` is given. */
import { toObject } from '../../../../protocol/jsonrpc/json';
import { request } from '../../../messages';
import type { ConformCase, Given, Observed } from '../../conformCase';
import { REPLIES, response, result, short } from '../../expecting';
import type { Need } from '../../needs';
import { messagesOf } from '../../observed';
import { open, opened, SESSION } from '../../speaking';
import { AGENT } from './row';

const REASONS = ['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled'];

/** The answer to a prompt. */
export const stopped = (letter: string, fits: (reason: string) => boolean = () => true) =>
  result(letter, ({ result: outcome }) => {
    const { stopReason } = toObject(outcome);
    return typeof stopReason === 'string' && REASONS.includes(stopReason) && fits(stopReason)
      ? undefined
      : `its stopReason is ${short(stopReason)}`;
  });

/** The same of a turn that nobody cancels. */
export const ended = (letter: string) => stopped(letter, (reason) => reason !== 'cancelled');

/** The prompt of `--prompt`. */
export const ask = ({ prompt }: Given, ...blocks: object[]) =>
  request('session/prompt', { sessionId: SESSION, prompt: [{ type: 'text', text: prompt }, ...blocks] });

type Rows = Pick<ConformCase, 'client' | 'server' | 'values'>;

const prompted = (...blocks: object[]): Rows => ({
  client: 'a-p-',
  server: '-A-P',
  values: (given) => ({ a: ask(given, ...blocks), A: ended('a') }),
});

const LINK = { type: 'resource_link', uri: 'file:///no/such/file', name: 'file' };
const LINK_ELSEWHERE = { type: 'resource_link', uri: 'https://example.com/page', name: 'page', mimeType: 'text/html' };
const RESOURCE = { type: 'resource', resource: { uri: 'file:///no/such/file', text: 'text', mimeType: 'text/plain' } };
const BLOB = { type: 'resource', resource: { uri: 'file:///no/such/file', blob: 'AAAA' } };
/** One pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const BASELINE =
  'As a baseline, all Agents MUST support ContentBlock::Text and ContentBlock::ResourceLink in session/prompt requests.';

/** What a prompt may hold. */
const contents: readonly ConformCase[] = (
  [
    ['two-texts', [{ type: 'text', text: 'Thank you.' }], []],
    ['resource-link', [LINK], []],
    ['resource-link-elsewhere', [LINK_ELSEWHERE], []],
    ['annotations', [{ ...LINK, annotations: { audience: ['assistant'], priority: 1 } }], []],
    ['resource', [RESOURCE], ['embeddedContext']],
    ['resource-blob', [BLOB], ['embeddedContext']],
    ['image', [{ type: 'image', data: PNG, mimeType: 'image/png' }], ['image']],
  ] satisfies [string, object[], Need[]][]
).map(([kind, blocks, needs]) => ({
  id: `acp-prompt-${kind}`,
  level: 'MUST',
  ...AGENT,
  section: 'initialization#prompt-capabilities',
  sentence: needs.length === 0 ? BASELINE : 'Optionally, they MAY support richer types of content',
  needs: ['prompt', ...needs],
  ...prompted(...blocks),
}));

/** The updates of a session, each with the place of its line. */
export const updatesIn = (observed: Observed) =>
  messagesOf(observed, 'out').flatMap(({ method, params }, at) =>
    method === 'session/update' ? [{ at, update: toObject(toObject(params).update) }] : [],
  );

/** The cases of this file. */
export const ACP_PROMPTS: readonly ConformCase[] = [
  {
    id: 'acp-prompt',
    level: 'MUST',
    ...AGENT,
    section: 'prompt-turn#4-check-for-completion',
    sentence: 'the Agent MUST respond to the original session/prompt request with a StopReason:',
    needs: ['prompt'],
    ...prompted(),
  },
  {
    id: 'acp-prompt-says-something',
    level: 'ROBUSTNESS',
    ...AGENT,
    section: 'prompt-turn#3-agent-reports-output',
    sentence: 'A turn that ends by itself has a message of the agent.',
    needs: ['prompt'],
    ...prompted(),
    judge: (observed) =>
      updatesIn(observed).some(({ update }) => update.sessionUpdate === 'agent_message_chunk')
        ? undefined
        : 'it sends no agent_message_chunk',
  },
  {
    id: 'acp-prompt-twice',
    level: 'MUST',
    ...AGENT,
    section: 'prompt-turn#6-continue-conversation',
    sentence: 'Once a prompt turn completes, the Client may send another session/prompt to continue the conversation',
    needs: ['prompt'],
    client: 'a-b-',
    server: '-A-B',
    values: (given) => ({ a: ask(given), A: ended('a'), b: ask(given), B: ended('b') }),
  },
  {
    id: 'acp-prompt-two-sessions',
    level: 'MUST',
    ...AGENT,
    section: 'session-setup',
    sentence: 'allowing multiple independent interactions with the same Agent.',
    needs: ['prompt'],
    client: 't-(ab)-',
    server: '-T-----(AB)',
    values: (given) => ({
      t: open(given),
      T: opened('t', '$other'),
      a: ask(given),
      A: ended('a'),
      b: request('session/prompt', {
        sessionId: '<string $other>',
        prompt: [{ type: 'text', text: given.prompt }],
      }),
      B: ended('b'),
    }),
  },
  {
    id: 'acp-prompt-while-prompt',
    ...REPLIES,
    level: 'ROBUSTNESS',
    ...AGENT,
    sentence: 'A second prompt while one runs has a response, as has the first.',
    needs: ['prompt'],
    client: '(ab)-',
    server: '----(AB)',
    values: (given) => ({ a: ask(given), A: response('a'), b: ask(given), B: response('b') }),
  },
  {
    id: 'acp-prompt-meta',
    level: 'MUST',
    ...AGENT,
    section: 'extensibility#the-_meta-field',
    sentence: 'All types in the protocol include a _meta field with type { [key: string]: unknown }',
    needs: ['prompt'],
    client: 'a-p-',
    server: '-A-P',
    values: (given) => {
      const meta = { _meta: { 'example.com/x': 1 } };
      const blocks = [{ type: 'text', text: given.prompt, ...meta }];
      return { a: request('session/prompt', { sessionId: SESSION, prompt: blocks, ...meta }), A: ended('a') };
    },
  },
  ...contents,
  {
    id: 'acp-prompt-empty',
    ...REPLIES,
    level: 'ROBUSTNESS',
    ...AGENT,
    sentence: 'A prompt without content has a response.',
    needs: ['prompt'],
    client: 'ap-',
    server: '--(AP)',
    values: () => ({ a: request('session/prompt', { sessionId: SESSION, prompt: [] }), A: response('a') }),
  },
];
