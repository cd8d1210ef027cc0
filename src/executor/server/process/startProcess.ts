/** Owns starting a process for a client, and telling what it does. */
import { concatMap, finalize, merge } from 'rxjs';
import type { ProcessEvent } from '../../../protocol/exec';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';
import type { Backend, Started } from '../../backend';
import { answer, type Method, type Said, tell } from '../execMethod';
import { takeWrites } from './inputQueue';
import type { ProcessLimits } from './processLimits';
import type { Slot, Slots } from './processTable';
import { readStart, type StartDeps } from './readStart';
import { toChunk } from './toWire';

export type StartProcessDeps = StartDeps & { backend: Backend; limits: ProcessLimits };

/** process/start: the process has its id until it is forgotten, and ends with whoever subscribed. Writes to it are answered here. */
export const startProcess =
  ({ backend, limits, environment }: StartProcessDeps, slots: Slots): Method =>
  (params) => {
    const { processId, needsWriteId, spec } = readStart({ environment }, params);
    const slot = slots.take(processId, needsWriteId);
    const life$ = backend.start({ ...spec, keepMs: limits.keepMs }).pipe(
      concatMap((event) => follow(slot, event)),
      finalize(() => slot.write$.complete()),
    );
    return merge(slot.write$.pipe(takeWrites(slot)), life$).pipe(finalize(() => slots.free(slot)));
  };

/** What the client is told of an event; a gap shows in the numbers. Throws when the process did not start. */
const follow = (slot: Slot, event: Started | ProcessEvent): Said[] => {
  const { processId } = slot;
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
      if (slot.process === undefined) throw neverStarted(event.reason);
      return close(slot, event.seq);
    case 'closed':
      return close(slot, event.seq);
  }
};

const close = (slot: Slot, seq: number): Said[] => {
  slot.over = true;
  return [tell('process/closed', { processId: slot.processId, seq })];
};

/** The original tells the system's words alone; ours are beside them. */
const neverStarted = (reason: string): RpcError => {
  const systemWords = /[^:]+ \(os error \d+\)$/.exec(reason)?.[0].trim();
  return new RpcError(INTERNAL_ERROR, systemWords ?? reason, { reason });
};
