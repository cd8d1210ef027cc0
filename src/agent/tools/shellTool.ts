/** The tool `shell`, which runs one command, and recognizes a command that is a patch. */
import { resolve } from 'node:path';
import { concatMap, defer, type MonoTypeOperatorFunction, map, mergeMap, type Observable, of, scan } from 'rxjs';
import { isLikelyDenied } from '../../executor/sandbox/isLikelyDenied';
import type { Network } from '../../executor/sandbox/sandbox';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { toTimerMs } from '../../streams/time/wait';
import { assessCommand, type CommandDeps, type CommandPlan, type CommandSettings, ownChanges } from './commandCalls';
import type { CommandRun } from './commandOutcome';
import { assessPatch, type PatchDeps, type PatchPlan, type PatchSettings, runPatch } from './patchCalls';
import { isTakenAsItIs, runInTerminal, terminalEnvironment } from './runInTerminal';
import { readShellArguments, shellSpec } from './shellArguments';
import type { ApprovalRequest, Assessment, RunMode, Tool, ToolEvent } from './tool';
import { trustedEnvironment, withoutCode } from './trustedEnvironment';

export type ShellSettings = CommandSettings & {
  /** How the tool is offered: as a function (the default), or as the `local_shell` that some models know. */
  form?: 'function' | 'local_shell';
};

export type ShellDeps = CommandDeps & PatchDeps;

/** A command, or a patch that is written as one. */
export type ShellPlan = { kind: 'command'; command: CommandPlan } | { kind: 'patch'; patch: PatchPlan };

/** Runs a command, or asks first. Arguments that cannot be read are refused, and the model reads why. A command that is a patch is applied as one. */
export const shellTool = (deps: ShellDeps, settings: ShellSettings): Tool<ShellPlan> => ({
  spec: settings.form === 'local_shell' ? { type: 'local_shell' } : shellSpec(),
  otherNames: ['shell', 'local_shell', 'container.exec'], // Source: Codex 0.28.0, CORE 6.1
  assess: (call) => {
    const args = readShellArguments(call.args);
    if (typeof args === 'string') return of({ verdict: 'refuse', output: args });
    const cwd = resolve(settings.cwd, args.workdir ?? '.');
    const patch = findPatch(args.command, cwd);
    if (patch === undefined)
      return mapPlan(assessCommand(deps, settings)({ ...call, args, cwd }), (command) => ({
        kind: 'command',
        command,
      }));
    return mapPlan(assessPatch(deps, patchSettings(settings))({ ...call, ...patch }), (patch) => ({
      kind: 'patch',
      patch,
    }));
  },
  run: (plan, mode) =>
    plan.kind === 'patch'
      ? runPatch(deps, patchSettings(settings))(plan.patch, mode)
      : runPlanned(deps, settings)(plan.command, mode).pipe(ownChanges(deps, settings, plan.command)),
});

const patchSettings = ({ sandbox: { mayWrite }, ...settings }: CommandSettings): PatchSettings => ({
  ...settings,
  mayWrite,
});

const mapPlan = <P, Q>(assessment$: Observable<Assessment<P>>, change: (plan: P) => Q): Observable<Assessment<Q>> =>
  assessment$.pipe(map((one) => (one.verdict === 'refuse' ? one : { ...one, plan: change(one.plan) })));

/** The limit named in a note; see `alwaysSandboxed` of the configuration. */
const STAYS_SANDBOXED =
  'the operator set a sandbox together with approval_policy = "never" on the command line of the server or by --lock, or a permission profile denies files, so what is approved stays in the sandbox';

/** Source: Codex 0.28.0, CORE 6.2. */
const TIMEOUT_MS = 10_000;

/** Runs an assessed command. A trusted one gets an environment without programs that a repository names, and a read-only sandbox. */
export const runPlanned =
  (deps: CommandDeps, { cwd: folder, environment, sandbox, alwaysSandboxed }: CommandSettings) =>
  (plan: CommandPlan, mode: RunMode): Observable<ToolEvent> =>
    defer(() => deps.parseCommand(plan.args.command)).pipe(
      mergeMap((parsed) => {
        const { callId, cwd, realCwd, trusted, allowed, again } = plan;
        const plain = deps.environmentOf(environment);
        const kept = (folders: string) => deps.trustedPath(folders, [folder, cwd]);
        const env = trusted ? trustedEnvironment(plain, kept) : allowed ? withoutCode(plain, kept) : plain;
        const timeoutMs = toTimerMs(plan.args.timeout_ms ?? TIMEOUT_MS);
        const run = { callId, argv: plan.args.command, cwd, env, timeoutMs, parsed };
        if (mode === 'direct' && !alwaysSandboxed) {
          const free = realCwd === undefined ? run : { ...run, realCwd };
          return inTerminal(deps, environment, { plan, run: free }) ?? deps.runOn(deps.backend)(free);
        }
        const inside = trusted ? sandbox.readOnly : sandbox.asSet;
        const network = trusted ? 'closed' : sandbox.network;
        return deps
          .runOn(inside)(mode === 'direct' ? { ...run, keptBy: { text: STAYS_SANDBOXED, network } } : run)
          .pipe(blockDenied({ network, again: alwaysSandboxed ? undefined : again }));
      }),
    );

/** Runs it in a terminal of the client; undefined if it may not. A command is trusted in the environment that it gets here only. */
const inTerminal = (
  deps: CommandDeps,
  environment: CommandSettings['environment'],
  { plan: { trusted, allowed, terminal }, run }: { plan: CommandPlan; run: CommandRun },
): Observable<ToolEvent> | undefined => {
  const { terminals } = deps;
  if (terminal === undefined || terminals === undefined || trusted || allowed) return undefined;
  if (!isTakenAsItIs(terminal.words, run.argv)) return undefined;
  const env = terminalEnvironment(terminals, environment);
  return (
    env && runInTerminal({ ...deps, ...terminals })({ run: { ...run, env, inTerminal: true }, terminal: terminal.ask })
  );
};

type End = Extract<EventMsg, { type: 'exec_command_end' }>;

type DenialDeps = {
  network: Network;
  /** What a person is asked if the sandbox stops the command; without it the model reads the output. */
  again: ApprovalRequest | undefined;
};

type Seen = { event: ToolEvent; end?: End };

/**
 * Replaces the output of a command that its sandbox stopped, if a person may be asked to run it again.
 *   in   b--(eo|)     (e an end with `Permission denied`, o the output)
 *   out  b--(efx|)    (f what failed, x blocked)
 */
export const blockDenied =
  ({ network, again }: DenialDeps): MonoTypeOperatorFunction<ToolEvent> =>
  (event$) =>
    event$.pipe(
      scan<ToolEvent, Seen, undefined>((seen, event) => ({ event, end: endOf(event) ?? seen?.end }), undefined),
      concatMap(({ event, end }) =>
        event.kind === 'output' && again !== undefined && end !== undefined && isDenied(end, network)
          ? [failed(end), { kind: 'blocked' as const, output: event.text, approval: again }]
          : [event],
      ),
    );

const endOf = (event: ToolEvent): End | undefined =>
  event.kind === 'event' && event.msg.type === 'exec_command_end' ? event.msg : undefined;

const isDenied = ({ exit_code: exitCode, stdout, stderr }: End, network: Network): boolean =>
  exitCode >= 0 && isLikelyDenied({ exitCode, stdout, stderr, network });

const SIGNALLED = 128;

/** Source: Codex 0.28.0, recorded decisions. */
const failed = ({ exit_code, stdout, stderr }: End): ToolEvent => ({
  kind: 'event',
  msg: {
    type: 'background_event',
    message:
      exit_code > SIGNALLED
        ? 'Execution failed: command was killed by a signal'
        : `Execution failed: sandbox denied exec error, exit code: ${exit_code}, stdout: ${stdout}, stderr: ${stderr}`,
  },
});

type FoundPatch = {
  text: string;
  /** The absolute folder to which the paths of the patch are relative. */
  folder: string;
  /** Commands of the script besides the patch, which nothing runs. */
  rest?: string;
};

const NAMES = ['apply_patch', 'applypatch'];

/**
 * The patch of a command, otherwise undefined: `apply_patch PATCH`, or `bash -lc` with a script that begins with
 * `apply_patch` and a here-document, with or without `set -e` and `cd DIR &&` before it. There is no program of this name that bash could run.
 * Source: Codex 0.28.0, cases `apply_patch_argv`: other shells, other options, paths and quoted arguments are ordinary commands.
 */
export const findPatch = (argv: readonly string[], cwd: string): FoundPatch | undefined => {
  const [program = '', argument = '', script = ''] = argv;
  if (argv.length === 2 && NAMES.includes(program)) return { text: argument, folder: cwd };
  if (argv.length !== 3 || program !== 'bash' || argument !== '-lc') return undefined;
  const found = readHereDocument(script, NAMES);
  if (found === undefined) return undefined;
  const { body: text, folder = '.', rest } = found;
  return { text, folder: resolve(cwd, folder), ...(rest !== undefined && { rest }) };
};

type HereDocument = {
  /** The folder of a `cd` before the program. */
  folder?: string;
  /** Without line feeds at its end, and as written: nothing in it is expanded. */
  body: string;
  /** The commands that follow the document, or the program on its line. */
  rest?: string;
};

/** A word without anything that bash would expand, plain or in quotes. */
const PLAIN = '[^\\s\'"`$\\\\|&;<>(){}\\[\\]*?~!#]+';
const QUOTED = '\'[^\'\\n]*\'|"[^"`$\\\\!\\n]*"';

/** Settings of the shell before it, such as that it ends at an error. */
const SETS = '(?:set[ \\t]+[-+]\\w[\\w \\t+-]*(?:&&|;|\\n)\\s*)*';

/** Source: bash(1), here documents; any quoting of the word that ends them is removed. */
const HEAD = new RegExp(
  `^\\s*${SETS}(?:cd[ \\t]+(?<folder>${PLAIN}|${QUOTED})[ \\t]*&&\\s*)?(?<program>\\w+)[ \\t]*<<(?<dash>-?)[ \\t]*(?<end>\\\\?${PLAIN}|${QUOTED})[ \\t]*(?<after>(?:&&|[|;])[^\\n]*)?\\r?\\n`,
);

/** The document comes from `cat`, and the program reads it. */
const PIPED = /^\|[ \t]*(?<program>\w+)[ \t]*(?<after>(?:&&|[|;]).*)?$/;

/**
 * The document of `[cd DIR &&] PROGRAM <<WORD`, if PROGRAM is named, and DIR is a name; otherwise
 * undefined. A document without its last line extends to the end of the script, as in bash; blanks after its last word do no harm.
 */
export const readHereDocument = (script: string, programs: readonly string[]): HereDocument | undefined => {
  const head = HEAD.exec(script);
  const { folder, dash, end = '' } = head?.groups ?? {};
  const { program = '', after } = calledIn(head?.groups ?? {});
  if (!head || !programs.includes(program)) return undefined;
  const name = folder && withoutQuotes(folder);
  if (name === '' || name?.startsWith('-')) return undefined; // an option, or the folder before
  const { body, next } = bodyOf(script.slice(head[0].length), {
    end: withoutQuotes(end),
    tabs: dash === '-' ? 'dropped' : 'kept',
  });
  const rest = [after?.trim() ?? '', next].filter((part) => part !== '').join('\n');
  return { ...(name !== undefined && { folder: name }), body, ...(rest !== '' && { rest }) };
};

const calledIn = ({ program, after }: Record<string, string | undefined>): Record<string, string | undefined> =>
  program === 'cat' ? (PIPED.exec(after?.trim() ?? '')?.groups ?? {}) : { program, after };

const withoutQuotes = (word: string): string => (/^['"]/.test(word) ? word.slice(1, -1) : word.replace(/^\\/, ''));

type Body = { body: string; next: string };

const bodyOf = (text: string, { end, tabs }: { end: string; tabs: 'kept' | 'dropped' }): Body => {
  const lines = tabs === 'dropped' ? text.split('\n').map((line) => line.replace(/^\t+/, '')) : text.split('\n');
  const last = lines.findIndex((line) => line.trimEnd() === end);
  const body = withoutLastLineFeeds((last < 0 ? lines : lines.slice(0, last)).join('\n'));
  return {
    body,
    next:
      last < 0
        ? ''
        : lines
            .slice(last + 1)
            .join('\n')
            .trim(),
  };
};

const withoutLastLineFeeds = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
};
