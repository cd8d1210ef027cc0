/** Owns one tool call of the model: may it run, does somebody have to be asked, what came of it. */

import { resolve } from 'node:path';
import { map, mergeMap, type Observable, of } from 'rxjs';
import type { Config } from '../config';
import type { Ask, FunctionCall, ParsedCommand, Verdict } from '../protocol';
import { assess } from '../safety';
import { type CommandRun, readPlanArguments, readShellArguments, type ShellArguments, type ToolOutput } from '../tools';
import { output, type Step, type Turn, tell } from './step';

/** `approved` remembers, per thread, what may run without being asked again. */
export type CallDeps = {
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

/**
 * Runs one call. Emits its events, then its output for the model; or a stop, when the user ended the turn over it.
 * Only tools that were offered run. Never errors.
 */
export const runCall =
  (deps: CallDeps) =>
  (turn: Turn, call: FunctionCall): Observable<Step> => {
    if (call.name === 'shell') return shell(deps, turn, call);
    if (call.name === 'update_plan' && turn.thread.config.includePlanTool) return updatePlan(turn, call);
    return of(output(call, `unsupported call: ${call.name}`));
  };

const updatePlan = (turn: Turn, call: FunctionCall): Observable<Step> => {
  const plan = readPlanArguments(call.arguments);
  if (typeof plan === 'string') return of(output(call, plan));
  return of(
    tell(turn, { type: 'plan_update', explanation: plan.explanation ?? null, plan: plan.plan }),
    output(call, 'Plan updated'),
  );
};

const shell = (deps: CallDeps, turn: Turn, call: FunctionCall): Observable<Step> => {
  const args = readShellArguments(call.arguments);
  if (typeof args === 'string') return of(output(call, args));
  const { config } = turn.thread;
  const cwd = resolve(config.cwd, args.workdir ?? '.');
  return deps.isTrusted(args.command).pipe(
    mergeMap((trusted) => {
      const { approvalPolicy: policy, sandboxMode: sandbox } = config;
      const approved = deps.approved.has(args.command, cwd);
      const escalated = args.with_escalated_permissions === true;
      const verdict = assess({ policy, sandbox, trusted, approved, escalated });
      return verdict.verdict === 'run'
        ? run(deps, turn, call, args, cwd)
        : askFirst(deps, turn, call, args, cwd, verdict.reason);
    }),
  );
};

const run = (deps: CallDeps, turn: Turn, call: FunctionCall, args: ShellArguments, cwd: string): Observable<Step> =>
  deps.parseCommand(args.command).pipe(
    mergeMap((parsed) =>
      deps.runCommand({
        callId: call.call_id,
        argv: args.command,
        cwd,
        env: deps.environmentOf(turn.thread.config.shellEnvironment),
        timeoutMs: args.timeout_ms ?? TIMEOUT_MS,
        parsed,
      }),
    ),
    map((said) => (said.kind === 'event' ? tell(turn, said.msg) : output(call, said.text))),
  );

const askFirst = (
  deps: CallDeps,
  turn: Turn,
  call: FunctionCall,
  args: ShellArguments,
  cwd: string,
  because: string | undefined,
): Observable<Step> => {
  const { command } = args;
  const reason = [args.justification, because].filter(Boolean).join('\n') || undefined;
  const request = {
    type: 'exec_approval_request',
    call_id: call.call_id,
    command,
    cwd,
    ...(reason && { reason }),
  } as const;
  return deps.ask<Step>(
    turn.op,
    (question) => ({ ...tell(turn, request), question }),
    (verdict) => {
      if (verdict.decision === 'approved_for_session') deps.approved.add(command, cwd);
      return verdict.decision === 'approved' || verdict.decision === 'approved_for_session'
        ? run(deps, turn, call, args, cwd)
        : of(...notRun(turn, call, command, verdict));
    },
  );
};

type Refused = Verdict & { question?: number };

/** Told to the model in any case; told to the caller unless a person simply said no. */
const notRun = (
  { op }: Turn,
  call: FunctionCall,
  command: readonly string[],
  { decision, reason, question }: Refused,
): Step[] => {
  const said = output(call, `exec command rejected${reason === undefined ? ' by user' : `: ${reason}`}`);
  const isStop = decision === 'abort';
  const why = reason ?? (isStop ? 'the user stopped the turn at this question' : undefined);
  const declined: Step[] =
    why === undefined
      ? []
      : [{ kind: 'declined', callId: op.callId, what: `\`${command.join(' ')}\``, reason: why, question }];
  return [...declined, said, ...(isStop ? [{ kind: 'stop' } as const] : [])];
};
