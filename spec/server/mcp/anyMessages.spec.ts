/** Any messages, of every method, in every face: each request is answered once, one that was cancelled at most once, and the server ends. */
import fc from 'fast-check';
import { endWith, of, toArray } from 'rxjs';
import { faceOf } from '../../../src/server/faces/faceOf';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import { hostWith } from '../../protocol/methods/host';
import { threadsEngine, uuid } from '../../support/conversations';
import { mcpDeps } from '../../support/mcp';

const METHODS = [
  ...['initialize', 'ping', 'server/discover', 'tools/list', 'tools/call', 'logging/setLevel', 'subscriptions/listen'],
  ...['resources/list', 'resources/templates/list', 'resources/read', 'resources/subscribe', 'resources/unsubscribe'],
  ...['prompts/list', 'prompts/get', 'completion/complete', 'tasks/get', 'notifications/initialized', 'no/such'],
  ...['newConversation', 'addConversationListener', 'removeConversationListener', 'sendUserMessage', 'sendUserTurn'],
  ...['interruptConversation', 'resumeConversation', 'listConversations', 'archiveConversation', 'gitDiffToRemote'],
  ...['thread/compact/start', 'thread/unsubscribe'],
  ...['loginChatGpt', 'cancelLoginChatGpt', 'logoutChatGpt', 'getAuthStatus', 'userInfo', 'getConfigToml'],
  ...['getUserSavedConfig', 'execOneOffCommand', 'fuzzyFileSearch'],
];
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01'];

const anyJson = fc.jsonValue({ maxDepth: 2 });
const capabilities = fc.constantFrom({}, { elicitation: {} }, { sampling: {}, elicitation: { form: {} } });
const revision = fc.constantFrom(...REVISIONS);

/** `_meta` of a client of 2026-07-28, or of an older one. */
const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/logLevel': fc.constantFrom('debug', 'loud'),
    progressToken: fc.oneof(fc.integer(), fc.string(), anyJson),
  },
  { requiredKeys: [] },
);

/** Arguments of the tools, with values that fit and values that do not. */
const toolArguments = fc.dictionary(
  fc.constantFrom('prompt', 'threadId', 'conversationId', 'sessionId', 'cwd', 'approval-policy', 'config', 'sandbox'),
  fc.oneof(fc.constantFrom('ask', 'go on', '5', 'never', uuid(1), uuid(9)), anyJson),
);

const fitting = fc.record(
  {
    _meta: meta,
    protocolVersion: revision,
    capabilities,
    clientInfo: fc.constant({ name: 'c', version: '1' }),
    name: fc.constantFrom('codex', 'codex-reply', 'no-tool'),
    arguments: toolArguments,
    level: fc.constantFrom('debug', 'loud'),
    cursor: fc.string(),
    notifications: fc.constant({ toolsListChanged: true }),
    conversationId: fc.constant(uuid(1)),
    items: fc.constant([{ type: 'text', data: { text: 'ask' } }]),
    inputResponses: fc.dictionary(fc.string(), anyJson),
    requestState: fc.string(),
  },
  { requiredKeys: [] },
);
const params = fc.oneof({ weight: 4, arbitrary: fitting }, anyJson, fc.constant(undefined));

type Sent =
  | { kind: 'request'; method: string; params: unknown }
  | { kind: 'cancel'; id: number }
  | { kind: 'line'; line: string };

const request = fc.record({ kind: fc.constant('request' as const), method: fc.constantFrom(...METHODS), params });
const cancel = fc.record({ kind: fc.constant('cancel' as const), id: fc.nat(20) });
const toLine = (message: object): Sent => ({ kind: 'line', line: JSON.stringify(message) });
const answer = fc
  .tuple(fc.nat(3), anyJson, fc.boolean())
  .map(([id, value, fits]) => toLine({ jsonrpc: '2.0', id, ...(fits ? { result: value } : { error: value }) }));
const notice = fc
  .tuple(fc.constantFrom('notifications/initialized', 'notifications/progress', 'notifications/x'), params)
  .map(([method, given]) => toLine({ jsonrpc: '2.0', method, params: given }));
const garbage = fc
  .oneof(fc.string(), fc.json())
  .map((text): Sent => ({ kind: 'line', line: text.replaceAll('\n', '') }));

const sent: fc.Arbitrary<Sent[]> = fc.array(
  fc.oneof({ weight: 6, arbitrary: request }, { weight: 2, arbitrary: cancel }, answer, notice, garbage),
  { minLength: 1, maxLength: 20 },
);

/** Requests are numbered from 1000 on: what comes back under such an id is a response to one of them. */
const FIRST = 1_000;

const lineOf = (one: Sent, at: number): string => {
  if (one.kind === 'line') return one.line;
  if (one.kind === 'request')
    return JSON.stringify({ jsonrpc: '2.0', id: FIRST + at, method: one.method, params: one.params });
  return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: FIRST + one.id } });
};

const END = 'end';

/** All lines of the server, and `end` if it has completed. */
const linesOf = (face: string, lines: readonly string[]): string[] => {
  let out: string[] = [];
  let ids = 0;
  const deps = mcpDeps({
    engine: threadsEngine(),
    face: faceOf(face as Parameters<typeof faceOf>[0], '0.1.0'),
    newCallId: () => uuid(100 + ids++),
    codexHost: () => hostWith(),
  });
  of(...lines)
    .pipe(mcpServer(deps), endWith(END), toArray())
    .subscribe((all) => {
      out = all;
    });
  return out;
};

type Answer = { id?: unknown; method?: string };

/** How often each request was answered. */
const answersOf = (lines: readonly string[]): Map<number, number> => {
  const counts = new Map<number, number>();
  for (const { id, method } of lines.flatMap((line) => JSON.parse(line) as Answer | Answer[])) {
    if (method === undefined && typeof id === 'number' && id >= FIRST) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
};

describe('the server', () => {
  it.each(['union', '0.28', '0.153'])('answers each request once, whatever it is, and ends (face %s)', (face) => {
    fc.assert(
      fc.property(sent, (all) => {
        const out = linesOf(face, all.map(lineOf));
        expect(out.pop()).toBe(END);
        const counts = answersOf(out);
        const cancelled = new Set(all.flatMap((one) => (one.kind === 'cancel' ? [FIRST + one.id] : [])));
        for (const [at, one] of all.entries()) {
          const count = counts.get(FIRST + at) ?? 0;
          if (one.kind === 'request')
            expect([one.method, count]).toEqual([one.method, cancelled.has(FIRST + at) ? Math.min(count, 1) : 1]);
          else expect(count).toBe(0);
        }
      }),
      { numRuns: 100 },
    );
  });
});
