/** Records the daemon's inner seams: the requests to models and executors, and their responses. */
import { map } from 'rxjs';
import type { Backend, Started } from '../executor';
import type { ProcessEvent, ProcessSpec } from '../protocol/exec';
import type { Model, ModelEvent, ModelRequest } from '../protocol/model';
import { counter, flatten } from '../streams';
import { recordCalls, type Tape } from '../tape';

/** Functions that record the ports of an engine; without a tape they return the port as it is. */
export const recordPorts = (tape: Tape | undefined) => {
  if (tape === undefined) return { model: (model: Model) => model, backend: (backend: Backend) => backend };
  const model = {
    tape,
    seam: 'model',
    newCall: counter(),
    toRequestLine: JSON.stringify,
    toResponseLine: JSON.stringify,
  };
  const executor = {
    tape,
    seam: 'executor',
    newCall: counter(),
    toRequestLine: toSpecLine,
    toResponseLine: toEventLine,
  };
  return {
    model:
      (plain: Model): Model =>
      (request, limits) =>
        recordCalls<ModelRequest, ModelEvent>(model, (one) => plain(one, limits).pipe(map(toSingle), flatten()))(
          request,
        ),
    backend: ({ start }: Backend): Backend => ({
      start: recordCalls<ProcessSpec, Started | ProcessEvent>(executor, start),
    }),
  };
};

/** Each delta is a line of its own. */
const toSingle = (event: ModelEvent): readonly ModelEvent[] => (event.kind === 'deltas' ? event.deltas : [event]);

/** Only the names of environment variables are written. */
const toSpecLine = (spec: ProcessSpec): string => JSON.stringify({ ...spec, env: Object.keys(spec.env) });

const toEventLine = (event: Started | ProcessEvent): string => {
  if (event.kind === 'started') return JSON.stringify({ kind: event.kind });
  return JSON.stringify(
    event.kind === 'output' ? { ...event, chunk: Buffer.from(event.chunk).toString('base64') } : event,
  );
};
