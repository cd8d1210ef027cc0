/** The method process/start: starts a process, and sends its events. */
import { finalize, map, merge } from 'rxjs';
import { type ProcessEvent, type ProcessSpec, StartParams } from '../../../protocol/exec';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';
import { toResult } from '../../../rpc';
import { flatten } from '../../../streams';
import type { Backend, Started } from '../../backend';
import type { Permissions } from '../../sandbox';
import { type Method, method, notification, type Output } from '../method';
import { inputQueue } from './inputQueue';
import type { ProcessLimits } from './processLimits';
import { type ProcessTable, processOf } from './processTable';
import { toChunk } from './toPage';
import { type StartDeps, toStart } from './toStart';

/** @param backendFor processes with these permissions, or as free as may be */
export type StartProcessDeps = StartDeps & {
  backendFor: (permissions: Permissions | undefined) => Backend;
  limits: ProcessLimits;
};

/**
 * The response is sent before the first event. Completes when the process is no longer readable, and its id free again.
 * Unsubscribing ends the process.
 */
export const startProcess = ({ backendFor, limits, environment }: StartProcessDeps, table: ProcessTable): Method =>
  method(StartParams, (params) => {
    const { processId, needsWriteId, spec, permissions } = toStart({ environment }, params);
    const input = inputQueue(limits);
    table.add({ processId, needsWriteId, input });
    const event$ = backendFor(permissions).start({ ...spec, keepMs: limits.keepMs });
    const output$ = event$.pipe(
      map((event) => follow(table, spec, { processId, event })),
      flatten(),
      finalize(input.end),
    );
    return merge(input.run$, output$).pipe(finalize(() => table.remove(processId)));
  });

/** What is sent for an event; a gap shows in the numbers. Throws RpcError when the process did not start. */
const follow = (
  table: ProcessTable,
  { holdOutput }: ProcessSpec,
  { processId, event }: { processId: string; event: Started | ProcessEvent },
): Output[] => {
  switch (event.kind) {
    case 'started':
      if (table.find(processId)?.phase.kind === 'cancelled')
        throw new RpcError(INVALID_REQUEST, `process ${processId} start was cancelled`);
      table.setPhase(processId, { kind: 'running', process: event.process });
      return [toResult({ processId, ...(holdOutput && { holdsOutput: true }) })];
    case 'output':
      return [notification('process/output', { processId, ...toChunk(event) })];
    case 'exited':
      return [notification('process/exited', { processId, seq: event.seq, exitCode: event.exitCode })];
    case 'gap':
      return [];
    case 'failed':
    case 'closed':
      return [close(table, processId, event)];
  }
};

const close = (
  table: ProcessTable,
  processId: string,
  event: Extract<ProcessEvent, { kind: 'failed' | 'closed' }>,
): Output => {
  const entry = table.find(processId);
  const process = entry && processOf(entry);
  if (process === undefined) throw neverStarted(event);
  table.setPhase(processId, { kind: 'closed', process });
  return notification('process/closed', { processId, seq: event.seq });
};

/** The original has the system's text alone; our longer reason is beside it. */
const neverStarted = (event: ProcessEvent): RpcError => {
  const reason = event.kind === 'failed' ? event.reason : 'the process closed before it started';
  const systemText = /[^:]+ \(os error \d+\)$/.exec(reason)?.[0].trim();
  return new RpcError(INTERNAL_ERROR, systemText ?? reason, { reason });
};
