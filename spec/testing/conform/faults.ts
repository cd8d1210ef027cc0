/** Faults of servers, each with the cases that find it. */
import { toObject } from '../../../src/protocol/jsonrpc/json';
import { answered, before, changed, is, type Json, message, type Planted, withCode, withResult } from './planting';
import type { Fault } from './servers';

/** Changes the one tool that is listed. */
const withTool = (change: (tool: Json) => unknown[]): Fault =>
  withResult('tools/list', (result) => {
    const [tool, ...others] = result.tools as Json[];
    return { ...result, tools: [...change(tool as Json), ...others] };
  });

const OTHER = 'shout';

/** Found with a handshake. */
export const LEGACY_FAULTS: Readonly<Record<string, Planted>> = {
  'agrees on any revision': {
    fault: withResult('initialize', (result, { protocolVersion }) => ({
      ...result,
      ...(/^(?:1|2099|ban|2026)/.test(String(protocolVersion)) && { protocolVersion }),
    })),
    found: [
      'initialize-unknown-old',
      'initialize-unknown-future',
      'initialize-no-version',
      'initialize-modern-version',
    ],
  },
  'has no name': {
    fault: withResult('initialize', ({ serverInfo, ...result }) => result),
    found: ['initialize-result'],
  },
  'has text in pings': { fault: withResult('ping', () => ({ text: 'pong' })), found: ['ping'] },
  'answers notifications': {
    fault: before('notifications/no/such', message({ id: null, error: { code: -32601, message: 'x' } })),
    found: ['notification-unknown'],
  },
  'does whatever it is asked': { fault: answered('no/such/method', {}, {}), found: ['unknown-method'] },
  'mixes up ids': {
    fault: (good) => (line) => good(line).map((text) => text.replace('"id":-7', '"id":-8')),
    found: ['id-negative', 'responses-have-ids-of-requests'],
  },
  'answers twice': {
    fault: (good) => (line) => good(line).flatMap((text) => (is(line, 'prompts/list') ? [text, text] : [text])),
    found: ['one-response-for-each-request'],
  },
  'prints what it does': { fault: before('tools/list', 'listing tools'), found: ['stdout-only-messages'] },
  'forgets the version of JSON-RPC': {
    fault: changed('prompts/list', ({ jsonrpc, ...response }) => response),
    found: ['messages-of-json-rpc'],
  },
  'asks for roots': {
    fault: before('resources/list', message({ id: 'r', method: 'roots/list' })),
    found: ['only-declared-capabilities'],
  },
  'asks without an id': {
    fault: before('prompts/get', message({ id: null, method: 'ping' })),
    found: ['requests-have-ids'],
  },
  'reports progress to nobody': {
    fault: before(
      'completion/complete',
      message({ method: 'notifications/progress', params: { progressToken: 'x', progress: 1 } }),
    ),
    found: ['progress-only-for-tokens'],
  },
  'has no schema of a tool': {
    fault: withTool((tool) => [tool, { ...tool, name: OTHER, inputSchema: {} }]),
    found: ['tools-list'],
  },
  'has a wrong schema': {
    fault: withTool((tool) => [
      tool,
      { ...tool, name: OTHER, inputSchema: { type: 'object', properties: { a: { type: 'text' } } } },
    ]),
    found: ['tools-list-schemas'],
  },
  'has blanks in names': {
    fault: withTool((tool) => [tool, { ...tool, name: 'to shout' }]),
    found: ['tools-list-names'],
  },
  'has a name twice': { fault: withTool((tool) => [tool, tool]), found: ['tools-list-unique'] },
  'describes nothing': { fault: withTool(({ description, ...tool }) => [tool]), found: ['tools-list-described'] },
  'takes any cursor': {
    fault: answered('prompts/list', { cursor: 'no-such-cursor' }, { prompts: [] }),
    found: ['prompts-list-bad-cursor'],
  },
  'has any tool': {
    fault: answered('tools/call', { name: 'no-such-tool-4711' }, { content: [] }),
    found: ['tools-call-unknown', 'tools-call-unknown-code'],
  },
  'has wrong codes': { fault: withCode('prompts/get', -32603), found: ['prompts-get-unknown', 'prompts-get-no-name'] },
  'has content without text': {
    fault: withResult('tools/call', () => ({ content: [{ type: 'text' }] })),
    found: ['tools-call'],
  },
  'has any resource': {
    fault: answered('resources/read', { uri: 'x-no-such://nowhere/4711' }, { contents: [] }),
    found: ['resources-read-unknown-legacy', 'resources-read-fails'],
  },
  'shows any file': {
    fault: answered(
      'resources/read',
      { uri: 'file:///../../../../etc/passwd' },
      { contents: [{ uri: 'x', text: 'root:x:0:0:' }] },
    ),
    found: ['resources-read-escape'],
  },
  'has any level': {
    fault: answered('logging/setLevel', { level: 'loud' }, {}),
    found: ['logging-level-unknown'],
  },
  'ignores what is no JSON': {
    fault: (good) => (line) => good(line).filter((text) => !text.includes('-32700')),
    found: ['invalid-broken-json', 'invalid-plain-text'],
  },
  'stumbles over CRLF': { fault: (good) => (line) => (line.endsWith('\r') ? [] : good(line)), found: ['line-crlf'] },
  'knows no batches': {
    fault: (good) => (line) => (line.startsWith('[{"jsonrpc":"2.0","id":"many-') ? [] : good(line)),
    found: ['batch'],
  },
};

/** Found without a handshake. */
export const MODERN_FAULTS: Readonly<Record<string, Planted>> = {
  'has no type of result': {
    fault: answered('completion/complete', {}, { completion: { values: [] } }),
    found: ['modern-result-type', 'completion-unknown-prompt', 'completion-no-argument'],
  },
  'gives no hints': {
    fault: withResult('tools/list', ({ ttlMs, ...result }) => result),
    found: ['modern-cache-hints-tools-list'],
  },
  'takes any revision': {
    fault: (good) => (line) => good(line.replace('1999-01-01', '2026-07-28')),
    found: ['modern-version-old'],
  },
  'names no revision': {
    fault: changed('server/discover', (response) =>
      JSON.parse(
        JSON.stringify(response).replace(
          '"supported":["2026-07-28"],"requested":"2099',
          '"supported":[],"requested":"2099',
        ),
      ),
    ),
    found: ['modern-version-future'],
  },
  'has former codes': {
    fault: withCode('resources/read', -32002),
    found: ['modern-no-reserved-codes', 'resources-read-unknown', 'resources-read-no-uri'],
  },
  'asks the client': {
    fault: before('prompts/list', message({ id: 'r', method: 'roots/list' })),
    found: ['modern-no-requests-of-servers'],
  },
  'logs what nobody asks for': {
    fault: before('resources/list', message({ method: 'notifications/message', params: { level: 'info', data: 'x' } })),
    found: ['modern-no-unasked-logs'],
  },
  'does not name itself': {
    fault: withResult('server/discover', ({ _meta, ...result }) => result),
    found: ['modern-server-info'],
  },
  'still has pings': {
    fault: changed('ping', ({ error, ...response }) =>
      toObject(error).code === -32601 ? { ...response, result: { resultType: 'complete' } } : { ...response, error },
    ),
    found: ['modern-removed-ping'],
  },
  'acknowledges nothing': {
    fault: (good) => (line) => good(line).filter((text) => !text.includes('acknowledged')),
    found: ['modern-listen-acknowledged'],
  },
  'changes the order of tools': {
    fault: (good) => {
      let times = 0;
      return withTool((tool) => {
        times += 1;
        const other = { ...tool, name: OTHER };
        return times % 2 === 0 ? [tool, other] : [other, tool];
      })(good);
    },
    found: ['tools-list-stable'],
  },
};
