/** Records a daemon: `recordWire` its client, `recordPorts` the requests of its engine to its ports, `recordTimers` its timers. */
import {
  concatMap,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  of,
  pipe,
  subscribeOn,
  take,
  takeLast,
  tap,
  timer,
} from 'rxjs';
import type { Reached, Started } from '../../executor/backend';
import { maskAddress, maskArguments } from '../../io/log/maskAddress';
import { REDACTED } from '../../io/log/redactText';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import { isObject, type JsonObject, parseJson } from '../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../protocol/model/events';
import type { ModelRequest } from '../../protocol/model/request';
import { counter } from '../../streams/counter';
import { flatten } from '../../streams/gather';
import { after } from '../../streams/time/wait';
import { MARK_SEAM, recordCalls, recordChance, type SeamDeps, timerSeam } from '../format/seams';
import { INPUT_ENDED, OUTPUT_CLOSED, type Session, type Tape } from '../format/tape';
import { recordPatches } from './patches';
import { type Choice, type SeamPorts, toSeamJson } from './ports';
import { recordHost } from './recordHost';
import { recordThreads } from './recordThreads';

/** The seam of the choice of an engine. */
export const ENGINE_SEAM = 'engine';
/** The seam of the executor that a thread gets. */
export const REACH_SEAM = 'reach';
/** The seam of messages of other processes. */
export const MESSAGES_SEAM = 'messages';
/** The seam of what ends because it is unused. */
export const IDLE_SEAM = timerSeam('idle');

/** The seam of the beginnings of turns. */
export const START_SEAM = timerSeam('start');

const same = <T>(port: T): T => port;

const startsBy: SeamPorts['starts'] = (plain) => (turn$) => turn$.pipe(subscribeOn(plain));

const UNRECORDED = {
  model: same,
  backend: same,
  requests: same,
  reach: same,
  patches: same,
  threads: same,
  host: same,
  choice: same,
  messages: same,
  mark: () => {},
  afterIdle: timer,
  starts: startsBy,
};

/** Functions that record the ports of an engine; without a tape they return the port as it is. */
export const recordPorts = (tape: Tape | undefined): SeamPorts => {
  const own = { chance: recordChance(tape), effects: 'live' } as const;
  if (tape === undefined) return { ...UNRECORDED, ...own };
  const executor = seam<ProcessSpec, Started | ProcessEvent>(tape, 'executor');
  return {
    ...own,
    threads: recordThreads(tape, own.chance),
    patches: recordPatches(seam(tape, 'patch')),
    requests: recordRequests(tape),
    reach: recordReach(tape),
    afterIdle: recordTimer(tape, IDLE_SEAM),
    starts: recordStarts(tape),
    host: recordHost(tape, own.chance),
    choice: recordChoice(tape),
    mark: recordMark(tape),
    messages: <T>(plain: Observable<T>) => recordCalls(seam<null, T>(tape, MESSAGES_SEAM), () => plain)(null),
    model: recordModel(tape),
    backend: ({ start }) => ({
      start: recordCalls({ ...executor, toRequestLine: toSpecLine, toResponseLine: toEventLine, isLast }, start),
    }),
  };
};

const recordStarts = (tape: Tape): SeamPorts['starts'] => {
  const start = { ...seam<null, null>(tape, START_SEAM), isLast: () => true };
  return (plain) => {
    const begin = recordCalls(start, () => of(null).pipe(subscribeOn(plain)));
    return (turn$) => begin(null).pipe(concatMap(() => turn$));
  };
};

const recordMark = (tape: Tape): SeamPorts['mark'] => {
  const newCall = counter();
  return (what) => tape({ dir: 'in', seam: MARK_SEAM, line: JSON.stringify(what), call: newCall() });
};

const recordModel = (tape: Tape): SeamPorts['model'] => {
  const model = { ...seam<ModelRequest, ModelEvent>(tape, 'model'), toResponseLine: JSON.stringify };
  return (plain) => (request, limits) =>
    recordCalls(model, (one) => plain(one, limits).pipe(map(toSingle), flatten()))(request);
};

/** The choice completes before it is used, so that taking only the first is not recorded as a stop. */
const recordChoice =
  (tape: Tape): SeamPorts['choice'] =>
  (plain) =>
    recordCalls(seam<string, Choice>(tape, ENGINE_SEAM), () => plain.pipe(take(1)))('auto').pipe(takeLast(1));

/** True for the last event of a process. Its backend still keeps the process for a while. */
const isLast = ({ kind }: Started | ProcessEvent): boolean => kind === 'closed' || kind === 'failed';

const recordRequests = (tape: Tape): SeamPorts['requests'] => {
  const environment = seam<object, unknown>(tape, 'environment');
  return (plain) => (method, params, onLoss) =>
    recordCalls(environment, () => plain(method, params, onLoss))({ method, params });
};

/** Records which member of a pool is reached. An environment that is not configured throws before it is recorded. */
const recordReach = (tape: Tape): SeamPorts['reach'] => {
  const reach = seam<readonly unknown[], Reached>(tape, REACH_SEAM);
  const toResponseLine = ({ member }: Reached) => JSON.stringify({ member });
  return (plain) => (id, member) => {
    const reached$ = plain(id, member);
    return recordCalls({ ...reach, toResponseLine }, () => reached$)([id, member]);
  };
};

const seam = <Q, A>(tape: Tape, name: string): SeamDeps<Q, A> => ({
  tape,
  seam: name,
  newCall: counter(),
  toRequestLine: JSON.stringify,
  toResponseLine: toSeamJson,
});

/** Each delta is a line of its own. */
const toSingle = (event: ModelEvent): readonly ModelEvent[] => (event.kind === 'deltas' ? event.deltas : [event]);

/** A process as a line. Of environment variables only the names are written; arguments that are secret by the option before them are masked. */
export const toSpecLine = ({ elsewhere, ...spec }: ProcessSpec): string =>
  JSON.stringify({
    ...spec,
    argv: maskArguments(spec.argv),
    env: Object.keys(spec.env),
    ...(elsewhere && {
      elsewhere: { ...elsewhere, envPolicy: { ...elsewhere.envPolicy, set: Object.keys(elsewhere.envPolicy.set) } },
    }),
  });

const toEventLine = (event: Started | ProcessEvent): string => {
  if (event.kind === 'started') return JSON.stringify({ kind: event.kind, keptBy: event.keptBy });
  return JSON.stringify(
    event.kind === 'output' ? { ...event, chunk: Buffer.from(event.chunk).toString('base64') } : event,
  );
};

/** Records what a daemon and its client send each other. Notes when nobody reads the server's lines any more. */
export const recordWire =
  (tape: Tape) =>
  (server: MonoTypeOperatorFunction<string>): MonoTypeOperatorFunction<string> =>
    pipe(
      record(tape, 'in'),
      server,
      record(tape, 'out'),
      tap({ unsubscribe: () => tape({ dir: 'note', line: OUTPUT_CLOSED }) }),
    );

/**
 * Passes each line and writes it to the tape; lines that are sent together are written one by one. Neither the token of a login is written nor what a client
 * gives its MCP servers as variables and headers. Notes the end of the client's lines. Completes and errors with the source.
 *   in   a--b-|
 *   tape a--b-n    (n the note)
 *   out  a--b-|
 */
export const record = (tape: Tape, dir: 'in' | 'out'): MonoTypeOperatorFunction<string> =>
  tap({
    next: (lines) => {
      for (const line of lines.split('\n')) tape({ dir, line: withoutServerValues(withoutToken(line)) });
    },
    complete: () => dir === 'in' && tape({ dir: 'note', line: INPUT_ENDED }),
  });

/** The member of a response of `getAuthStatus` with the token. */
const TOKEN = 'authToken';

const withoutToken = (line: string): string =>
  line.includes(`"${TOKEN}"`) ? toWithoutToken(line, parseJson(line)) : line;

const toWithoutToken = (line: string, message: unknown): string => {
  const messages: unknown[] = Array.isArray(message) ? message : [message]; // a batch
  const tokens = messages.flatMap((one) => {
    const result = isObject(one) && isObject(one.result) ? one.result : {};
    return typeof result[TOKEN] === 'string' ? [result[TOKEN]] : [];
  });
  return tokens.reduce((rest, token) => rest.replaceAll(JSON.stringify(token), JSON.stringify(REDACTED)), line);
};

/** The member of a request that opens a session: the MCP servers of the client. */
const SERVERS = 'mcpServers';
/** The member that names a server of models which the client brings: in a login, in `providers/set` and in `providers/list`. */
const ADDRESS = 'baseUrl';

const withoutServerValues = (line: string): string => {
  const message = [SERVERS, ADDRESS].some((name) => line.includes(`"${name}"`)) ? parseJson(line) : undefined;
  return message === undefined ? line : JSON.stringify(message, maskedServers);
};

const maskedServers = (name: string, value: unknown): unknown => {
  if (isObject(value) && typeof value[ADDRESS] === 'string') return maskedGateway(value, value[ADDRESS]);
  if (name !== SERVERS || !Array.isArray(value)) return value;
  return value.map((server) => (isObject(server) ? maskedServer(server) : server));
};

const maskedGateway = (gateway: JsonObject, url: string): JsonObject => ({
  ...gateway,
  [ADDRESS]: maskAddress(url),
  ...(isObject(gateway.headers) && {
    headers: Object.fromEntries(Object.keys(gateway.headers).map((key) => [key, REDACTED])),
  }),
});

const maskedServer = ({ env, headers, ...server }: JsonObject): JsonObject => ({
  ...server,
  ...(env !== undefined && { env: maskedPairs(env) }),
  ...(headers !== undefined && { headers: maskedPairs(headers) }),
});

const maskedPairs = (pairs: unknown): unknown =>
  Array.isArray(pairs) ? pairs.map((pair) => (isObject(pair) ? { ...pair, value: REDACTED } : REDACTED)) : REDACTED;

/** Emits once after some milliseconds, and records that. */
export const recordTimers = (tape: Tape): ((ms: number) => Observable<unknown>) => {
  const newCall = counter();
  return (ms) => recordTimer(tape, timerSeam(ms), newCall)(ms);
};

const recordTimer = (tape: Tape, name: string, newCall = counter()): ((ms: number) => Observable<unknown>) =>
  recordCalls({ tape, seam: name, newCall, toRequestLine: toNull, toResponseLine: toNull }, after);

const toNull = (): string => 'null';

/** The name of the engine that a recorded daemon chose; undefined if none was chosen, or if the choice was not recorded. */
export const engineOf = (entries: Session['entries']): string | undefined => {
  const chosen = entries.find(({ entry }) => entry.seam === ENGINE_SEAM && entry.dir === 'out');
  const choice = chosen && parseJson(chosen.entry.line);
  return isObject(choice) && typeof choice.engine === 'string' ? choice.engine : undefined;
};
