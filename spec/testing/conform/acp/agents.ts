/** An agent of ACP that conforms, as a function of lines. What its turns say comes when a line of its client has been followed by silence. */
import { concat, concatMap, from, map, of } from 'rxjs';
import { PARAMS } from '../../../../src/protocol/acp/shapes';
import { isObject, toObject } from '../../../../src/protocol/jsonrpc/json';
import type { SignalledServer } from '../../../../src/tapes/sessions/playSession';
import { SILENCE } from '../callsOfServer';
import type { Json } from '../planting';
import { type Answers, type Fault, withSilences } from '../servers';
import { connectTo } from './fakeServers';
import { type Script, scriptOf } from './scriptsOfAgent';

type Session = { cwd: string; past: string[]; prompt?: { id: unknown; text: string; script?: Script } };

const CAPABILITIES = {
  loadSession: true,
  mcpCapabilities: { http: true, sse: true },
  promptCapabilities: { image: true, embeddedContext: true },
  sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
};
const MODES = {
  currentModeId: 'ask',
  availableModes: [
    { id: 'ask', name: 'Ask' },
    { id: 'code', name: 'Code' },
  ],
};
const OPTIONS = [
  {
    type: 'select',
    id: 'model',
    name: 'Model',
    category: 'model',
    currentValue: 'm',
    options: [{ value: 'm', name: 'M' }],
  },
];
const STATE = { modes: MODES, configOptions: OPTIONS };

const line = (members: object): string => JSON.stringify({ jsonrpc: '2.0', ...members });
const failed = (id: unknown, code: number, message: string): string => line({ id, error: { code, message } });
const update = (sessionId: unknown, change: object): string =>
  line({ method: 'session/update', params: { sessionId, update: change } });
const chunk = (sessionUpdate: string, text: string): object => ({ sessionUpdate, content: { type: 'text', text } });

type Sessions = Map<unknown, Session>;
type Called = { id: unknown; params: Json; sessions: Sessions };
type Declared = { client: Json };

const NOT_FOUND = (id: unknown): string[] => [failed(id, -32002, 'Session not found')];

/** A session of the params, and what is sent with it. */
const within =
  (send: (called: Called, session: Session) => string[]) =>
  (called: Called): string[] => {
    const session = called.sessions.get(called.params.sessionId);
    return session === undefined ? NOT_FOUND(called.id) : send(called, session);
  };

const stop = (session: Session, stopReason: string): string[] => {
  const { prompt } = session;
  delete session.prompt;
  return prompt === undefined
    ? []
    : [...(prompt.script?.release() ?? []), line({ id: prompt.id, result: { stopReason } })];
};

const done = (id: unknown): string[] => [line({ id, result: {} })];
const isAbsolute = (path: unknown): boolean => String(path).startsWith('/');

const open = ({ id, params, sessions }: Called): string[] => {
  const { additionalDirectories = [] } = params;
  if (![params.cwd, ...(additionalDirectories as unknown[])].every(isAbsolute))
    return [failed(id, -32602, 'Not absolute')];
  const sessionId = `session-${sessions.size}-${Math.random()}`;
  sessions.set(sessionId, { cwd: String(params.cwd), past: [] });
  connectTo(params.mcpServers);
  const commands = {
    sessionUpdate: 'available_commands_update',
    availableCommands: [{ name: 'plan', description: 'Plans' }],
  };
  return [line({ id, result: { sessionId, ...STATE } }), update(sessionId, commands)];
};

const load = (isShown: boolean) =>
  within(({ id, params }, { past }) => {
    if (!isAbsolute(params.cwd)) return [failed(id, -32602, 'Not absolute')];
    connectTo(params.mcpServers);
    return [
      ...(isShown ? past.map((text) => update(params.sessionId, chunk('user_message_chunk', text))) : []),
      line({ id, result: STATE }),
    ];
  });

const METHODS: Readonly<Record<string, (called: Called) => string[]>> = {
  initialize: ({ id }) => [
    line({
      id,
      result: {
        protocolVersion: 1,
        agentCapabilities: CAPABILITIES,
        agentInfo: { name: 'agent', version: '1' },
        authMethods: [],
      },
    }),
  ],
  authenticate: ({ id }) => [failed(id, -32602, 'Unknown method')],
  'session/new': open,
  'session/load': load(true),
  'session/resume': load(false),
  'session/list': ({ id, params: { cwd, cursor }, sessions }) =>
    typeof cursor === 'string'
      ? [failed(id, -32602, 'Unknown cursor')]
      : [
          line({
            id,
            result: {
              sessions: [...sessions]
                .filter(([, one]) => typeof cwd !== 'string' || one.cwd === cwd)
                .map(([sessionId, one]) => ({ sessionId, cwd: one.cwd })),
            },
          }),
        ],
  'session/prompt': within(({ id, params }, session) => {
    if (session.prompt !== undefined) return [failed(id, -32600, 'A prompt is running')];
    const [first] = params.prompt as Json[];
    session.prompt = { id, text: String(first?.text) };
    return [];
  }),
  'session/close': within(({ id, params, sessions }, session) => {
    sessions.delete(params.sessionId);
    return [...stop(session, 'cancelled'), ...done(id)];
  }),
  'session/delete': ({ id, params, sessions }) => {
    sessions.delete(params.sessionId);
    return done(id);
  },
  'session/set_mode': within(({ id, params }) =>
    MODES.availableModes.some((mode) => mode.id === params.modeId) ? done(id) : [failed(id, -32602, 'Unknown mode')],
  ),
  'session/set_config_option': within(({ id, params }) =>
    params.configId === 'model' && params.value === 'm'
      ? [line({ id, result: { configOptions: OPTIONS } })]
      : [failed(id, -32602, 'Unknown option')],
  ),
};

const isFit = (method: string, params: Json): boolean => {
  if (method === 'session/set_config_option' && typeof params.value !== 'string') return false;
  if (method === 'session/new' && !Array.isArray(params.mcpServers)) return false;
  if (method === 'initialize') return Number.isInteger(params.protocolVersion) && Number(params.protocolVersion) >= 0;
  return PARAMS[method]?.().safeParse(params).success !== false;
};

const call = (sessions: Sessions, { id, method, params }: Json): string[] => {
  const name = String(method);
  if (!Object.hasOwn(METHODS, name)) return [failed(id, -32601, 'Method not found')];
  if (!isFit(name, toObject(params))) return [failed(id, -32602, 'Invalid params')];
  return METHODS[name]?.({ id, params: toObject(params), sessions }) ?? [];
};

const notified = (sessions: Sessions, { method, params }: Json): string[] => {
  const { sessionId, requestId } = toObject(params);
  const found =
    method === 'session/cancel'
      ? sessions.get(sessionId)
      : [...sessions.values()].find(({ prompt }) => method === '$/cancel_request' && prompt?.id === requestId);
  return found === undefined ? [] : stop(found, 'cancelled');
};

/** What turns say when nothing else comes. */
const goOn = (sessions: Sessions, { client }: Declared): string[] =>
  [...sessions].flatMap(([id, session]) => {
    const { prompt, past } = session;
    if (prompt === undefined || prompt.script !== undefined) return [];
    past.push(prompt.text);
    const toolCallId = `call-${past.length}`;
    prompt.script = scriptOf(prompt.text, { sessionId: id, toolCallId, client });
    const begun = { sessionUpdate: 'tool_call', toolCallId, title: 'ls', status: 'pending' };
    return [update(id, { ...begun, locations: [{ path: '/work/a' }] }), ...follow(id, session, prompt.script.begin())];
  });

/** The requests of a script; at its end the turn ends. */
const follow = (id: unknown, session: Session, { sent, status }: ReturnType<Script['begin']>): string[] => [
  ...sent,
  ...(status === undefined
    ? []
    : [
        update(id, { sessionUpdate: 'tool_call_update', toolCallId: `call-${session.past.length}`, status }),
        update(id, chunk('agent_message_chunk', 'Hi')),
        ...stop(session, 'end_turn'),
      ]),
];

/** A response of the client goes to the turn that waits for it. */
const answered = (sessions: Sessions, response: Json): string[] =>
  [...sessions].flatMap(([id, session]) => {
    const next = session.prompt?.script?.take(response);
    return next === undefined ? [] : follow(id, session, next);
  });

const agent = (): Answers => {
  const sessions: Sessions = new Map();
  const declared: Declared = { client: {} };
  return (text) => {
    if (text === SILENCE) return goOn(sessions, declared);
    if (text.trim() === '') return [];
    let message: unknown;
    try {
      message = JSON.parse(text.replace(/^\ufeff/, ''));
    } catch {
      return [failed(null, -32700, 'Parse error')];
    }
    const { id, method } = toObject(message);
    if (!isObject(message) || message.jsonrpc !== '2.0') return [failed(null, -32600, 'Invalid Request')];
    if (method === undefined) return answered(sessions, message);
    if (method === 'initialize') declared.client = toObject(toObject(message.params).clientCapabilities);
    if (id === undefined) return notified(sessions, message);
    return typeof id === 'string' || Number.isInteger(id)
      ? call(sessions, message)
      : [failed(null, -32600, 'Invalid id')];
  };
};

/** The agent in this process. */
export const agentOf =
  (fault: Fault = (good) => good): SignalledServer =>
  () =>
  (line$) => {
    const answers = fault(agent());
    return concat(
      line$.pipe(
        withSilences(),
        concatMap((text) => from(answers(text))),
        map((text) => ({ kind: 'line' as const, line: text })),
      ),
      of({ kind: 'ended' as const, trouble: '', exitCode: 0 }),
    );
  };
