/** Runs a command that was assessed. */
import { defer, mergeMap, type Observable } from 'rxjs';
import { toTimerMs } from '../../streams/time/timerMs';
import { blockDenied } from './blockDenied';
import type { CommandDeps, CommandPlan, CommandSettings } from './commandCalls';
import type { RunMode, ToolEvent } from './tool';
import { trustedEnvironment } from './trustedEnvironment';

/** The limit named in a note; see `sealed` of the configuration. */
const SEALED =
  'the operator set a sandbox together with approval_policy = "never" on the command line of the server or by --lock, so what is approved stays in the sandbox';

/** Source: Codex 0.28.0, CORE 6.2. */
const TIMEOUT_MS = 10_000;

/**
 * Runs a command that was assessed. A trusted one gets an environment in which it runs no program that a repository names, and a sandbox
 * in which nothing can be written.
 */
export const runPlanned =
  (deps: CommandDeps, { cwd: folder, environment, sandbox, sealed }: CommandSettings) =>
  ({ callId, args, cwd, realCwd, trusted, again }: CommandPlan, mode: RunMode): Observable<ToolEvent> =>
    defer(() => deps.parseCommand(args.command)).pipe(
      mergeMap((parsed) => {
        const plain = deps.environmentOf(environment);
        const env = trusted ? trustedEnvironment(withPath(deps, plain, [folder, cwd])) : plain;
        const timeoutMs = toTimerMs(args.timeout_ms ?? TIMEOUT_MS);
        const run = { callId, argv: args.command, cwd, env, timeoutMs, parsed };
        if (mode === 'direct' && !sealed) {
          return deps.runOn(deps.backend)(realCwd === undefined ? run : { ...run, realCwd });
        }
        const inside = trusted ? sandbox.readOnly : sandbox.asSet;
        const network = trusted ? 'closed' : sandbox.network;
        return deps
          .runOn(inside)(mode === 'direct' ? { ...run, keptBy: { text: SEALED, network } } : run)
          .pipe(blockDenied({ network, again: sealed ? undefined : again }));
      }),
    );

const withPath = ({ trustedPath }: CommandDeps, env: Record<string, string>, workspace: readonly string[]) =>
  env.PATH === undefined ? env : { ...env, PATH: trustedPath(env.PATH, workspace) };
