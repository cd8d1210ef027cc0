/** Records the daemon's inner seams: the requests to models and executors, and their responses. */
import { map, type Observable, take, takeLast } from 'rxjs';
import type { Started } from '../executor';
import type { ProcessEvent, ProcessSpec } from '../protocol/exec';
import type { ModelEvent, ModelRequest } from '../protocol/model';
import type { ResumedThread } from '../rollout';
import { counter, flatten } from '../streams';
import { recordCalls, recordChance, type SeamDeps, type Tape } from '../tape';
import type { Choice } from './engines/chooseEngine';
import { recordHost } from './recordHost';
import { toSeamJson } from './seamJson';
import type { SeamPorts } from './seamPorts';

/** The seam of the choice of an engine. */
export const ENGINE_SEAM = 'engine';

/** Functions that record the ports of an engine; without a tape they return the port as it is. */
export const recordPorts = (tape: Tape | undefined): SeamPorts => {
  const own = { chance: recordChance(tape), effects: 'live' } as const;
  const same = <T>(port: T): T => port;
  if (tape === undefined)
    return {
      model: same,
      backend: same,
      requests: same,
      patches: same,
      threads: same,
      host: same,
      choice: same,
      ...own,
    };
  const model = { ...seam<ModelRequest, ModelEvent>(tape, 'model'), toResponseLine: JSON.stringify };
  const executor = seam<ProcessSpec, Started | ProcessEvent>(tape, 'executor');
  return {
    ...own,
    ...recordDisk(tape),
    requests: recordRequests(tape),
    host: recordHost(tape, own.chance),
    choice: recordChoice(tape),
    model: (plain) => (request, limits) =>
      recordCalls(model, (one) => plain(one, limits).pipe(map(toSingle), flatten()))(request),
    backend: ({ start }) => ({
      start: recordCalls({ ...executor, toRequestLine: toSpecLine, toResponseLine: toEventLine, isLast }, start),
    }),
  };
};

/** It completes before it is used, so that taking the first is not recorded as a stop. */
const recordChoice =
  (tape: Tape): SeamPorts['choice'] =>
  (plain) =>
    recordCalls(seam<string, Choice>(tape, ENGINE_SEAM), () => plain.pipe(take(1)))('auto').pipe(takeLast(1));

/** Whether a process has ended; it is kept for a while. */
const isLast = ({ kind }: Started | ProcessEvent): boolean => kind === 'closed' || kind === 'failed';

/** What an executor is asked beside its processes. */
const recordRequests = (tape: Tape): SeamPorts['requests'] => {
  const environment = seam<object, unknown>(tape, 'environment');
  return (plain) => (method, params, onLoss) =>
    recordCalls(environment, () => plain(method, params, onLoss))({ method, params });
};

/** What reads and writes files: patches, and threads that are resumed. */
const recordDisk = (tape: Tape): Pick<SeamPorts, 'patches' | 'threads'> => {
  const patch = seam<object, never>(tape, 'patch');
  const threads = seam<string, ResumedThread>(tape, 'threads');
  return {
    patches: ({ check, apply }) => ({
      check: (text, folder) =>
        recordCalls(patch, () => check(text, folder) as Observable<never>)({ kind: 'check', text, folder }),
      apply: (order) =>
        recordCalls(patch, () => apply(order) as Observable<never>)({ kind: 'apply', summary: order.plan.summary }),
    }),
    threads: (open) => () => {
      const store = open();
      const toResponseLine = ({ record, ...stored }: ResumedThread) => JSON.stringify(stored);
      return { ...store, resume: recordCalls({ ...threads, toResponseLine }, store.resume) };
    },
  };
};

const seam = <Q, A>(tape: Tape, name: string): SeamDeps<Q, A> => ({
  ...{ tape, seam: name, newCall: counter(), toRequestLine: JSON.stringify, toResponseLine: toSeamJson },
});

/** Each delta is a line of its own. */
const toSingle = (event: ModelEvent): readonly ModelEvent[] => (event.kind === 'deltas' ? event.deltas : [event]);

/** A process as a line; only the names of environment variables are written. */
export const toSpecLine = ({ elsewhere, ...spec }: ProcessSpec): string =>
  JSON.stringify({
    ...spec,
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
