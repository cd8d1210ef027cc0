/** The method process/start: starts a process, and sends its events. */
import { finalize, merge } from 'rxjs';
import { StartParams } from '../../../protocol/exec/params';
import type { ProcessEvent, ProcessSpec } from '../../../protocol/exec/process';
import { INTERNAL_ERROR, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { mapMulti } from '../../../streams/mapMulti';
import type { Backend, ImposedLimit } from '../../backend';
import type { Permissions } from '../../sandbox/permissions';
import { type Method, method, notification, type Output } from '../method';
import type { ProcessLimits } from '../processLimits';
import { type FollowDeps, type Followed, followSandbox } from './followSandbox';
import { inputQueue } from './inputQueue';
import { type ProcessTable, processOf } from './processTable';
import { toChunk } from './toPage';
import { type StartDeps, toStart } from './toStart';

/**
 * @param backendFor runs processes with these permissions; without permissions, as freely as the ceiling allows
 * @param keptBy what limits processes for which a client asks no sandbox; default: nothing
 * @param events `stored` where clients read them from a stream, so no notifications are sent; default `sent`
 */
export type StartProcessDeps = StartDeps &
  FollowDeps & {
    backendFor: (permissions: Permissions | undefined) => Backend;
    limits: ProcessLimits;
    events?: 'sent' | 'stored';
    keptBy?: ImposedLimit | undefined;
  };

/**
 * The response is sent before the first event. Completes when the process is no longer readable, and its id free again.
 * Unsubscribing ends the process.
 */
export const startProcess = (
  { backendFor, limits, environment, isLikelyDenied, events = 'sent', keptBy }: StartProcessDeps,
  table: ProcessTable,
): Method =>
  method(StartParams, (params) => {
    const { processId, needsWriteId, spec, permissions } = toStart({ environment }, params);
    const input = inputQueue(limits);
    table.add({ processId, needsWriteId, input });
    const following = { table, spec, events, keptBy: permissions ? undefined : keptBy };
    const event$ = backendFor(permissions).start({ ...spec, processId, keepMs: limits.keepMs });
    const output$ = event$.pipe(
      followSandbox({ isLikelyDenied }),
      mapMulti<Followed, Output>((followed, emit) => {
        for (const output of follow(following, { processId, ...followed })) emit(output);
      }),
      finalize(input.end),
    );
    return merge(input.run$, output$).pipe(finalize(() => table.remove(processId)));
  });

type Following = { table: ProcessTable; spec: ProcessSpec; keptBy: ImposedLimit | undefined } & Required<
  Pick<StartProcessDeps, 'events'>
>;

/** What is sent for an event; a gap shows in the numbers. Throws RpcError when the process did not start. */
const follow = (
  { table, spec: { holdOutput }, events, keptBy }: Following,
  { processId, event, sandbox }: Followed & { processId: string },
): Output[] => {
  switch (event.kind) {
    case 'started':
      if (table.find(processId)?.phase.kind === 'cancelled')
        throw new RpcError(INVALID_REQUEST, `process ${processId} start was cancelled`);
      table.setPhase(processId, { kind: 'running', process: event.process });
      return [
        toResult({
          processId,
          ...(sandbox && { sandboxType: sandbox.type }),
          ...(holdOutput && { holdsOutput: true }),
          ...(keptBy && { keptBy }),
        }),
      ];
    case 'output':
      return events === 'stored' ? [] : [notification('process/output', { processId, ...toChunk(event) })];
    case 'exited':
      return ofEvents(events, exited(table, { processId, event, sandbox }));
    case 'gap':
      return [];
    case 'failed':
    case 'closed':
      return ofEvents(events, close(table, processId, event));
  }
};

const ofEvents = (events: Following['events'], output: Output): Output[] => (events === 'stored' ? [] : [output]);

type Exited = { processId: string; event: Extract<ProcessEvent, { kind: 'exited' }>; sandbox: Followed['sandbox'] };

/** Source: codex exec-server 0.169.0; without a sandbox it is as in 0.142.0. */
const exited = (table: ProcessTable, { processId, event: { seq, exitCode }, sandbox }: Exited): Output => {
  if (sandbox?.denied) table.setDenied(processId);
  return notification('process/exited', {
    processId,
    seq,
    exitCode,
    ...(sandbox && { sandboxDenied: sandbox.denied }),
  });
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

/** Codex sends only the text of the system; our longer reason is in the data of the error. */
const neverStarted = (event: ProcessEvent): RpcError => {
  const reason = event.kind === 'failed' ? event.reason : 'the process closed before it started';
  const systemText = /[^:]+ \(os error \d+\)$/.exec(reason)?.[0].trim();
  return new RpcError(INTERNAL_ERROR, systemText ?? reason, { reason });
};
