/** Commands as calls of a tool: whether one may run, in a sandbox or not. */
import { resolve } from 'node:path';
import { concatMap, defer, forkJoin, type MonoTypeOperatorFunction, map, type Observable, of } from 'rxjs';
import type { Backend } from '../../executor/backend';
import type { SessionSandbox } from '../../executor/sandbox/openSandboxes';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import type { ApprovalPolicy, SandboxMode } from '../../protocol/codex/settings';
import type { Config } from '../../settings/config';
import { isWithin } from '../../streams/text/trim';
import { type RuledCommand, reasonOfRule } from '../safety/commandRules';
import { type Action, decide, type Ruling } from '../safety/decide';
import { type MarksOf, namedFiles } from '../safety/namedFiles';
import type { Trust } from '../safety/readTrust';
import type { WordsIn } from '../safety/script';
import { workingFolders } from '../safety/trustedPaths';
import type { CommandRun } from './commandOutcome';
import type { EditorPlaces } from './patchCalls';
import type { TerminalDeps } from './runInTerminal';
import {
  type AskedCommand,
  approvalKey,
  becauseOf,
  type CommandCall,
  keysOf,
  type OfFiles,
  subjectOf,
  toApproval,
} from './shellArguments';
import type { ApprovalRequest, Assessment, ToolCall, ToolEvent } from './tool';
import { type CommandTrustDeps, mayRunFreely, NOT_WITHOUT, needsSandbox, trustPrograms } from './trustPrograms';

export type CommandDeps = CommandTrustDeps & {
  /** Emits whether a command only reads. */
  readTrust: (argv: readonly string[]) => Observable<Trust>;
  /** Emits what the user's rules decide about a command; undefined if none applies. */
  decideByRules: (rules: Config['rules']) => (argv: readonly string[]) => Observable<RuledCommand | undefined>;
  /** Emits a description of the command for the client. */
  parseCommand: (argv: readonly string[]) => Observable<ParsedCommand[]>;
  /** Emits once: the path of a folder with links resolved, or the path itself if it does not exist. */
  realFolder: (path: string) => Observable<string>;
  /** Marks the bytes of files. */
  marksOf: MarksOf;
  /** Reads the words of a script. */
  wordsIn: WordsIn;
  /** Runs a command on a backend. */
  runOn: (backend: Backend) => (run: CommandRun) => Observable<ToolEvent>;
  /** Runs processes without a sandbox. */
  backend: Backend;
  /** For the terminals of the client; absent if commands run on another machine than its own. */
  terminals?: Pick<TerminalDeps, 'signals' | 'withheld'>;
  /** In ms, for durations. */
  now: () => number;
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
  alwaysSandboxed: boolean;
  /** The user's own rules for commands. */
  rules?: Config['rules'];
  /** Where an editor is asked for the files of a patch. Default: nowhere. */
  editorPlaces?: EditorPlaces;
};

/** A command that was assessed. */
export type CommandPlan = AskedCommand &
  Pick<ToolCall, 'terminal'> & {
    trusted: boolean;
    /** A rule of the user lets it run without a sandbox. */
    allowed?: true;
    /** What an approval for the session covers; present if the files of the command are known. */
    keys?: readonly string[];
    /** What a person is asked if the sandbox stops the command. */
    again?: ApprovalRequest;
  };

/** Whether a command may run. Emits once. */
export const assessCommand =
  (deps: CommandDeps, settings: CommandSettings) =>
  (call: CommandCall): Observable<Assessment<CommandPlan>> =>
    forkJoin({
      trust: deps.readTrust(call.args.command),
      byRules: deps.decideByRules(settings.rules)(call.args.command),
      call: placed(deps, settings, call),
    }).pipe(
      concatMap(({ trust: read, byRules, call }) => {
        const place = placeOf(settings, call);
        const trust = trustPrograms(deps, place)(call.args.command, read);
        const { isApproved: _, files: __, ...own } = call;
        const plan = { ...own, trusted: trust.trusted };
        const folders = trust.trusted ? workingFolders(trust.commands, call.realCwd ?? call.cwd) : undefined;
        if (byRules?.decision === 'allow' && mayRunFreely(deps, { argv: call.args.command, byRules }, place)) {
          return of<Assessment<CommandPlan>>({ verdict: 'run', plan: { ...plan, trusted: false, allowed: true } });
        }
        const ruling$ =
          byRules && byRules.decision !== 'allow'
            ? of(rulingByRule(settings, call, byRules))
            : rulingByPolicy(deps, settings, { call, trust, folders });
        return ruling$.pipe(
          concatMap((ruling) =>
            (mayBeAsked(call, settings, ruling) ? withFiles(deps, settings, call) : of(call)).pipe(
              map((call) => toAssessment({ call, settings }, plan, ruling)),
            ),
          ),
        );
      }),
    );

const placeOf = ({ environment, cwd: folder, rules }: CommandSettings, { cwd, realCwd = cwd }: CommandCall) => ({
  environment,
  folder,
  cwd,
  realCwd,
  repository: rules?.repository,
});

/** Source: Codex 0.171.0, in runs: a rule that asks does so in full access too, and under `never` it refuses. */
const rulingByRule = (
  { policy }: CommandSettings,
  call: CommandCall,
  byRules: Exclude<RuledCommand, { decision: 'allow' }>,
): Ruling => {
  const reason = reasonOfRule(byRules);
  if (byRules.decision === 'forbidden') return { decision: 'refuse', reason };
  if (isApproved(call)) return { decision: 'run' };
  if (policy !== 'never') return { decision: 'ask', reason };
  return { decision: 'refuse', reason: `${reason}; nobody is asked under the approval policy never` };
};

/** The real folder of a command matters only if approvals do, and its files only if there is one. */
const placed = (deps: CommandDeps, settings: CommandSettings, call: CommandCall): Observable<CommandCall> =>
  mayAsk(settings) || settings.rules !== undefined
    ? deps.realFolder(call.cwd).pipe(
        map((realCwd) => ({ ...call, realCwd })),
        concatMap((call) => (call.isApproved(approvalKey(call)) ? withFiles(deps, settings, call) : of(call))),
      )
    : of(call);

const withFiles = <C extends AskedCommand & OfFiles>(
  deps: CommandDeps,
  settings: CommandSettings,
  call: C,
): Observable<C & OfFiles> => {
  if (call.files !== undefined) return of(call);
  const folder = call.realCwd ?? call.cwd;
  const { PATH = '' } = deps.environmentOf(settings.environment);
  const programs = PATH.split(':')
    .map((path) => resolve(folder, path))
    .filter((path) => [settings.cwd, ...settings.sandbox.writable].some((root) => isWithin(root, path)));
  return namedFiles(deps)(call.args.command, { folder, programs }).pipe(map((files) => ({ ...call, files })));
};

/**
 * Announces what is approved with a command: how it leaves the files that it names.
 *   in   b--(eo|)
 *   out  b--(eco|)    (o the output, c that its own changes are approved too)
 */
export const ownChanges =
  (
    deps: CommandDeps,
    settings: CommandSettings,
    { keys, ...asked }: CommandPlan,
  ): MonoTypeOperatorFunction<ToolEvent> =>
  (event$) => {
    if (keys === undefined) return event$;
    const keys$ = defer(() => withFiles(deps, settings, asked)).pipe(map(keysOf));
    return event$.pipe(
      concatMap((event) => (event.kind === 'output' ? [{ kind: 'ownChanges' as const, keys, keys$ }, event] : [event])),
    );
  };

const mayAsk = ({ policy, mode }: CommandSettings): boolean =>
  policy !== 'never' && (mode !== 'danger-full-access' || policy === 'untrusted');

type Situation = { call: CommandCall; trust: Trust; folders: readonly string[] | undefined };

/** The sandbox is probed only if the ruling depends on it. */
const rulingByPolicy = (deps: CommandDeps, settings: CommandSettings, situation: Situation): Observable<Ruling> => {
  const { policy, mode, sandbox } = settings;
  const action = actionOf(situation);
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
        ? rulingByPolicy(deps, settings, { ...situation, trust: NOT_WITHOUT })
        : of(ruling),
    ),
  );
};

const actionOf = ({ call, trust }: Situation): Action => {
  if (isApproved(call)) return 'approved';
  if (!trust.trusted) return call.args.with_escalated_permissions === true ? 'escalated' : 'command';
  return trust.commands.some(([name]) => name === 'git') ? 'git' : 'reader';
};

type Asked = { call: CommandCall; settings: CommandSettings };

/** Now, or after the sandbox has stopped it. */
const mayBeAsked = ({ args }: AskedCommand, { policy }: CommandSettings, ruling: Ruling): boolean =>
  ruling.decision === 'ask' ||
  (ruling.decision === 'sandbox' &&
    (ruling.afterDenial === 'ask' || (policy !== 'never' && args.with_escalated_permissions === true)));

const toAssessment = ({ call, settings }: Asked, own: CommandPlan, ruling: Ruling): Assessment<CommandPlan> => {
  const plan = { ...own, ...(call.files && { keys: keysOf(call) }) };
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

const isApproved = (call: CommandCall): boolean => call.files !== undefined && keysOf(call).every(call.isApproved);
