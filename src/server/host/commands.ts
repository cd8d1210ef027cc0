/** Commands for the Codex methods, run to their end: git, and single commands of a client. */

import {
  asyncScheduler,
  concatMap,
  defer,
  map,
  type Observable,
  type OperatorFunction,
  observeOn,
  of,
  reduce,
  takeWhile,
  throwError,
} from 'rxjs';
import type { BuiltInDeps } from '../../agent/tools/builtInTools';
import { trustedEnvironment } from '../../agent/tools/trustedEnvironment';
import type { Backend, Started } from '../../executor/backend';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import { HostError, type OneOffCommand, type ProcessEnd } from '../../protocol/methods/host';
import type { Config } from '../../settings/config';
import { type GrowingText, growingText } from '../../streams/bytes/decodeUtf8';
import { failIfLate } from '../../streams/time/limits';

/** What the commands of the Codex methods depend on. */
export type HostDeps = {
  /** Throws ConfigError if settings are wrong, or exceed the ceiling of the operator. */
  configure: (settings: ThreadSettings) => Config;
  tools: Pick<BuiltInDeps, 'backend' | 'openSandbox' | 'environmentOf' | 'trustedPath' | 'workspaceProgram'>;
};

type RunLimits = {
  timeoutMs: number;
  /** Of output, both streams together; the rest is dropped. */
  maxBytes: number;
};

type Collected = { stdout: GrowingText; stderr: GrowingText; bytes: number; exitCode: number };

/**
 * Emits once, when the process has closed. Errors with HostError if it cannot be started or takes longer than `timeoutMs`. Then, and
 * on unsubscription, the process ends with all that it started.
 *   process  s-o-o-x-z       process  s-o----    (s started, o output, x exited, z closed)
 *   out      --------(E|)    out      -----#     (E the end)
 */
export const runToEnd =
  (backend: Backend, { timeoutMs, maxBytes }: RunLimits) =>
  (spec: ProcessSpec): Observable<ProcessEnd> =>
    backend.start(spec).pipe(
      takeWhile(({ kind }) => kind !== 'closed'),
      addAll(maxBytes),
      failIfLate(timeoutMs, () => new HostError(`it did not end within ${timeoutMs / 1000} s`)),
      map(({ stdout, stderr, bytes, exitCode }) => ({
        exitCode,
        stdout: stdout.end(),
        stderr: stderr.end(),
        isCut: bytes > maxBytes,
      })),
      concatMap((end) => (end.stdout.length > LONG_CHARS ? of(end).pipe(observeOn(asyncScheduler)) : of(end))),
    );

/** To put together a longer output, and to make a response of it, takes a turn of the event loop each. */
const LONG_CHARS = 4_194_304;

const addAll =
  (maxBytes: number): OperatorFunction<Started | ProcessEvent, Collected> =>
  (event$) =>
    defer(() => {
      const seed: Collected = { stdout: growingText(), stderr: growingText(), bytes: 0, exitCode: -1 };
      return event$.pipe(reduce(addTo(maxBytes), seed));
    });

/** Output is added in place, as there may be megabytes. */
const addTo =
  (maxBytes: number) =>
  (collected: Collected, event: Started | ProcessEvent): Collected => {
    if (event.kind === 'failed') throw new HostError(event.reason);
    if (event.kind === 'exited') return { ...collected, exitCode: event.exitCode };
    if (event.kind !== 'output') return collected;
    const bytes = collected.bytes + event.chunk.length;
    if (bytes <= maxBytes) collected[event.stream === 'stderr' ? 'stderr' : 'stdout'].add(event.chunk);
    return { ...collected, bytes };
  };

const LIMITS = { timeoutMs: 30_000, maxBytes: 67_108_864 };

const OF_WORKSPACE =
  'git runs unasked here, so it is not taken from the workspace, and PATH has no other; name a folder that does not hold the programs of the system';

/** Runs a git command that only reads, in the read-only sandbox. Emits how it ended; errors with HostError if no sandbox works. */
export const runGit =
  ({ configure, tools }: HostDeps) =>
  (folder: string, args: readonly string[]): Observable<ProcessEnd> =>
    defer(() => {
      const config = configure({ cwd: folder });
      const plain = tools.environmentOf(config.shellEnvironment);
      if (tools.workspaceProgram(['git'], plain.PATH, [folder]) !== undefined)
        return throwError(() => new HostError(OF_WORKSPACE));
      const env = trustedEnvironment(plain, (path) => tools.trustedPath(path, [folder]));
      const spec = { argv: ['git', ...args], cwd: folder, env };
      const sandbox = tools.openSandbox(config);
      return onceReady(sandbox, () => runToEnd(sandbox.readOnly, LIMITS)(spec));
    });

const onceReady = (
  { ready$ }: ReturnType<HostDeps['tools']['openSandbox']>,
  run: () => Observable<ProcessEnd>,
): Observable<ProcessEnd> =>
  ready$.pipe(concatMap((ready) => (ready.kind === 'ready' ? run() : throwError(() => new HostError(ready.remedy)))));

/** Source: this program, the most that the end event of a command shows. */
const MAX_BYTES = 1_048_576;

/**
 * Runs a command in the sandbox of its settings, or directly in the mode danger-full-access, if the settings do not keep it in the
 * sandbox. Errors with HostError if no sandbox works, with ConfigError if the settings are above the ceiling.
 */
export const runOneOff =
  ({ configure, tools }: HostDeps) =>
  ({ argv, timeoutMs, settings }: OneOffCommand): Observable<ProcessEnd> =>
    defer(() => {
      const config = configure(settings);
      const spec = { argv, cwd: config.cwd, env: tools.environmentOf(config.shellEnvironment) };
      const limits = { timeoutMs, maxBytes: MAX_BYTES };
      if (config.sandboxMode === 'danger-full-access' && !config.alwaysSandboxed)
        return runToEnd(tools.backend, limits)(spec);
      const sandbox = tools.openSandbox(config);
      return onceReady(sandbox, () => runToEnd(sandbox.asSet, limits)(spec));
    });
