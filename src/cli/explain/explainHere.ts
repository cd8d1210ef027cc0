/** Explains what would happen to a command on this machine. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants as osConstants } from 'node:os';
import { delimiter } from 'node:path';
import { concatMap, defer, forkJoin, from, last, map, NEVER, type Observable, reduce } from 'rxjs';
import { toolDeps } from '../../agent/native/nativeTools';
import type { Decision } from '../../agent/safety/decisions';
import { builtInTools } from '../../agent/tools/builtInTools';
import type { AssessedCall } from '../../agent/tools/tool';
import { trustPrograms } from '../../agent/tools/trustPrograms';
import { configureHere, type Wiring } from '../../agent/wiring/wiring';
import { withExecutors } from '../../app/withExecutors';
import { localBackend } from '../../executor/local/localBackend';
import { trustDeps } from '../../executor/sandbox/isSealed';
import { isProgram } from '../../io/paths/look';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import { watchGroups } from '../../io/processes/watchGroups';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { APPROVAL_POLICIES, type ApprovalPolicy, SANDBOX_MODES, type SandboxMode } from '../../protocol/codex/settings';
import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import { noBackpressure } from '../../streams/backpressure';

/**
 * What would happen to a command. `why`: what makes it trusted, or not. `program`: the file that its name means, null where there
 * is none; `unasked`: the same without the folders of the workspace. `sandbox`: `ready`, or why none works and what helps.
 */
export type Explanation = {
  command: readonly string[];
  cwd: string;
  trusted: boolean;
  why: string;
  program: { name: string; path: string | null; unasked: string | null };
  sandbox: string;
  parsed_cmd: ParsedCommand[];
  decisions: Record<ApprovalPolicy, Record<SandboxMode, Decision>>;
};

export type ExplainDeps = { processInfo: Wiring['processInfo']; options: Wiring['options']; log: Log };

/** Emits the explanation of a command in the folder of the process, and completes. Errors with ConfigError. */
export const explainHere =
  (own: ExplainDeps) =>
  (command: readonly string[]): Observable<Explanation> =>
    defer(() => explained(own, command));

const explained = ({ processInfo, options, log }: ExplainDeps, command: readonly string[]): Observable<Explanation> => {
  const watch = watchGroups({ spawn });
  const backpressure = noBackpressure;
  const wiring = withExecutors({ processInfo, options, log, backpressure, watch, over$: NEVER, newId: randomUUID });
  const backend = localBackend({ spawn, backpressure, signals: osConstants.signals, watch });
  const deps = toolDeps(wiring, backend);
  const config = configureHere(wiring, 'explain')({});
  return forkJoin({
    trust: deps.readTrust(command).pipe(map((trust) => trustPrograms(deps, placeOf(config))(command, trust))),
    parsed_cmd: deps.parseCommand(command),
    ready: deps.openSandbox({ ...config, sandboxMode: 'workspace-write' }).ready$.pipe(last()),
    decisions: decisionsOf(builtInTools(deps), config, command),
  }).pipe(
    map(({ trust, parsed_cmd, ready, decisions }) => ({
      command,
      cwd: config.cwd,
      trusted: trust.trusted,
      why: trust.trusted ? 'every command in it only reads' : trust.why,
      program: programOf(processInfo, command[0] ?? ''),
      sandbox: ready.kind === 'ready' ? 'ready' : ready.remedy,
      parsed_cmd,
      decisions,
    })),
  );
};

const placeOf = ({ cwd, shellEnvironment }: Config) => ({ environment: shellEnvironment, folder: cwd, cwd });

type Rows = ReturnType<typeof builtInTools>;

const decisionsOf = (rows: Rows, config: Config, command: readonly string[]): Observable<Explanation['decisions']> => {
  const call = { callId: '', args: JSON.stringify({ command }), isApproved: () => false };
  const places = APPROVAL_POLICIES.flatMap((policy) => SANDBOX_MODES.map((mode) => ({ policy, mode })));
  return from(places).pipe(
    concatMap(({ policy, mode }) => {
      const [shell] = rows({ ...config, approvalPolicy: policy, sandboxMode: mode });
      const assessed$: Observable<AssessedCall> = shell === undefined ? from([]) : shell.assess(call);
      return assessed$.pipe(map(({ verdict }) => ({ policy, mode, verdict })));
    }),
    reduce(
      (all, { policy, mode, verdict }) => ({ ...all, [policy]: { ...all[policy], [mode]: verdict } }),
      {} as Explanation['decisions'],
    ),
  );
};

const programOf = ({ env, cwd, platform }: Wiring['processInfo'], name: string): Explanation['program'] => {
  if (name.includes('/')) return { name, path: isProgram(name) ? name : null, unasked: null };
  const find = (folders: readonly string[]) => findProgram({ isProgram }, name, folders) ?? null;
  const folders = (env.PATH ?? '').split(delimiter);
  return { name, path: find(folders), unasked: find(trustedFolders(trustDeps({ platform }), env.PATH, [cwd])) };
};
