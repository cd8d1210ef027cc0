/** `codex-rx explain`: shows what would happen to a command. */
import { randomUUID } from 'node:crypto';
import { constants as osConstants } from 'node:os';
import { delimiter } from 'node:path';
import { concatMap, defer, forkJoin, from, last, map, NEVER, type Observable, reduce } from 'rxjs';
import { toolDeps } from '../../agent/native/nativeTools';
import { reasonOfRule } from '../../agent/safety/commandRules';
import type { PolicyDecision } from '../../agent/safety/decide';
import { builtInTools } from '../../agent/tools/builtInTools';
import type { AssessedCall } from '../../agent/tools/tool';
import { trustPrograms } from '../../agent/tools/trustPrograms';
import { configureHere, type Wiring } from '../../agent/wiring/wiring';
import { withExecutors } from '../../app/withExecutors';
import { localBackend } from '../../executor/local/localBackend';
import { trustDeps } from '../../executor/sandbox/belongsToSystem';
import { isProgram } from '../../io/paths/look';
import { spawnHere } from '../../io/processes/spawnHere';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import { watchGroups } from '../../io/processes/watchGroups';
import type { ParsedCommand } from '../../protocol/codex/eventMsg';
import { APPROVAL_POLICIES, type ApprovalPolicy, SANDBOX_MODES, type SandboxMode } from '../../protocol/codex/settings';
import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import { ConfigError } from '../../settings/faults/configError';
import { noBackpressure } from '../../streams/backpressure';
import { toVisible } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';
import { defineCommand } from '../command';
import { folderOption, overrideOption, plainOptions } from '../commonOptions';
import { exitWhenWritten, failAs, remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

export const explain = defineCommand({
  usage: '$0 explain [--json] [--script TEXT | -- COMMAND ARGUMENTS…]',
  positionals: {},
  options: {
    script: { type: 'string', describe: 'A script for bash -lc instead of a command after --' },
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    cd: folderOption('Folder of the session. Default: the current one'),
    config: overrideOption('Set a key of config.toml, as for the server'),
  },
  afterDashes: 'command',
  examples: [
    ['$0 explain -- git status', 'what it is, why it is trusted, and what each policy and mode would do'],
    ["$0 explain --script 'cd src && rm -r x' --json", 'the same for a script, as JSON for a program'],
  ],
  problem: ({ command, script }) => {
    if (script !== undefined && command.length > 0) return 'Give --script or a command after --, not both';
    return script === undefined && command.length === 0 ? 'Give a command after --, or --script TEXT' : undefined;
  },
  run: ({ command, script, json, cd, config }) => {
    const log = (_: string, message: string) => remarkAs('explain')(message);
    const argv = script === undefined ? command : ['bash', '-lc', script];
    explainHere({
      processInfo: thisProcess(cd),
      options: { ...plainOptions, overrides: config },
      log: json ? () => {} : log,
    })(argv)
      .subscribe({
        next: (explanation) => {
          const lines = json ? [JSON.stringify(explanation, null, 2)] : toExplanationLines(explanation);
          print(`${lines.join('\n')}\n`);
        },
        error: (error: Error) => {
          if (!(error instanceof ConfigError)) return failAs('explain')(error);
          remarkAs('explain')(error.message);
          process.exitCode = exitCode.unusable;
        },
      })
      .add(exitWhenWritten('explain'));
  },
});

/** What would happen to a command. */
export type Explanation = {
  command: readonly string[];
  cwd: string;
  trusted: boolean;
  /** What makes it trusted, or not. */
  why: string;
  /** The file that its name means; null if there is none. `unasked`: the same without the folders of the workspace. */
  program: { name: string; path: string | null; unasked: string | null };
  /** `ready`, or why none works and what helps. */
  sandbox: string;
  /** The user's rule that decides, and its decision; null if none does. */
  rule: { decision: string; reason: string } | null;
  parsed_cmd: ParsedCommand[];
  decisions: Record<ApprovalPolicy, Record<SandboxMode, PolicyDecision>>;
};

type ExplainDeps = { processInfo: Wiring['processInfo']; options: Wiring['options']; log: Log };

/** Emits the explanation of a command in the folder of the process, and completes. Errors with ConfigError. */
const explainHere =
  (own: ExplainDeps) =>
  (command: readonly string[]): Observable<Explanation> =>
    defer(() => explained(own, command));

const explained = ({ processInfo, options, log }: ExplainDeps, command: readonly string[]): Observable<Explanation> => {
  const watch = watchGroups({ spawn: spawnHere });
  const backpressure = noBackpressure;
  const wiring = withExecutors({ processInfo, options, log, backpressure, watch, over$: NEVER, newId: randomUUID });
  const backend = localBackend({ spawn: spawnHere, backpressure, signals: osConstants.signals, watch });
  const deps = toolDeps(wiring, backend);
  const config = configureHere(wiring, 'explain')({});
  return forkJoin({
    trust: deps.readTrust(command).pipe(map((trust) => trustPrograms(deps, placeOf(config))(command, trust))),
    byRules: deps.decideByRules(config.rules)(command),
    parsed_cmd: deps.parseCommand(command),
    ready: deps.openSandbox({ ...config, sandboxMode: 'workspace-write' }).ready$.pipe(last()),
    decisions: decisionsOf(builtInTools(deps), config, command),
  }).pipe(
    map(({ trust, byRules, parsed_cmd, ready, decisions }) => ({
      command,
      cwd: config.cwd,
      trusted: trust.trusted,
      why: trust.trusted ? 'every command in it only reads' : trust.why,
      program: programOf(processInfo, command[0] ?? ''),
      sandbox: ready.kind === 'ready' ? 'ready' : ready.remedy,
      rule: byRules === undefined ? null : { decision: byRules.decision, reason: reasonOfRule(byRules) },
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

const programOf = (processInfo: Wiring['processInfo'], name: string): Explanation['program'] => {
  const { env, cwd, platform } = processInfo;
  if (name.includes('/')) return { name, path: isProgram(name) ? name : null, unasked: null };
  const find = (folders: readonly string[]) => findProgram({ isProgram, platform }, name, folders) ?? null;
  const folders = (env.PATH ?? '').split(delimiter);
  return { name, path: find(folders), unasked: find(trustedFolders(trustDeps(processInfo), env.PATH, [cwd])) };
};

/** Shows an explanation in lines of text. */
const POLICY_WIDTH = 12;
const MODE_WIDTH = 20;

/** The lines for a terminal, without control sequences. */
export const toExplanationLines = (explanation: Explanation): string[] => {
  const { command, cwd, trusted, why, sandbox, rule, parsed_cmd, decisions } = explanation;
  return [
    `command   ${joinWords(command)}`,
    `folder    ${cwd}`,
    `program   ${programText(explanation)}`,
    `trusted   ${trusted ? 'yes' : 'no'}: ${why}`,
    `sandbox   ${sandbox}`,
    ...(rule === null ? [] : [`rule      ${rule.decision}: ${rule.reason}`]),
    ...parsed_cmd.map(({ type, cmd }) => `part      ${type}: ${cmd}`),
    '',
    tableRow('', SANDBOX_MODES),
    ...Object.entries(decisions).map(([policy, modes]) =>
      tableRow(
        policy,
        SANDBOX_MODES.map((mode) => modes[mode]),
      ),
    ),
  ].map(toVisible);
};

const programText = ({ program: { name, path, unasked } }: Explanation): string => {
  if (path === null) return `${name} is not found in PATH`;
  if (unasked === path || name.includes('/')) return path;
  return `${path}; what runs unasked takes ${unasked ?? 'none'}, because the first lies in the workspace`;
};

const tableRow = (name: string, cells: readonly string[]): string =>
  [name.padEnd(POLICY_WIDTH), ...cells.map((cell) => cell.padEnd(MODE_WIDTH))].join('').trimEnd();
