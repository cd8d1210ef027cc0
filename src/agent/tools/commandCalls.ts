/** Commands as calls of a tool: whether one may run, in a sandbox or not. */
import { concatMap, forkJoin, map, type Observable, of } from 'rxjs';
import type { Backend } from '../../executor/backend';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import type { Config } from '../../settings/config';
import { toVisible } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import { type Ruled, reasonOfRule } from '../safety/commandRules';
import { type Action, decide, type Ruling } from '../safety/decide';
import type { Trust } from '../safety/readTrust';
import { foldersOf } from '../safety/trustedPaths';
import type { CommandRun } from './commandOutcome';
import type { ShellArguments } from './shellArguments';
import type { ApprovalRequest, Assessment, ToolCall, ToolEvent } from './tool';
import { type CommandTrustDeps, mayRunFreely, NOT_WITHOUT, needsSandbox, trustPrograms } from './trustPrograms';

export type CommandDeps = CommandTrustDeps & {
  /** Emits whether a command only reads. */
  readTrust: (argv: readonly string[]) => Observable<Trust>;
  /** Emits what the user's rules decide about a command; undefined if none applies. */
  judgeByRules: (rules: Config['rules']) => (argv: readonly string[]) => Observable<Ruled | undefined>;
  /** Emits a description of the command for the client. */
  parseCommand: (argv: readonly string[]) => Observable<ParsedCommand[]>;
  /** Emits once: the path of a folder with links resolved, or the path itself if it does not exist. */
  realFolder: (path: string) => Observable<string>;
  /** Runs a command on a backend. */
  runOn: (backend: Backend) => (run: CommandRun) => Observable<ToolEvent>;
  /** Runs processes without a sandbox. */
  backend: Backend;
};

/** The settings of a thread that matter to commands. */
export type CommandSettings = {
  policy: ApprovalPolicy;
  mode: SandboxMode;
  /** The folder of the thread. */
  cwd: string;
  environment: Config['shellEnvironment'];
  sandbox: SessionSandbox;
  /** Approved commands run in the sandbox too. */
  sealed: boolean;
  /** The user's own rules for commands. */
  rules?: Config['rules'];
};

/** A command that a person may be asked about. */
type AskedCommand = {
  callId: string;
  args: ShellArguments;
  /** Absolute. */
  cwd: string;
  /** The same with links resolved; present if approvals matter, because they apply to it. */
  realCwd?: string;
};

/** A command of a call. */
export type CommandCall = AskedCommand & Pick<ToolCall, 'isApproved'>;

/** A command that was assessed. */
export type CommandPlan = AskedCommand & {
  trusted: boolean;
  /** A rule of the user lets it run without a sandbox. */
  allowed?: true;
  /** What a person is asked if the sandbox stops the command. */
  again?: ApprovalRequest;
};

/** Whether a command may run. Emits once. */
export const assessCommand =
  (deps: CommandDeps, settings: CommandSettings) =>
  (call: CommandCall): Observable<Assessment<CommandPlan>> =>
    forkJoin({
      trust: deps.readTrust(call.args.command),
      ruled: deps.judgeByRules(settings.rules)(call.args.command),
      call: placed(deps, settings, call),
    }).pipe(
      concatMap(({ trust: read, ruled, call }) => {
        const place = placeOf(settings, call);
        const trust = trustPrograms(deps, place)(call.args.command, read);
        const { isApproved: _, ...own } = call;
        const plan = { ...own, trusted: trust.trusted };
        const folders = trust.trusted ? foldersOf(trust.commands, call.realCwd ?? call.cwd) : undefined;
        if (ruled?.decision === 'allow' && mayRunFreely(deps, { argv: call.args.command, ruled }, place)) {
          return of<Assessment<CommandPlan>>({ verdict: 'run', plan: { ...plan, trusted: false, allowed: true } });
        }
        const ruling$ =
          ruled && ruled.decision !== 'allow'
            ? of(ruleOf(settings, call, ruled))
            : rule(deps, settings, { call, trust, folders });
        return ruling$.pipe(map((ruling) => toAssessment({ call, settings }, plan, ruling)));
      }),
    );

const placeOf = ({ environment, cwd: folder }: CommandSettings, { cwd }: CommandCall) => ({ environment, folder, cwd });

/** Source: Codex 0.171.0, in runs: a rule that asks does so in full access too, and under `never` it refuses. */
const ruleOf = (
  { policy }: CommandSettings,
  call: CommandCall,
  ruled: Exclude<Ruled, { decision: 'allow' }>,
): Ruling => {
  const reason = reasonOfRule(ruled);
  if (ruled.decision === 'forbidden') return { decision: 'refuse', reason };
  if (call.isApproved(approvalKey(call))) return { decision: 'run' };
  if (policy !== 'never') return { decision: 'ask', reason };
  return { decision: 'refuse', reason: `${reason}; nobody is asked under the approval policy never` };
};

/** The real folder of a command matters only if approvals do. */
const placed = (deps: CommandDeps, settings: CommandSettings, call: CommandCall): Observable<CommandCall> =>
  mayAsk(settings) || settings.rules !== undefined
    ? deps.realFolder(call.cwd).pipe(map((realCwd) => ({ ...call, realCwd })))
    : of(call);

const mayAsk = ({ policy, mode }: CommandSettings): boolean =>
  policy !== 'never' && (mode !== 'danger-full-access' || policy === 'untrusted');

type Situation = { call: CommandCall; trust: Trust; folders: readonly string[] | undefined };

/** The sandbox is probed only if the ruling depends on it. */
const rule = (deps: CommandDeps, settings: CommandSettings, situation: Situation): Observable<Ruling> => {
  const { policy, mode, sandbox } = settings;
  const action = actionOf(deps, situation);
  const { call, ...looked } = situation;
  const place = placeOf(settings, call);
  const ruling = decide({ policy, mode, action, sandbox: { kind: 'ready' } });
  const ruling$ =
    ruling.decision === 'sandbox'
      ? sandbox.ready$.pipe(map((ready) => decide({ policy, mode, action, sandbox: ready })))
      : of(ruling);
  return ruling$.pipe(
    concatMap((ruling) =>
      ruling.decision === 'run' &&
      action === 'reader' &&
      needsSandbox(deps, { argv: call.args.command, ...looked }, place)
        ? rule(deps, settings, { ...situation, trust: NOT_WITHOUT })
        : of(ruling),
    ),
  );
};

const actionOf = (deps: CommandDeps, { call, trust, folders }: Situation): Action => {
  if (call.isApproved(approvalKey(call))) return 'approved';
  if (!trust.trusted) return call.args.with_escalated_permissions === true ? 'escalated' : 'command';
  if (!trust.commands.some(([name]) => name === 'git')) return 'reader';
  return folders === undefined || folders.some(deps.namesPrograms) ? 'gitWithPrograms' : 'git';
};

type Asked = { call: CommandCall; settings: CommandSettings };

const toAssessment = ({ call, settings }: Asked, plan: CommandPlan, ruling: Ruling): Assessment<CommandPlan> => {
  switch (ruling.decision) {
    case 'run':
      return { verdict: 'run', plan, ...effectOf(plan) };
    case 'ask':
      return { verdict: 'ask', plan, approval: toApproval(call, becauseOf(call, settings.cwd, ruling.reason)) };
    case 'refuse': {
      const { reason } = ruling;
      return {
        verdict: 'refuse',
        output: `exec command rejected: ${reason}`,
        report: { subject: subjectOf(call), reason },
      };
    }
    case 'sandbox': {
      const asks =
        ruling.afterDenial === 'ask' || (settings.policy !== 'never' && call.args.with_escalated_permissions === true);
      return {
        verdict: 'sandbox',
        plan: asks ? { ...plan, again: toApproval(call, becauseOf(call, settings.cwd, AGAIN)) } : plan,
        ...effectOf(plan),
      };
    }
  }
};

const effectOf = ({ trusted }: CommandPlan): { effect?: 'reads' } => (trusted ? { effect: 'reads' } : {});

/** Source: Codex 0.28.0, CORE 7.3. */
const AGAIN = 'command failed; retry without sandbox?';

/**
 * An approval for the session applies to exactly this command in exactly this folder: `rm -r .` is not the same elsewhere, and a command in the
 * sandbox may replace a folder with a link.
 */
export const approvalKey = ({ args, cwd, realCwd = cwd }: AskedCommand): string =>
  `shell ${JSON.stringify([realCwd, ...args.command])}`;

/** The command as people read it. */
export const subjectOf = ({ args }: AskedCommand): string => `\`${joinWords(args.command)}\``;

/** The agent's own reason is marked as such, and in one line, so that it cannot be mistaken for a line of this program. */
export const toApproval = (call: AskedCommand, because: string | undefined): ApprovalRequest => {
  const { callId, args, cwd } = call;
  const own = args.justification && `The agent says: ${toVisible(args.justification.trim())}`;
  const reason = [own, because].filter(Boolean).join('\n');
  return {
    msg: {
      type: 'exec_approval_request',
      call_id: callId,
      command: args.command,
      cwd,
      ...(reason && { reason }),
    },
    subject: subjectOf(call),
    what: 'exec command',
    keys: [approvalKey(call)],
  };
};

/**
 * The reason of this program: where the folder of the command really is, if a link leads there, and then `reason`. The folder of the thread may be
 * a link: the operator named it that way.
 */
export const becauseOf = (
  { cwd, realCwd = cwd }: AskedCommand,
  threadCwd: string,
  reason?: string,
): string | undefined => {
  if (cwd === realCwd || cwd === threadCwd) return reason;
  const leads = toVisible(`${cwd} is reached by a link; the command runs in ${realCwd}`);
  return reason === undefined ? leads : `${leads}\n${reason}`;
};
