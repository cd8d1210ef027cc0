/** A server that conforms, as a function of lines, and what plants a fault in it. */
import {
  concat,
  concatMap,
  from,
  lastValueFrom,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  timer,
  toArray,
} from 'rxjs';
import { isObject, toObject } from '../../../src/protocol/jsonrpc/json';
import type { SignalledServer } from '../../../src/tapes/sessions/playSession';
import { ALL_RULES, CASES } from '../../../src/testing/conform/caseTable';
import { type Choice, conform, type Result } from '../../../src/testing/conform/conform';
import type { Offer } from '../../../src/testing/conform/conformCase';
import { learnOffer } from '../../../src/testing/conform/learnOffer';
import type { HarmlessTool } from '../../../src/testing/conform/needs';

import { callsOfServer, SILENCE } from './callsOfServer';
import { type Refuse, TASK_TOOLS, tasksOfServer } from './tasksOfServer';

type Json = Readonly<Record<string, unknown>>;
/** Lines that answer a line. */
export type Answers = (line: string) => string[];

const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN = '2026-07-28';
const META = 'io.modelcontextprotocol/';
const INFO = { name: 'example', version: '1.0.0' };
const CAPABILITIES = { tools: {}, prompts: {}, resources: { subscribe: true }, logging: {}, completions: {} };
const HINTS = { ttlMs: 0, cacheScope: 'public' };
const TOOL = {
  name: 'echo',
  description: 'Repeats a text',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
};
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

class Refusal {
  constructor(
    readonly code: number,
    readonly message: string,
    readonly data?: unknown,
  ) {}
}

const refuse: Refuse = (code, message, data) => {
  throw new Refusal(code, message, data);
};

const page = (name: string, items: unknown[], { cursor }: Json): Json =>
  cursor === undefined ? { [name]: items, ...HINTS } : refuse(-32602, 'Unknown cursor');

const callTool = ({ name, arguments: args = {} }: Json): Json => {
  if (name !== 'echo' || !isObject(args)) refuse(-32602, 'Unknown tool, or its arguments are no object');
  return { content: [{ type: 'text', text: String(toObject(args).text) }] };
};

const BOTH: Readonly<Record<string, (params: Json) => Json>> = {
  'tools/list': (params) => page('tools', [TOOL, ...TASK_TOOLS], params),
  'tools/call': callTool,
  'prompts/list': (params) => page('prompts', [{ name: 'hello' }], params),
  'prompts/get': ({ name }) => (name === 'hello' ? { messages: [] } : refuse(-32602, 'Unknown prompt')),
  'resources/list': (params) => page('resources', [{ uri: 'a:b', name: 'a' }], params),
  'resources/templates/list': (params) => page('resourceTemplates', [], params),
  'completion/complete': () => refuse(-32602, 'Unknown prompt'),
};

const OF_LEGACY: typeof BOTH = {
  ...BOTH,
  ping: () => ({}),
  initialize: ({ protocolVersion, capabilities }) => {
    if (typeof protocolVersion !== 'string' || !isObject(capabilities)) refuse(-32602, 'Invalid params');
    const version = LEGACY.includes(String(protocolVersion)) ? protocolVersion : LEGACY.at(-1);
    return { protocolVersion: version, capabilities: CAPABILITIES, serverInfo: INFO };
  },
  'resources/read': ({ uri }) => (uri === undefined ? refuse(-32602, 'No URI') : refuse(-32002, 'Resource not found')),
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'logging/setLevel': ({ level }) => (LEVELS.includes(String(level)) ? {} : refuse(-32602, 'Unknown level')),
};

const OF_MODERN: typeof BOTH = {
  ...BOTH,
  'server/discover': () => ({
    supportedVersions: [MODERN],
    capabilities: { ...CAPABILITIES, extensions: { 'io.modelcontextprotocol/tasks': {} } },
    ...HINTS,
  }),
  'resources/read': () => refuse(-32602, 'Resource not found'),
};

type TasksOf = ReturnType<typeof tasksOfServer>;

const modern = (method: string, params: Json, tasksOf: TasksOf): Json => {
  const meta = toObject(params._meta);
  const {
    [`${META}protocolVersion`]: version,
    [`${META}clientCapabilities`]: capabilities,
    [`${META}logLevel`]: level,
  } = meta;
  if (typeof version !== 'string' || !isObject(capabilities)) refuse(-32602, 'Invalid _meta');
  if (version !== MODERN) refuse(-32022, 'Unsupported protocol version', { supported: [MODERN], requested: version });
  if (level !== undefined && !LEVELS.includes(String(level))) refuse(-32602, 'Unknown level');
  const result = tasksOf(method, params, toObject(capabilities)) ?? run(OF_MODERN, method, params);
  return { resultType: 'complete', ...result, _meta: { [`${META}serverInfo`]: INFO } };
};

const run = (methods: typeof BOTH, method: string, params: Json): Json =>
  Object.hasOwn(methods, method)
    ? (methods[method] as (params: Json) => Json)(params)
    : refuse(-32601, `Unknown method ${method}`);

const reply = (id: unknown, outcome: () => Json): string[] => {
  try {
    return [JSON.stringify({ jsonrpc: '2.0', id, result: outcome() })];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [JSON.stringify({ jsonrpc: '2.0', id, error: { ...error } })];
  }
};

/** A subscription that is acknowledged, or refused. */
const listen = (id: unknown, params: Json, tasksOf: TasksOf): string[] => {
  const { notifications, _meta } = params;
  try {
    const agreed = tasksOf('subscriptions/listen', params, toObject(toObject(_meta)[`${META}clientCapabilities`]));
    return acknowledge(id, isObject(notifications) ? { ...notifications, ...agreed } : undefined);
  } catch (error) {
    return reply(id, () => {
      throw error;
    });
  }
};

const acknowledge = (id: unknown, notifications: Json | undefined): string[] =>
  notifications
    ? [
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications, _meta: { [`${META}subscriptionId`]: id } },
        }),
      ]
    : reply(id, () => refuse(-32602, 'Invalid params'));

/** The server. Its first request shows which kind of revision a client speaks. */
const example = (): Answers => {
  const tasksOf = tasksOfServer(refuse);
  const calls = callsOfServer();
  let era: 'unknown' | 'legacy' | 'modern' = 'unknown';
  const answer = (value: unknown): string[] => {
    if (Array.isArray(value)) {
      const all = value.flatMap(answer);
      return value.length === 0
        ? reply(null, () => refuse(-32600, 'Empty batch'))
        : all.length === 0
          ? []
          : [`[${all.join(',')}]`];
    }
    const { jsonrpc, id, method, params, result, error } = toObject(value);
    if (result !== undefined || error !== undefined) return calls(toObject(value)) ?? [];
    if (jsonrpc !== '2.0' || typeof method !== 'string')
      return reply(id ?? null, () => refuse(-32600, 'Invalid Request'));
    if (id === undefined) return calls(toObject(value)) ?? [];
    if (typeof id !== 'string' && !Number.isInteger(id)) return reply(null, () => refuse(-32600, 'Invalid id'));
    const meta = toObject(toObject(params)._meta);
    if (method === 'initialize' && !(`${META}protocolVersion` in meta)) era = 'legacy';
    if (era === 'unknown') era = `${META}protocolVersion` in meta ? 'modern' : 'legacy';
    if (era === 'modern' && method === 'subscriptions/listen') return listen(id, toObject(params), tasksOf);
    const own = calls(toObject(value));
    if (own !== undefined) return own;
    return reply(id, () =>
      era === 'modern' ? modern(method, toObject(params), tasksOf) : run(OF_LEGACY, method, toObject(params)),
    );
  };
  return (line) => {
    if (line === SILENCE) return calls({ method: SILENCE }) ?? [];
    const text = line.replace(/^\ufeff/, '').trim();
    if (text === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return reply(null, () => refuse(-32700, 'Parse error'));
    }
    return answer(value);
  };
};

/** Lines one by one, each followed by a moment of silence. */
export const withSilences = (): OperatorFunction<string, string> => (line$) =>
  line$.pipe(
    concatMap((lines) => lines.split('\n')),
    mergeMap((text) => concat(of(text), timer(SILENCE_MS).pipe(map(() => SILENCE)))),
  );

const SILENCE_MS = 4;

/** What is planted: it has the answers of the server that conforms, and gives others. */
export type Fault = (good: Answers) => Answers;

/** A server in this process. @param first lines that it sends before anybody asks */
export const serverOf =
  (fault: Fault = (good) => good, first: readonly string[] = []): SignalledServer =>
  () =>
  (line$) => {
    const answers = fault(example());
    const line = (text: string) => ({ kind: 'line' as const, line: text });
    return concat(from(first), line$.pipe(withSilences(), concatMap(answers))).pipe(map(line), (event$) =>
      concat(event$, of({ kind: 'ended' as const, trouble: '', exitCode: 0 })),
    );
  };

/** The tools of the server, for cases that call one. */
const TOOLS: readonly HarmlessTool[] = ['echo', 'slow', 'ask'].map((name) => ({ name, arguments: { text: 'x' } }));

const depsOf = (server: SignalledServer) => ({ server, limitMs: 250, settleMs: 10, now: () => performance.now() });

/** What a server offers, and what its tools are like. */
export const offerOf = (server: SignalledServer, tools = TOOLS): Promise<Offer> =>
  lastValueFrom(
    learnOffer(depsOf(server), tools).pipe(
      map((offer) => ({ ...offer, tools: offer.tools?.map((one) => ({ ...one, isSlow: one.name === 'slow' })) })),
    ),
  );

/** The results of all cases that need no process of their own; without the largest, which cost the most. @param offer of the server */
export const resultsOf = (
  server: SignalledServer,
  choice: Partial<Choice> = {},
  offer: Promise<Offer> = offerOf(server),
): Promise<Result[]> => {
  const all: Choice = { cases: CASES.filter(isSmall), rules: ALL_RULES, kind: 'url', jobs: 16, ...choice };
  const conforms = (offer: Offer): Observable<Result[]> =>
    conform({ deps: depsOf(server), offer, choice: all }).pipe(toArray());
  return lastValueFrom(from(offer).pipe(concatMap(conforms)));
};

/** Whether a case is cheap. */
export const isSmall = ({ id }: { id: string }): boolean => !LARGE.test(id);

const LARGE = /^(?:acp-)?(?:pipelined-10+|line-\d+-mb|json-very-deep)$/;
