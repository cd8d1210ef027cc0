/** Any messages of a client of ACP: each request is answered exactly once, cancelled or not, and the server ends. */
import fc from 'fast-check';
import { endWith, of, toArray } from 'rxjs';
import { acpServer } from '../../../src/server/acp/acpServer';
import { acpDeps, FIRST, machineWith, SECOND } from '../../support/acp';
import { threadsEngine } from '../../support/conversations';

const OFTEN = 4;

const METHODS = [
  'initialize authenticate logout session/new session/load session/resume session/list session/close session/delete',
  'session/set_mode session/set_config_option session/fork _own/x providers/list providers/set providers/disable',
  'auth/status session/status session/set_model session/archive _session/unarchive session/set_title',
  `authentication/status${' session/prompt'.repeat(OFTEN)}`,
].flatMap((names) => names.split(' '));

const anyJson = fc.jsonValue({ maxDepth: 2 });
const sessionId = fc.constantFrom(FIRST, FIRST, SECOND, 'none');
const block = fc.oneof(
  fc.constantFrom('ask', 'run', 'go on', '0', '/compact', '/status', '').map((text) => ({ type: 'text', text })),
  anyJson,
);
const fitting = fc.record(
  {
    protocolVersion: fc.constantFrom(1, 2),
    clientCapabilities: fc.constantFrom({}, { elicitation: { form: {}, url: {} } }, { terminal: true }),
    methodId: fc.constantFrom('present', 'chatgpt'),
    providerId: fc.constantFrom('openai', 'none'),
    apiType: fc.constant('openai'),
    baseUrl: fc.constantFrom('https://a', 'b'),
    modelId: fc.constantFrom('m', 'm[high]', 'none'),
    title: fc.string(),
    sessionId,
    cwd: fc.constantFrom('/w', 'w'),
    mcpServers: fc.constant([]),
    prompt: fc.array(block, { minLength: 1, maxLength: 2 }),
    modeId: fc.constantFrom('auto', 'read-only', 'none'),
    configId: fc.constantFrom('mode', 'model'),
    value: fc.constantFrom('auto', 'm', true),
  },
  { requiredKeys: ['protocolVersion', 'methodId', 'sessionId', 'cwd', 'prompt', 'modeId', 'configId', 'value'] },
);
const params = fc.oneof({ weight: 8, arbitrary: fitting }, anyJson);

/** Requests are numbered from here on: what comes back under such an id is a response to one of them. */
const FROM = 1_000;

type Sent =
  | { kind: 'request'; method: string; params: unknown }
  | { kind: 'cancel'; at: number }
  | { kind: 'line'; line: string };

const toLine = (message: object): Sent => ({ kind: 'line', line: JSON.stringify({ jsonrpc: '2.0', ...message }) });
const outcome = fc.oneof(
  fc.constantFrom('allow_once', 'reject_always').map((optionId) => ({ outcome: { outcome: 'selected', optionId } })),
  fc.constant({ outcome: { outcome: 'cancelled' } }),
  fc.constantFrom({ terminalId: 't' }, { terminalId: 'u' }, { exitCode: 0 }, { output: '', truncated: false }),
  anyJson,
);

const sent: fc.Arbitrary<Sent[]> = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('request' as const), method: fc.constantFrom(...METHODS), params }),
    },
    { weight: 2, arbitrary: fc.nat(20).map((at): Sent => ({ kind: 'cancel', at })) },
    { weight: 2, arbitrary: sessionId.map((id) => toLine({ method: 'session/cancel', params: { sessionId: id } })) },
    fc.tuple(fc.nat(5), outcome).map(([id, result]) => toLine({ id, result })),
    fc.string().map((text): Sent => ({ kind: 'line', line: text.replaceAll('\n', '') })),
  ),
  { minLength: 1, maxLength: 25 },
);

const lineOf = (one: Sent, at: number): string => {
  if (one.kind === 'line') return one.line;
  const message =
    one.kind === 'request'
      ? { id: FROM + at, method: one.method, params: one.params }
      : { method: '$/cancel_request', params: { requestId: FROM + one.at } };
  return JSON.stringify({ jsonrpc: '2.0', ...message });
};

/** A command that begins in a terminal. */
const begun: readonly Sent[] = [
  ...[
    ['initialize', { protocolVersion: 1, clientCapabilities: { terminal: true } }],
    ['session/new', { cwd: '/w', mcpServers: [] }],
    ['session/prompt', { sessionId: FIRST, prompt: [{ type: 'text', text: 'run' }] }],
  ].map(([method, params]) => ({ kind: 'request', method, params }) as Sent),
  toLine({ id: 0, result: { terminalId: 't' } }),
];

/** All lines of the server, and `end` if it has completed. */
const linesOf = (lines: readonly string[]): string[] => {
  let out: string[] = [];
  const deps = acpDeps({ engine: threadsEngine({ stored: [SECOND] }), codexHost: () => machineWith({ [SECOND]: '' }) });
  of(...lines)
    .pipe(acpServer(deps), endWith('end'), toArray())
    .subscribe((all) => {
      out = all;
    });
  return out;
};

describe('the server of ACP', () => {
  it('answers each request once, whatever it is, and ends', () => {
    fc.assert(
      fc.property(sent, (all) => {
        const out = linesOf(all.map(lineOf));
        expect(out.pop()).toBe('end');
        const ids = out
          .map((line) => JSON.parse(line) as { id?: unknown; method?: string })
          .flatMap(({ id, method }) => (method === undefined && typeof id === 'number' && id >= FROM ? [id] : []));
        const asked = all.flatMap((one, at) => (one.kind === 'request' ? [FROM + at] : []));
        expect(ids.toSorted()).toEqual(asked);
      }),
      { numRuns: 300 },
    );
  });

  it('releases each terminal of the client, whatever comes, and uses none after that', () => {
    fc.assert(
      fc.property(sent, (all) => {
        const open = new Set<string>();
        const lines = linesOf([...begun, ...all].map(lineOf));
        expect(lines).toContainEqual(expect.stringContaining('terminal/wait_for_exit'));
        for (const line of lines) {
          const { method, params } = line === 'end' ? {} : JSON.parse(line);
          if (!`${method}`.startsWith('terminal/') || method === 'terminal/create') continue;
          const terminal = JSON.stringify(params);
          if (method === 'terminal/output') expect(open).toContain(terminal);
          if (method === 'terminal/release') open.delete(terminal);
          else open.add(terminal);
        }
        expect([...open]).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
