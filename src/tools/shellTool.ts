/** The tool `shell`, which runs one command. */
import { resolve } from 'node:path';
import { defer, map, mergeMap, type Observable, of } from 'rxjs';
import type { Config } from '../config';
import { findPatch } from '../patch';
import type { ParsedCommand } from '../protocol/codex';
import { assess } from '../safety';
import { toTimerMs } from '../streams';
import { joinWords } from '../text';
import type { CommandRun } from './commandRun';
import {
  assessPatch,
  type PatchCall,
  type PatchDeps,
  type PatchPlan,
  type PatchSettings,
  runPatch,
} from './patchCalls';
import { readShellArguments, type ShellArguments, shellSpec } from './shellArguments';
import type { ApprovalRequest, Assessment, RunMode, Tool, ToolCall, ToolEvent } from './tool';
import { trustedEnvironment } from './trustedEnvironment';

/**
 * @param isTrusted emits whether a command only reads; @param parseCommand what it does, in words for the client
 * @param environmentOf the variables that commands see
 */
export type ShellDeps = PatchDeps & {
  isTrusted: (argv: readonly string[]) => Observable<boolean>;
  parseCommand: (argv: readonly string[]) => Observable<ParsedCommand[]>;
  runCommand: (run: CommandRun, mode: RunMode) => Observable<ToolEvent>;
  environmentOf: (policy: Config['shellEnvironment']) => Record<string, string>;
};

/** The settings of a thread that matter to commands; `mayWrite`: what a patch may write to. */
export type ShellSettings = Pick<Config, 'cwd' | 'approvalPolicy' | 'sandboxMode' | 'shellEnvironment'> &
  Pick<PatchSettings, 'mayWrite'>;

/** A command that was assessed; `cwd` is absolute. */
export type CommandPlan = { kind: 'command'; callId: string; args: ShellArguments; cwd: string; trusted: boolean };

/** A command, or a patch that is written as one. */
export type ShellPlan = CommandPlan | { kind: 'patch'; patch: PatchPlan };

/** Source: Codex 0.28.0, CORE 6.2. */
const TIMEOUT_MS = 10_000;

/**
 * Runs a command, or asks first. Arguments that cannot be read are refused; the model reads why.
 * A trusted command runs where no program that a repository names can run with it. A command that is a patch is applied as one.
 */
export const shellTool = (deps: ShellDeps, settings: ShellSettings): Tool<ShellPlan> => ({
  spec: shellSpec(),
  otherNames: ['container.exec'], // Source: Codex 0.28.0, CORE 6.1
  assess: (call) => {
    const args = readShellArguments(call.args);
    if (typeof args === 'string') return of({ verdict: 'refuse', output: args });
    const cwd = resolve(settings.cwd, args.workdir ?? '.');
    const patch = findPatch(args.command, cwd);
    if (patch !== undefined) return assessFound(deps, settings, { ...call, ...patch });
    return deps
      .isTrusted(args.command)
      .pipe(
        map((trusted) => toAssessment(settings, call, { kind: 'command', callId: call.callId, args, cwd, trusted })),
      );
  },
  run: (plan, mode) =>
    plan.kind === 'patch'
      ? runPatch(deps, patchSettings(settings))(plan.patch, mode)
      : runPlan(deps, settings)(plan, mode),
});

const patchSettings = ({ approvalPolicy, sandboxMode, mayWrite }: ShellSettings): PatchSettings => ({
  policy: approvalPolicy,
  mode: sandboxMode,
  mayWrite,
});

const assessFound = (deps: ShellDeps, settings: ShellSettings, call: PatchCall): Observable<Assessment<ShellPlan>> =>
  assessPatch(
    deps,
    patchSettings(settings),
  )(call).pipe(
    map((assessment) =>
      assessment.verdict === 'refuse'
        ? assessment
        : { ...assessment, plan: { kind: 'patch', patch: assessment.plan } as const },
    ),
  );

const runPlan =
  (deps: ShellDeps, settings: ShellSettings) =>
  ({ callId, args, cwd, trusted }: CommandPlan, mode: RunMode): Observable<ToolEvent> =>
    defer(() => deps.parseCommand(args.command)).pipe(
      mergeMap((parsed) => {
        const env = deps.environmentOf(settings.shellEnvironment);
        const run = {
          callId,
          argv: args.command,
          cwd,
          env: trusted ? trustedEnvironment(env) : env,
          timeoutMs: toTimerMs(args.timeout_ms ?? TIMEOUT_MS),
          parsed,
        };
        return deps.runCommand(run, mode);
      }),
    );

const toAssessment = (
  { approvalPolicy: policy, sandboxMode: sandbox }: ShellSettings,
  { isApproved }: ToolCall,
  plan: CommandPlan,
): Assessment<ShellPlan> => {
  const approved = isApproved(approvalKey(plan));
  const escalated = plan.args.with_escalated_permissions === true;
  const answer = assess({ policy, sandbox, trusted: plan.trusted, approved, escalated });
  return answer.verdict === 'run'
    ? { verdict: 'run', plan }
    : { verdict: 'ask', plan, approval: toApproval(plan, answer.reason) };
};

/** An approval for the session is for exactly this command in exactly this folder: `rm -r .` is not the same elsewhere. */
const approvalKey = ({ args, cwd }: CommandPlan): string => `shell ${JSON.stringify([cwd, ...args.command])}`;

/** The model's own reason comes before the reason why the command is asked about at all. */
const toApproval = (plan: CommandPlan, because: string | undefined): ApprovalRequest => {
  const { callId, args, cwd } = plan;
  const reason = [args.justification, because].filter(Boolean).join('\n');
  return {
    msg: {
      type: 'exec_approval_request',
      call_id: callId,
      command: args.command,
      cwd,
      ...(reason && { reason }),
    },
    subject: `\`${joinWords(args.command)}\``,
    what: 'exec command',
    keys: [approvalKey(plan)],
  };
};
