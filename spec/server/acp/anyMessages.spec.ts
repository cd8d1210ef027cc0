/** Any messages of a client of ACP: each request is answered exactly once, cancelled or not, and the server ends. */
import fc from 'fast-check';
import { endWith, of, toArray } from 'rxjs';
import { acpServer } from '../../../src/server/acp/acpServer';
import { acpDeps, FIRST, machineWith, SECOND } from '../../support/acp';
import { threadsEngine } from '../../support/conversations';

const METHODS = [
  ...['initialize', 'authenticate', 'logout', 'session/new', 'session/load', 'session/resume', 'session/list'],
  ...['session/close', 'session/delete', 'session/set_mode', 'session/set_config_option', 'session/fork', '_own/x'],
  ...['session/prompt', 'session/prompt', 'session/prompt', 'session/prompt'],
];

const anyJson = fc.jsonValue({ maxDepth: 2 });
const sessionId = fc.constantFrom(FIRST, FIRST, SECOND, 'none');
const block = fc.oneof(
  fc.constantFrom('ask', 'go on', '0', '/compact', '/status', '').map((text) => ({ type: 'text', text })),
  anyJson,
);
const fitting = fc.record(
  {
    protocolVersion: fc.constantFrom(1, 2),
    clientCapabilities: fc.constantFrom({}, { elicitation: { form: {}, url: {} } }),
    methodId: fc.constantFrom('present', 'chatgpt'),
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
    fc.tuple(fc.nat(3), outcome).map(([id, result]) => toLine({ id, result })),
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
});
