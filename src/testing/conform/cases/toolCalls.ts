/** Cases of calls of tools: how they succeed, how they fail, and what a long call does. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../protocol/jsonrpc/messages';
import { LEGACY_VERSIONS, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { idOf, type Message, notification } from '../../messages';
import type { ConformCase, Given } from '../conformCase';
import { asksAlive, BAD_PARAMS, failedCall, failure, REPLIES, response, result, sends, short } from '../expecting';

const NO_SUCH = 'no-such-tool-4711';
const PROTOCOL_ERRORS = 'Malformed requests (requests that fail to satisfy CallToolRequest schema)';

/** Calls that do not satisfy their schema. */
const malformed: readonly ConformCase[] = Object.entries({
  'tools-call-no-name': { arguments: {} },
  'tools-call-name-number': { name: 7, arguments: {} },
  'tools-call-empty': {},
}).map(([id, params]) => ({
  id,
  level: 'MUST',
  revisions: SUPPORTED_VERSIONS,
  section: 'server/tools#error-handling',
  sentence: PROTOCOL_ERRORS,
  needs: ['tools'],
  ...asksAlive('tools/call', params, failedCall('a')),
}));

const oddNames: readonly ConformCase[] = ['constructor', '__proto__', 'toString', ''].map((name, at) => ({
  id: `tools-call-odd-name-${at + 1}`,
  level: 'ROBUSTNESS',
  revisions: SUPPORTED_VERSIONS,
  section: 'server/tools#error-handling',
  sentence: 'A tool whose name is one of every object is as unknown as any.',
  needs: ['tools'],
  ...asksAlive('tools/call', { name, arguments: {} }, failedCall('a')),
}));

/** What is wrong with the result of a call. Source: 2025-11-25 schema, CallToolResult. */
const contentFault = ({ result: outcome }: Readonly<Record<string, unknown>>): string | undefined => {
  const { content } = toObject(outcome);
  if (!Array.isArray(content)) return 'its content is no list';
  const flawed = content.find(
    (one) => !isObject(one) || typeof one.type !== 'string' || (one.type === 'text' && typeof one.text !== 'string'),
  );
  return flawed === undefined ? undefined : `an item of its content is ${short(flawed)}`;
};

/** The cases of calls that a server answers at once. */
export const TOOL_CALLS: readonly ConformCase[] = [
  {
    id: 'tools-call-unknown',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/tools#error-handling',
    sentence: 'Tools use two error reporting mechanisms:',
    needs: ['tools'],
    ...asksAlive('tools/call', { name: NO_SUCH, arguments: {} }, failedCall('a')),
  },
  {
    id: 'tools-call-unknown-code',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/tools#error-handling',
    sentence: 'Tools use two error reporting mechanisms:',
    needs: ['tools'],
    ...asksAlive('tools/call', { name: NO_SUCH, arguments: {} }, failure('a', [INVALID_PARAMS])),
  },
  ...malformed,
  ...oddNames,
  {
    id: 'tools-call-bad-params-code',
    ...BAD_PARAMS,
    revisions: SUPPORTED_VERSIONS,
    needs: ['tools'],
    ...asksAlive('tools/call', { name: 7, arguments: {} }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'tools-call-arguments-text',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/tools#error-handling',
    sentence: PROTOCOL_ERRORS,
    needs: ['tool'],
    client: 'ap-',
    server: '--(AP)',
    values: ({ request, tool }) => ({
      a: request('tools/call', { name: tool.name, arguments: 'text' }),
      A: failedCall('a'),
    }),
  },
  {
    id: 'tools-call',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/tools#calling-tools',
    sentence: 'To invoke a tool, clients send a tools/call request:',
    official: 'tools-call-simple-text',
    needs: ['tool'],
    ...sends(({ request, tool }) => request('tools/call', { ...tool }), result('a', contentFault)),
  },
  {
    id: 'tools-call-two-at-once',
    ...REPLIES,
    revisions: SUPPORTED_VERSIONS,
    needs: ['tool'],
    client: '(ab)p-',
    server: '-----(ABP)',
    values: ({ request, tool }) => ({
      a: request('tools/call', { ...tool }),
      A: response('a'),
      b: request('tools/call', { ...tool }),
      B: response('b'),
    }),
  },
];

const SLOW = { revisions: SUPPORTED_VERSIONS, needs: ['slowTool'] } satisfies Partial<ConformCase>;

/** A call of the tool. @param progressToken that the client wants progress for */
export const call = ({ request, tool }: Given, progressToken?: string | number): Message =>
  request('tools/call', {
    name: tool.name,
    arguments: tool.arguments,
    ...(progressToken !== undefined && { _meta: { progressToken } }),
  });

const cancel = (letter: string): Message =>
  notification('notifications/cancelled', { requestId: idOf(letter), reason: 'no longer needed' });

const NO_ANSWER = 'Not send a response for the cancelled request';
const CANCELLATION = 'basic/utilities/cancellation#behavior-requirements';

/** Kinds of tokens. */
const progress: readonly ConformCase[] = Object.entries({ text: 'token', number: 7, zero: 0 }).map(([kind, token]) => ({
  id: `slow-call-progress-${kind}`,
  level: 'MUST',
  ...SLOW,
  section: 'basic/utilities/progress#progress-flow',
  sentence: 'Progress tokens MUST be a string or integer value',
  official: 'tools-call-with-progress',
  client: 'a-p-',
  server: '-A-P',
  values: (given) => ({ a: call(given, token), A: result('a') }),
}));

/** The cases of long calls. */
export const SLOW_TOOLS: readonly ConformCase[] = [
  {
    id: 'slow-call-ping',
    level: 'MUST',
    ...SLOW,
    revisions: LEGACY_VERSIONS,
    section: 'basic/utilities/ping#behavior-requirements',
    sentence: 'The receiver MUST respond promptly with an empty response:',
    client: 'ap--',
    server: '--PA',
    values: (given) => ({ a: call(given), A: response('a') }),
  },
  {
    id: 'slow-call-other-requests',
    level: 'ROBUSTNESS',
    ...SLOW,
    section: REPLIES.section,
    sentence: 'Other requests are answered while a call takes its time.',
    client: '(al)--',
    server: '----LA',
    values: (given) => ({
      a: call(given),
      A: response('a'),
      l: given.request('tools/list', {}),
      L: result('l'),
    }),
  },
  {
    id: 'slow-call-two-at-once',
    ...REPLIES,
    ...SLOW,
    client: '(ab)-',
    server: '----(AB)',
    values: (given) => ({ a: call(given), A: response('a'), b: call(given), B: response('b') }),
  },
  {
    id: 'slow-call-cancelled',
    level: 'SHOULD',
    ...SLOW,
    section: CANCELLATION,
    sentence: NO_ANSWER,
    client: 'ac-b-',
    server: '----B',
    values: (given) => ({ a: call(given), c: cancel('a'), b: call(given), B: response('b') }),
  },
  {
    id: 'slow-call-cancelled-twice',
    level: 'SHOULD',
    ...SLOW,
    section: 'basic/utilities/cancellation#error-handling',
    sentence: 'Invalid cancellation notifications SHOULD be ignored:',
    client: 'accp-',
    server: '----P',
    values: (given) => ({ a: call(given), c: cancel('a') }),
  },
  {
    id: 'slow-call-cancel-of-other',
    level: 'MUST',
    ...SLOW,
    section: CANCELLATION,
    sentence: 'Cancellation notifications MUST only reference requests that:',
    client: '(ab)c-',
    server: '------A',
    values: (given) => ({ a: call(given), A: result('a'), b: call(given), c: cancel('b') }),
  },
  ...progress,
];
