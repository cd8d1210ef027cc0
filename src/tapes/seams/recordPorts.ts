/** Records the daemon's inner seams: the requests to models and executors, and their responses. */
import { map, type Observable, take, takeLast, timer } from 'rxjs';
import type { Started } from '../../executor/backend';
import type { Reached } from '../../executor/executorsPort';
import { maskArguments } from '../../io/log/maskAddress';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import type { ModelEvent } from '../../protocol/model/events';
import type { ModelRequest } from '../../protocol/model/request';
import { counter } from '../../streams/counter';
import { flatten } from '../../streams/gather';
import { recordChance } from '../format/chance';
import { recordCalls, type SeamDeps } from '../format/recordCalls';
import type { Tape } from '../format/tape';
import { timerSeam } from '../format/timerSeam';
import type { Choice } from './engineChoice';
import { recordHost } from './recordHost';
import { recordThreads } from './recordThreads';
import { toSeamJson } from './seamJson';
import type { SeamPorts } from './seamPorts';

/** The seam of the choice of an engine. */
export const ENGINE_SEAM = 'engine';
/** The seam of the executor that a thread gets. */
export const REACH_SEAM = 'reach';
/** The seam of what ends because it is unused. */
export const IDLE_SEAM = timerSeam('idle');

const same = <T>(port: T): T => port;

const UNRECORDED = {
  model: same,
  backend: same,
  requests: same,
  reach: same,
  patches: same,
  threads: same,
  host: same,
  choice: same,
  afterIdle: timer,
};

/** Functions that record the ports of an engine; without a tape they return the port as it is. */
export const recordPorts = (tape: Tape | undefined): SeamPorts => {
  const own = { chance: recordChance(tape), effects: 'live' } as const;
  if (tape === undefined) return { ...UNRECORDED, ...own };
  const executor = seam<ProcessSpec, Started | ProcessEvent>(tape, 'executor');
  return {
    ...own,
    threads: recordThreads(tape, own.chance),
    patches: recordPatches(tape),
    requests: recordRequests(tape),
    reach: recordReach(tape),
    afterIdle: recordIdle(tape),
    host: recordHost(tape, own.chance),
    choice: recordChoice(tape),
    ...recordModel(tape),
    backend: ({ start }) => ({
      start: recordCalls({ ...executor, toRequestLine: toSpecLine, toResponseLine: toEventLine, isLast }, start),
    }),
  };
};

const recordModel = (tape: Tape): Pick<SeamPorts, 'model'> => {
  const model = { ...seam<ModelRequest, ModelEvent>(tape, 'model'), toResponseLine: JSON.stringify };
  return {
    model: (plain) => (request, limits) =>
      recordCalls(model, (one) => plain(one, limits).pipe(map(toSingle), flatten()))(request),
  };
};

/** The choice completes before it is used, so that taking the first one is not recorded as a stop. */
const recordChoice =
  (tape: Tape): SeamPorts['choice'] =>
  (plain) =>
    recordCalls(seam<string, Choice>(tape, ENGINE_SEAM), () => plain.pipe(take(1)))('auto').pipe(takeLast(1));

/** True for the last event of a process. Its backend still keeps the process for a while. */
const isLast = ({ kind }: Started | ProcessEvent): boolean => kind === 'closed' || kind === 'failed';

/** Records the requests to an executor that are not about its processes. */
const recordRequests = (tape: Tape): SeamPorts['requests'] => {
  const environment = seam<object, unknown>(tape, 'environment');
  return (plain) => (method, params, onLoss) =>
    recordCalls(environment, () => plain(method, params, onLoss))({ method, params });
};

const recordIdle = (tape: Tape): SeamPorts['afterIdle'] => {
  const toLine = () => 'null';
  return recordCalls({ ...seam(tape, IDLE_SEAM), toRequestLine: toLine, toResponseLine: toLine }, timer);
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

const recordPatches = (tape: Tape): SeamPorts['patches'] => {
  const patch = seam<object, never>(tape, 'patch');
  return ({ check, apply }) => ({
    check: (text, folder) =>
      recordCalls(patch, () => check(text, folder) as Observable<never>)({ kind: 'check', text, folder }),
    apply: (order) =>
      recordCalls(patch, () => apply(order) as Observable<never>)({ kind: 'apply', summary: order.plan.summary }),
  });
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

/** A process as a line; of environment variables only the names are written, and no argument that is secret by the option before it. */
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
