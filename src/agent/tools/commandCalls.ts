/** Commands as calls of a tool: whether one may run, in a sandbox or not. */
import { resolve } from 'node:path';
import { concatMap, map, type Observable, of } from 'rxjs';
import type { Backend } from '../../executor/backend';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import { toVisible } from '../../io/log/toPlain';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import type { Config } from '../../settings/config';
import { isWithin } from '../../streams/text/trim';
import { joinWords } from '../../streams/text/words';
import { type Action, decide, type Ruling } from '../safety/decide';
import { type MarksOf, type NamedFile, namedFiles, toNote } from '../safety/namedFiles';
import type { Trust } from '../safety/readTrust';
import { foldersOf } from '../safety/trustedPaths';
import type { CommandRun } from './commandOutcome';
import type { ShellArguments } from './shellArguments';
import type { ApprovalRequest, Assessment, ToolCall, ToolEvent } from './tool';
import { type CommandTrustDeps, NOT_WITHOUT, needsSandbox, trustPrograms } from './trustPrograms';

export type CommandDeps = CommandTrustDeps & {
  /** Emits whether a command only reads. */
  readTrust: (argv: readonly string[]) => Observable<Trust>;
  /** Emits a description of the command for the client. */
  parseCommand: (argv: readonly string[]) => Observable<ParsedCommand[]>;
  /** Emits once: the path of a folder with links resolved, or the path itself if it does not exist. */
  realFolder: (path: string) => Observable<string>;
  /** Marks the bytes of files. */
  marksOf: MarksOf;
  /** True if git in this folder would run programs that a repository names. */
  namesPrograms: (folder: string) => boolean;
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

/** The files that a command names; undefined if that was not asked, or is not known. */
type OfFiles = { files?: readonly NamedFile[] | undefined };

/** A command of a call. */
export type CommandCall = AskedCommand & OfFiles & Pick<ToolCall, 'isApproved'>;

/** A command that was assessed. */
export type CommandPlan = AskedCommand & {
  trusted: boolean;
  /** What a person is asked if the sandbox stops the command. */
  again?: ApprovalRequest;
};

/** Whether a command may run. Emits once. */
export const assessCommand =
  (deps: CommandDeps, settings: CommandSettings) =>
  (call: CommandCall): Observable<Assessment<CommandPlan>> =>
    deps.readTrust(call.args.command).pipe(
      map((trust) =>
        trustPrograms(deps, { ...settings, cwd: call.cwd, folder: settings.cwd })(call.args.command, trust),
      ),
      concatMap((trust) => placed(deps, settings, call).pipe(map((call) => ({ call, trust })))),
      concatMap(({ call, trust }) => {
        const { isApproved: _, files: __, ...own } = call;
        const plan = { ...own, trusted: trust.trusted };
        const folders = trust.trusted ? foldersOf(trust.commands, call.realCwd ?? call.cwd) : undefined;
        return rule(deps, settings, { call, trust, folders }).pipe(
          concatMap((ruling) =>
            (mayBeAsked(call, settings, ruling) ? withFiles(deps, settings, call) : of(call)).pipe(
              map((call) => toAssessment({ call, settings }, plan, ruling)),
            ),
          ),
        );
      }),
    );

/** The real folder of a command matters only if approvals do, and its files only if there is one. */
const placed = (deps: CommandDeps, settings: CommandSettings, call: CommandCall): Observable<CommandCall> =>
  mayAsk(settings)
    ? deps.realFolder(call.cwd).pipe(
        map((realCwd) => ({ ...call, realCwd })),
        concatMap((call) => (call.isApproved(approvalKey(call)) ? withFiles(deps, settings, call) : of(call))),
      )
    : of(call);

const withFiles = (deps: CommandDeps, settings: CommandSettings, call: CommandCall): Observable<CommandCall> => {
  if (call.files !== undefined) return of(call);
  const folder = call.realCwd ?? call.cwd;
  const { PATH = '' } = deps.environmentOf(settings.environment);
  const programs = PATH.split(':')
    .map((path) => resolve(folder, path))
    .filter((path) => [settings.cwd, ...settings.sandbox.writable].some((root) => isWithin(root, path)));
  return namedFiles(deps.marksOf)(call.args.command, { folder, programs }).pipe(map((files) => ({ ...call, files })));
};

const mayAsk = ({ policy, mode }: CommandSettings): boolean =>
  policy !== 'never' && (mode !== 'danger-full-access' || policy === 'untrusted');

type Situation = { call: CommandCall; trust: Trust; folders: readonly string[] | undefined };

/** The sandbox is probed only if the ruling depends on it. */
const rule = (deps: CommandDeps, settings: CommandSettings, situation: Situation): Observable<Ruling> => {
  const { policy, mode, sandbox } = settings;
  const action = actionOf(deps, situation);
  const { call, ...looked } = situation;
  const place = { environment: settings.environment, folder: settings.cwd, cwd: call.cwd };
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

const actionOf = ({ namesPrograms }: CommandDeps, { call, trust, folders }: Situation): Action => {
  if (call.files !== undefined && keysOf(call).every(call.isApproved)) return 'approved';
  if (!trust.trusted) return call.args.with_escalated_permissions === true ? 'escalated' : 'command';
  if (!trust.commands.some(([name]) => name === 'git')) return 'reader';
  return folders === undefined || folders.some(namesPrograms) ? 'gitWithPrograms' : 'git';
};

type Asked = { call: CommandCall; settings: CommandSettings };

/** Now, or after the sandbox has stopped it. */
const mayBeAsked = ({ args }: AskedCommand, { policy }: CommandSettings, ruling: Ruling): boolean =>
  ruling.decision === 'ask' ||
  (ruling.decision === 'sandbox' &&
    (ruling.afterDenial === 'ask' || (policy !== 'never' && args.with_escalated_permissions === true)));

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
    case 'sandbox':
      return {
        verdict: 'sandbox',
        plan: mayBeAsked(call, settings, ruling)
          ? { ...plan, again: toApproval(call, becauseOf(call, settings.cwd, AGAIN)) }
          : plan,
        ...effectOf(plan),
      };
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

/** The second key has the bytes of the files that the command names. Nothing is approved for the session if these are not known. */
const keysOf = (call: AskedCommand & OfFiles): string[] => {
  const key = approvalKey(call);
  return call.files === undefined ? [] : [key, `${key} ${JSON.stringify(call.files.map(({ mark }) => mark))}`];
};

/** The command as people read it. */
export const subjectOf = ({ args }: AskedCommand): string => `\`${joinWords(args.command)}\``;

/** The agent's own reason is marked as such, and in one line, so that it cannot be mistaken for a line of this program. */
export const toApproval = (call: AskedCommand & OfFiles, because: string | undefined): ApprovalRequest => {
  const { callId, args, cwd } = call;
  const own = args.justification && `The agent says: ${toVisible(args.justification.trim())}`;
  const reason = [own, because, toNote(call.files ?? [])].filter(Boolean).join('\n');
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
    keys: keysOf(call),
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
