/** Owns one command of the model: may it run, does somebody have to be asked, what came of it. */
import { resolve } from 'node:path';
import { map, mergeMap, type Observable, of } from 'rxjs';
import type { Config } from '../config';
import type { Ask, FunctionCall, ParsedCommand, Verdict } from '../protocol';
import { assess } from '../safety';
import { toTimerMs } from '../streams';
import { type CommandRun, readShellArguments, type ShellArguments, type ToolOutput } from '../tools';
import { output, type Step, type Turn, tell } from './step';
import { trustedEnvironment } from './trustedEnvironment';

/** `approved` remembers, per thread, what may run without being asked again. */
export type ShellDeps = {
  ask: Ask;
  isTrusted: (argv: readonly string[]) => Observable<boolean>;
  parseCommand: (argv: readonly string[]) => Observable<ParsedCommand[]>;
  runCommand: (run: CommandRun) => Observable<ToolOutput>;
  environmentOf: (policy: Config['shellEnvironment']) => Record<string, string>;
  approved: {
    has: (argv: readonly string[], cwd: string) => boolean;
    add: (argv: readonly string[], cwd: string) => void;
  };
};

/** Source: Codex 0.28.0, CORE 6.2. */
const TIMEOUT_MS = 10_000;

/** A command as it is wanted; `cwd` is absolute. */
type Wanted = { turn: Turn; call: FunctionCall; args: ShellArguments; cwd: string; trusted: boolean };

/**
 * Runs a command, or asks first. Emits its events, then its output; or a stop, when the user ended the turn over it.
 * Arguments that cannot be read are news for the model. Never errors.
 *   ask  ----y         (y the person's yes)
 *   out  Q---B-(EO|)   (Q the question, B, E begin and end of the command, O the output)
 */
export const runShell =
  (deps: ShellDeps) =>
  (turn: Turn, call: FunctionCall): Observable<Step> => {
    const args = readShellArguments(call.arguments);
    if (typeof args === 'string') return of(output(call, args));
    const cwd = resolve(turn.thread.config.cwd, args.workdir ?? '.');
    return deps.isTrusted(args.command).pipe(mergeMap((trusted) => runOrAsk(deps, { turn, call, args, cwd, trusted })));
  };

const runOrAsk = (deps: ShellDeps, wanted: Wanted): Observable<Step> => {
  const { turn, args, cwd, trusted } = wanted;
  const { approvalPolicy: policy, sandboxMode: sandbox } = turn.thread.config;
  const approved = deps.approved.has(args.command, cwd);
  const escalated = args.with_escalated_permissions === true;
  const answer = assess({ policy, sandbox, trusted, approved, escalated });
  return answer.verdict === 'run' ? run(deps, wanted) : askFirst(deps, wanted, answer.reason);
};

const run = (deps: ShellDeps, { turn, call, args, cwd, trusted }: Wanted): Observable<Step> => {
  const env = deps.environmentOf(turn.thread.config.shellEnvironment);
  return deps.parseCommand(args.command).pipe(
    mergeMap((parsed) =>
      deps.runCommand({
        callId: call.call_id,
        argv: args.command,
        cwd,
        env: trusted ? trustedEnvironment(env) : env,
        timeoutMs: toTimerMs(args.timeout_ms ?? TIMEOUT_MS),
        parsed,
      }),
    ),
    map((said) => (said.kind === 'event' ? tell(turn, said.msg) : output(call, said.text))),
  );
};

const askFirst = (deps: ShellDeps, wanted: Wanted, because: string | undefined): Observable<Step> => {
  const { turn, call, args, cwd } = wanted;
  const { command } = args;
  const reason = [args.justification, because].filter(Boolean).join('\n');
  const request = tell(turn, {
    type: 'exec_approval_request',
    call_id: call.call_id,
    command,
    cwd,
    ...(reason && { reason }),
  });
  return deps.ask<Step>(
    turn.op,
    (question) => ({ ...request, question }),
    (verdict) => {
      if (verdict.decision === 'approved_for_session') deps.approved.add(command, cwd);
      return verdict.decision === 'approved' || verdict.decision === 'approved_for_session'
        ? run(deps, wanted)
        : of(...notRun(wanted, verdict));
    },
  );
};

/** Told to the model in any case; told to the caller unless a person simply said no. */
const notRun = ({ turn, call, args }: Wanted, verdict: Verdict & { question?: number }): Step[] => {
  const { decision, reason, question } = verdict;
  const isStop = decision === 'abort';
  const why = reason ?? (isStop ? 'the user stopped the turn at this question' : undefined);
  const what = `\`${args.command.join(' ')}\``;
  return [
    ...(why === undefined ? [] : [{ kind: 'declined', callId: turn.op.callId, what, reason: why, question } as const]),
    output(call, `exec command rejected${reason === undefined ? ' by user' : `: ${reason}`}`),
    ...(isStop ? [{ kind: 'stop' } as const] : []),
  ];
};
