/** The method process/start: starts a process, and sends its events. */
import { finalize, merge, type OperatorFunction, scan } from 'rxjs';
import type * as z from 'zod/mini';
import { StartParams } from '../../../protocol/exec/params';
import type { ProcessEvent, ProcessSpec } from '../../../protocol/exec/process';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { mapMulti } from '../../../streams/gather';
import type { Backend, ImposedLimit, InSandbox, Started } from '../../backend';
import { environmentOf } from '../../environment';
import type { Ended } from '../../sandbox/isLikelyDenied';
import type { Permissions } from '../../sandbox/permissions';
import { toPath } from '../../toPath';
import { type Method, method, notification, type Output, toWaitMs } from '../method';
import type { ProcessLimits } from '../processLimits';
import { toPermissions } from '../toPermissions';
import { inputQueue } from './inputQueue';
import { type ProcessTable, processOf, toChunk } from './processTable';

/** What processes are started with. */
export type StartProcessDeps = StartDeps &
  FollowDeps & {
    /** Runs processes with these permissions; without permissions, as freely as the ceiling allows. */
    backendFor: (permissions: Permissions | undefined) => Backend;
    limits: ProcessLimits;
    /** `stored`: clients read events from a stream, so no notifications are sent. Default: `sent`. */
    events?: 'sent' | 'stored';
    /** What limits processes for which a client asks no sandbox. Default: nothing. */
    keptBy?: ImposedLimit | undefined;
  };

/** The response is sent before the first event. Completes when the process is no longer readable, and its id free again. Unsubscribing ends the process. */
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

/** The message for an event; a gap is visible in the numbers. Throws RpcError if the process did not start. */
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
  const systemText = /(?:^|:)([^:]+ \(os error \d+\))$/.exec(reason)?.[1]?.trim();
  return new RpcError(INTERNAL_ERROR, systemText ?? reason, { reason });
};

type FollowDeps = {
  /** Whether the sandbox seems to have stopped a process that ended like this; the output of a terminal counts as stdout. */
  isLikelyDenied: (end: Ended) => boolean;
};

type Followed = {
  event: Started | ProcessEvent;
  /** The sandbox that it runs in; from the exit on also whether the sandbox denied it something. */
  sandbox?: InSandbox & { denied: boolean };
};

type State = Followed & Pick<Ended, 'stdout' | 'stderr'>;

/** How much of the output is checked; programs write last what stopped them. */
const MAX_CHARS = 8_192;

/**
 * Adds the sandbox to each event.
 *   in   s-o-x-z|    (o is `Permission denied`, x exit code 1)
 *   out  s-o-x-z|    (x and z with `denied`)
 */
export const followSandbox = (deps: FollowDeps): OperatorFunction<Started | ProcessEvent, Followed> =>
  scan<Started | ProcessEvent, State, undefined>((state, event) => step(deps, state, event), undefined);

const step = ({ isLikelyDenied }: FollowDeps, state: State | undefined, event: Started | ProcessEvent): State => {
  const { stdout = '', stderr = '', sandbox } = state ?? {};
  if (event.kind === 'started') {
    return { event, stdout, stderr, ...(event.sandbox && { sandbox: { ...event.sandbox, denied: false } }) };
  }
  if (sandbox === undefined) return { event, stdout, stderr };
  if (event.kind === 'output') return { event, sandbox, stdout, stderr, ...withOutput({ stdout, stderr }, event) };
  if (event.kind !== 'exited') return { event, stdout, stderr, sandbox };
  const { network } = sandbox;
  const denied = isLikelyDenied({ exitCode: event.exitCode, stdout, stderr, network });
  return { event, stdout, stderr, sandbox: { ...sandbox, denied } };
};

const withOutput = (
  { stdout, stderr }: Pick<Ended, 'stdout' | 'stderr'>,
  { stream, chunk }: Extract<ProcessEvent, { kind: 'output' }>,
) => {
  const text = Buffer.from(chunk).toString('latin1'); // the words are ASCII, and a chunk may end within a letter
  return stream === 'stderr'
    ? { stderr: (stderr + text).slice(-MAX_CHARS) }
    : { stdout: (stdout + text).slice(-MAX_CHARS) };
};

type Start = {
  processId: string;
  /** Whether its writes must have ids, so that a repeated write is recognised. */
  needsWriteId: boolean;
  spec: ProcessSpec;
  /** Undefined if the client restricts nothing. */
  permissions: Permissions | undefined;
};

type StartDeps = {
  /** The environment of the executor, which a policy may let a process inherit. */
  environment: Record<string, string | undefined>;
};

type Params = z.output<ReturnType<typeof StartParams>>;

/** Throws RpcError. `env` alone, or over the variables that the policy inherits. Source: codex exec-server 0.142.0; `grace` and `holdOutput` are ours. */
export const toStart = ({ environment }: StartDeps, params: Params): Start => {
  const { processId, argv, env, tty, arg0, envPolicy, grace, pipeStdin, holdOutput } = params;
  const cwd = toPath(params.cwd, 'cwd');
  if (argv.length === 0) throw new RpcError(INVALID_PARAMS, 'argv must not be empty');
  if (argv[0] === '') throw new RpcError(INTERNAL_ERROR, 'missing program for pipe spawn');
  const permissions = toPermissions({ tmpdir: environment.TMPDIR }, params);
  return {
    processId,
    permissions,
    needsWriteId: !isOldClient(params),
    spec: {
      argv,
      cwd,
      env: envPolicy ? { ...environmentOf(environment, envPolicy), ...env } : env,
      ...(typeof arg0 === 'string' && { arg0 }),
      ...(tty && { tty }),
      ...(pipeStdin && { stdin: 'pipe' as const }),
      ...(holdOutput && { holdOutput }),
      ...(grace && { grace: { inputMs: toWaitMs(grace.inputMs), termMs: toWaitMs(grace.termMs) } }),
    },
  };
};

/** Source: codex 0.130.0 names folders by plain paths and its writes have no ids; later clients send URIs, and ids. */
const isOldClient = ({ cwd }: Params): boolean => cwd.startsWith('/');
