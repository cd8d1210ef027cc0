/** Cases of calls of tools: how they succeed, and how they fail. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import type { Values } from '../../phase';
import type { ConformCase, Given } from '../conformCase';
import { failedCall, failure, response, result, short } from '../expecting';

const ALL = SUPPORTED_VERSIONS;
const INVALID_PARAMS = -32602;

const called =
  (params: object, expected: Values[string]) =>
  ({ request }: Given): Values => ({ a: request('tools/call', params), A: expected });

const NO_SUCH = 'no-such-tool-4711';
const PROTOCOL_ERRORS = 'Protocol Errors: Standard JSON-RPC errors for issues like:';

/** Calls that do not satisfy their schema. */
const malformed: readonly ConformCase[] = Object.entries({
  'tools-call-no-name': { arguments: {} },
  'tools-call-name-number': { name: 7, arguments: {} },
  'tools-call-empty': {},
}).map(([id, params]) => ({
  id,
  level: 'MUST',
  revisions: ALL,
  section: 'server/tools#error-handling',
  sentence: PROTOCOL_ERRORS,
  needs: ['tools'],
  client: 'ap-',
  server: '--(AP)',
  values: called(params, failedCall('a')),
}));

const oddNames: readonly ConformCase[] = ['constructor', '__proto__', 'toString', ''].map((name, at) => ({
  id: `tools-call-odd-name-${at + 1}`,
  level: 'ROBUSTNESS',
  revisions: ALL,
  section: 'server/tools#error-handling',
  sentence: 'A tool whose name is one of every object is as unknown as any.',
  needs: ['tools'],
  client: 'ap-',
  server: '--(AP)',
  values: called({ name, arguments: {} }, failedCall('a')),
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

/** All of them. */
export const TOOL_CALLS: readonly ConformCase[] = [
  {
    id: 'tools-call-unknown',
    level: 'MUST',
    revisions: ALL,
    section: 'server/tools#error-handling',
    sentence: 'Tools use two error reporting mechanisms:',
    needs: ['tools'],
    client: 'ap-',
    server: '--(AP)',
    values: called({ name: NO_SUCH, arguments: {} }, failedCall('a')),
  },
  {
    id: 'tools-call-unknown-code',
    level: 'SHOULD',
    revisions: ALL,
    section: 'server/tools#error-handling',
    sentence: PROTOCOL_ERRORS,
    needs: ['tools'],
    client: 'ap-',
    server: '--(AP)',
    values: called({ name: NO_SUCH, arguments: {} }, failure('a', [INVALID_PARAMS])),
  },
  ...malformed,
  ...oddNames,
  {
    id: 'tools-call-bad-params-code',
    level: 'SHOULD',
    revisions: ALL,
    section: 'https://www.jsonrpc.org/specification#error_object',
    sentence: '-32602 Invalid params: Invalid method parameter(s).',
    needs: ['tools'],
    client: 'ap-',
    server: '--(AP)',
    values: called({ name: 7, arguments: {} }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'tools-call-arguments-text',
    level: 'MUST',
    revisions: ALL,
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
    revisions: ALL,
    section: 'server/tools#calling-tools',
    sentence: 'To invoke a tool, clients send a tools/call request:',
    official: 'tools-call-simple-text',
    needs: ['tool'],
    client: 'a-',
    server: '-A',
    values: ({ request, tool }) => ({ a: request('tools/call', { ...tool }), A: result('a', contentFault) }),
  },
  {
    id: 'tools-call-two-at-once',
    level: 'MUST',
    revisions: ALL,
    section: 'https://www.jsonrpc.org/specification#response_object',
    sentence:
      'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
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
