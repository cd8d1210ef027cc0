/** Cases of calls of tools: how they succeed, and how they fail. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../protocol/jsonrpc/messages';
import { SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import type { ConformCase } from '../conformCase';
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

/** All of them. */
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
