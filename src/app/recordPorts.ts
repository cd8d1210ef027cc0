/** Owns what a tape holds of the daemon's inner seams: what is asked of models and executors, and what they answer. */
import { map } from 'rxjs';
import type { Backend, Started } from '../executor';
import type { ProcessEvent, ProcessSpec } from '../protocol/exec';
import type { Model, ModelEvent, ModelRequest } from '../protocol/model';
import { flatten } from '../streams';
import { recordCalls, type Tape } from '../tape';

/** Taps for the ports of an engine; without a tape each port stays as it is. */
export const recordPorts = (tape: Tape | undefined) => {
  if (tape === undefined) return { model: (model: Model) => model, backend: (backend: Backend) => backend };
  const model = { tape, seam: 'model', newCall: counter(), ofQuestion: JSON.stringify, ofAnswer: JSON.stringify };
  const executor = { tape, seam: 'executor', newCall: counter(), ofQuestion: ofSpec, ofAnswer: ofEvent };
  return {
    model: (plain: Model): Model =>
      recordCalls<ModelRequest, ModelEvent>(model, (request) => plain(request).pipe(map(toSingle), flatten())),
    backend: ({ start }: Backend): Backend => ({
      start: recordCalls<ProcessSpec, Started | ProcessEvent>(executor, start),
    }),
  };
};

/** Each delta is a line of its own. */
const toSingle = (event: ModelEvent): readonly ModelEvent[] => (event.kind === 'deltas' ? event.deltas : [event]);

/** Of the environment only the names. */
const ofSpec = (spec: ProcessSpec): string => JSON.stringify({ ...spec, env: Object.keys(spec.env) });

const ofEvent = (event: Started | ProcessEvent): string => {
  if (event.kind === 'started') return JSON.stringify({ kind: event.kind });
  return JSON.stringify(
    event.kind === 'output' ? { ...event, chunk: Buffer.from(event.chunk).toString('base64') } : event,
  );
};

/** 1, 2, 3, … */
const counter = (): (() => number) => {
  let last = 0;
  return () => ++last;
};
