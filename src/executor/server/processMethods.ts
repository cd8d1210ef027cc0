/** Owns the methods of family process/ over the port Backend. */
import { concatMap, finalize, of } from 'rxjs';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type OutputPage,
  PROCESS_SIGNALS,
  type ProcessEvent,
  RpcError,
} from '../../protocol';
import type { Backend, Process, Started } from '../backend';
import { bytes, fieldsOf, optionalCount, text, word } from './params';
import { readStart, type StartDeps } from './readStart';
import { answer, answers, type Method, type Said, tell } from './said';

/**
 * `maxProcesses` at once per session; `maxPendingBytes` of input may wait for one process; `keepMs` is how long one that
 * closed stays readable, and its id taken; so many `writeIds` are remembered per process.
 */
export type ProcessLimits = { maxProcesses: number; maxPendingBytes: number; keepMs: number; writeIds: number };

/** Source: codex exec-server 0.142.0 for the last two; it has no limit of processes. */
export const PROCESS_LIMITS: ProcessLimits = {
  maxProcesses: 512,
  maxPendingBytes: 67_108_864,
  keepMs: 30_000,
  writeIds: 4096,
};

export type ProcessMethodsDeps = StartDeps & { backend: Backend; limits: ProcessLimits };

/** One process of a session, from the request to start it until it is forgotten. */
type Slot = {
  process?: Process;
  cancelled?: true;
  over?: true;
  pendingBytes: number;
  writeIds: Set<string>;
};

/** The methods of one session; its processes end with whoever subscribed to their start. */
export const processMethods = ({ backend, limits, environment }: ProcessMethodsDeps): Record<string, Method> => {
  const slots = new Map<string, Slot>();
  const running = () => [...slots.values()].filter(({ over }) => !over).length;

  const start: Method = (params) => {
    const { processId, spec } = readStart({ environment }, params);
    if (slots.has(processId)) throw new RpcError(INVALID_REQUEST, `process ${processId} already exists`);
    if (running() >= limits.maxProcesses) {
      throw new RpcError(INVALID_REQUEST, `too many processes: ${limits.maxProcesses} run already`);
    }
    const slot: Slot = { pendingBytes: 0, writeIds: new Set() };
    slots.set(processId, slot);
    return backend.start({ ...spec, keepMs: limits.keepMs }).pipe(
      concatMap((event) => follow(processId, slot, event)),
      finalize(() => slots.delete(processId)),
    );
  };

  const read: Method = (params) => {
    const fields = fieldsOf(params);
    const processId = text(fields, 'processId');
    const afterSeq = optionalCount(fields, 'afterSeq') ?? 0;
    const maxBytes = optionalCount(fields, 'maxBytes');
    const waitMs = optionalCount(fields, 'waitMs') ?? 0;
    const process = slots.get(processId)?.process;
    if (process)
      return answers(process.read({ afterSeq, waitMs, ...(maxBytes !== undefined && { maxBytes }) }), toPage);
    const why = slots.has(processId) ? `process id ${processId} is starting` : `unknown process id ${processId}`;
    throw new RpcError(INVALID_REQUEST, why);
  };

  const write: Method = (params) => {
    const fields = fieldsOf(params);
    const slot = slots.get(text(fields, 'processId'));
    const chunk = bytes(fields, 'chunk');
    const writeId = text(fields, 'writeId');
    if (writeId === '') throw new RpcError(INVALID_PARAMS, 'writeId must not be empty');
    if (slot === undefined) return of(answer({ status: 'unknownProcess' }));
    if (slot.process === undefined) return of(answer({ status: 'starting' }));
    if (slot.writeIds.has(writeId)) return of(answer({ status: 'accepted' }));
    if (slot.pendingBytes + chunk.length > limits.maxPendingBytes) {
      throw new RpcError(
        INVALID_REQUEST,
        `stdin is full: ${slot.pendingBytes} bytes wait for the process to read them`,
      );
    }
    remember(slot, writeId, limits.writeIds);
    slot.pendingBytes += chunk.length;
    return answers(slot.process.write(chunk), (status) => ({ status })).pipe(
      finalize(() => {
        slot.pendingBytes -= chunk.length;
      }),
    );
  };

  const closeStdin: Method = (params) => {
    const slot = slots.get(text(fieldsOf(params), 'processId'));
    if (slot === undefined) return of(answer({ status: 'unknownProcess' }));
    return slot.process
      ? answers(slot.process.closeStdin(), (status) => ({ status }))
      : of(answer({ status: 'starting' }));
  };

  const signal: Method = (params) => {
    const fields = fieldsOf(params);
    const process = slots.get(text(fields, 'processId'))?.process;
    const name = word(fields, 'signal', PROCESS_SIGNALS);
    return process ? answers(process.signal(name), () => ({})) : of(answer({}));
  };

  const terminate: Method = (params) => {
    const slot = slots.get(text(fieldsOf(params), 'processId'));
    if (slot?.process) return answers(slot.process.terminate(), (running) => ({ running }));
    if (slot) slot.cancelled = true;
    return of(answer({ running: slot !== undefined }));
  };

  return {
    'process/start': start,
    'process/read': read,
    'process/write': write,
    'process/closeStdin': closeStdin,
    'process/signal': signal,
    'process/terminate': terminate,
  };
};

/** What the client is told of an event; a gap shows in the numbers. Throws when the process did not start. */
const follow = (processId: string, slot: Slot, event: Started | ProcessEvent): Said[] => {
  switch (event.kind) {
    case 'started':
      if (slot.cancelled) throw new RpcError(INVALID_REQUEST, `process ${processId} start was cancelled`);
      slot.process = event.process;
      return [answer({ processId })];
    case 'output':
      return [tell('process/output', { processId, ...toChunk(event) })];
    case 'exited':
      return [tell('process/exited', { processId, seq: event.seq, exitCode: event.exitCode })];
    case 'gap':
      return [];
    case 'failed':
      if (slot.process === undefined)
        throw new RpcError(INTERNAL_ERROR, withoutSubject(event.reason), { reason: event.reason });
      slot.over = true;
      return [tell('process/closed', { processId, seq: event.seq })];
    case 'closed':
      slot.over = true;
      return [tell('process/closed', { processId, seq: event.seq })];
  }
};

/** The original tells the system's words alone; ours are beside them. */
const withoutSubject = (reason: string): string => /[^:]+ \(os error \d+\)$/.exec(reason)?.[0].trim() ?? reason;

const remember = ({ writeIds }: Slot, writeId: string, most: number): void => {
  writeIds.add(writeId);
  if (writeIds.size > most) writeIds.delete(writeIds.values().next().value as string);
};

const toChunk = ({ seq, stream, chunk }: { seq: number; stream: string; chunk: Uint8Array }) => ({
  seq,
  stream,
  chunk: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('base64'),
});

const toPage = ({ chunks, evictedThrough, ...page }: OutputPage) => ({
  chunks: chunks.map(toChunk),
  ...page,
  sandboxDenied: false,
  ...(evictedThrough !== undefined && { evictedThrough }),
});
