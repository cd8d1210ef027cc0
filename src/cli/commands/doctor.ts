/** `codex-rx doctor`: shows what is found on this machine, what is chosen and why, and what to do. */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { isAbsolute } from 'node:path';
import {
  catchError,
  concat,
  defer,
  EMPTY,
  from,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  shareReplay,
  tap,
  toArray,
} from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { serversHere } from '../../agent/native/configuredToolServers';
import { toolDeps } from '../../agent/native/nativeTools';
import { configureOf, type Wiring } from '../../agent/wiring/wiring';
import { backgroundTasks } from '../../app/backgroundTasks';
import { enginesOf } from '../../app/engines/engines';
import { withExecutors } from '../../app/withExecutors';
import { localBackend } from '../../executor/local/localBackend';
import { natsHere } from '../../fleet/link/connectNats';
import { secretArguments } from '../../io/log/maskAddress';
import { redactText } from '../../io/log/redactText';
import { isThere } from '../../io/paths/look';
import { endProcesses } from '../../io/processes/groupLife';
import { spawnHere } from '../../io/processes/spawnHere';
import { countGroups, watchGroups } from '../../io/processes/watchGroups';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { type FoundClient, findClients } from '../../settings/clients/clientFile';
import { argvOf, commandText, serverIn } from '../../settings/clients/planEntry';
import { ConfigError } from '../../settings/faults/configError';
import { noBackpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { defineCommand } from '../command';
import { overrideOption, plainOptions } from '../commonOptions';
import { examineEngine, examineModel, examineNats, examineOwnServer, examineSandbox } from '../doctor/checkMachine';
import { examineConfig, examineEnvironment, examineHome, examineLogin, examineThreads } from '../doctor/checkSettings';
import { examineServers } from '../doctor/examineServers';
import { CHECKS, type Check, type Finding, type Result, ROLES, type Role, toFindingLines } from '../doctor/finding';
import { exitWhenWritten, failAs } from '../ending';
import { exitCode } from '../exitCode';
import { print } from '../terminal';
import { thisProcess } from '../thisProcess';

export const doctor = defineCommand({
  usage: '$0 doctor [--role ROLE] [--without-mcp] [--json]',
  positionals: {},
  options: {
    json: { type: 'boolean', describe: 'Print JSON instead of text' },
    role: {
      type: 'string',
      choices: ROLES,
      default: 'daemon',
      describe: 'What this machine is for; an executor and a watcher of tapes need neither an engine nor a login',
    },
    codex: { type: 'string', describe: 'Executable of the installed Codex, as for the server' },
    'without-mcp': { type: 'boolean', describe: 'Do not start or connect to the MCP servers of config.toml' },
    nats: { type: 'string', array: true, describe: 'Address of a NATS server to reach, nats://HOST[:PORT]' },
    config: overrideOption('Set a key of config.toml, as for the server'),
    model: { alias: 'm', type: 'string', describe: 'Model, as for the server' },
    profile: { alias: 'p', type: 'string', describe: 'Profile, as for the server' },
  },
  afterDashes: 'nothing',
  examples: [
    ['$0 doctor', 'home, configuration, login, engine, sandbox, MCP servers, and a handshake with this server'],
    ['$0 doctor --role executor --nats nats://nats.lan', 'a machine that only runs commands for others'],
  ],
  epilogue:
    'Exit codes: 0 all is well, or works in another way, 1 something does not work. The model server is asked for its list of models; no prompt is sent.',
  run: ({ json, codex, config, model, profile, nats, role, 'without-mcp': withoutMcp }) => {
    const options = {
      ...plainOptions,
      engine: 'auto' as const,
      overrides: config,
      model,
      profile,
      ...(codex !== undefined && { codex }),
    };
    const single = Object.entries({ codex, model, profile });
    const flags = [
      ...config.flatMap((one) => ['-c', one]),
      ...single.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ];
    const argv = [process.execPath, process.argv[1] ?? '', 'mcp-server', ...flags];
    examine({ processInfo: thisProcess(), options, log: () => {}, argv, nats, role, withoutMcp })
      .pipe(
        tap((one) => !json && print(`${toFindingLines(one, process.stdout.columns).join('\n')}\n`)),
        toArray(),
      )
      .subscribe({
        next: (all) => {
          if (json) print(`${JSON.stringify(all, null, 2)}\n`);
          if (all.some(({ state }) => state === 'fault')) process.exitCode = exitCode.failed;
        },
        error: failAs('doctor'),
      })
      .add(exitWhenWritten('doctor'));
  },
});

type ExamineDeps = {
  /** What this machine is for. */
  role: Role;
  processInfo: ProcessInfo;
  options: EngineOptions;
  log: Log;
  /** The command line that starts this server. */
  argv: readonly string[];
  /** Addresses of NATS servers to reach. */
  nats: readonly string[];
  /** No MCP server is started or reached. */
  withoutMcp: boolean;
};

/** How long processes and connections may take to end. */
const END_MS = 5_000;

/** Emits one finding after another, several for MCP servers. Completes when its processes have ended. Changes nothing, and asks no model. Never errors. */
export const examine = (deps: ExamineDeps): Observable<Finding> => {
  const { processInfo, options, log, argv, nats, role, withoutMcp } = deps;
  const { watch, none$ } = countGroups(watchGroups({ spawn: spawnHere }));
  const over$ = new ReplaySubject<void>(1); // the wire from the last check to the executors
  const backpressure = noBackpressure;
  const { background, tasks$ } = backgroundTasks(over$, END_MS);
  const own = { processInfo, options, log, backpressure, watch, over$, background };
  const wiring = withExecutors({ ...own, newId: randomUUID });
  const backend = localBackend({ spawn: spawnHere, backpressure, signals: constants.signals, watch });
  const engines = lazy(() => chosenOnce(wiring));
  const checks: Record<Check, () => Observable<Result>> = {
    program: () => of({ text: `codex-rx ${processInfo.version}, ${processInfo.platform} ${processInfo.arch}` }),
    home: () => of(examineHome(processInfo)),
    config: () => of(examineConfig(wiring)),
    threads: () => configured(wiring, examineThreads),
    login: () => of(examineLogin(wiring)),
    engine: () => configured(wiring, () => examineEngine(engines())),
    model: () => configured(wiring, () => examineModel(wiring, engines())),
    environment: () => configured(wiring, examineEnvironment),
    sandbox: () => configured(wiring, () => examineSandbox(sandboxHere(wiring, backend))),
    mcp: () => (withoutMcp ? EMPTY : configured(wiring, () => servers(wiring, backend))),
    clients: () => clientsOf(processInfo),
    server: () => examineOwnServer({ backend, argv, processInfo, log }),
  };
  const finding$ = concat(
    ...CHECKS[role].map((check) => toFinding(check, checks[check])),
    ...nats.map((address) => toFinding('nats', () => examineNats(natsHere(wiring)(address)))),
  );
  return merge(tasks$, concat(finding$, endProcesses({ over$, none$, waitMs: END_MS })));
};

/** Two checks need the choice, which may start a Codex. */
const chosenOnce = (wiring: Wiring) => ({ choice$: enginesOf(wiring).choice$.pipe(shareReplay(1)) });

/** Runs a check if the configuration can be read. */
const configured = (wiring: Wiring, check: (wiring: Wiring) => Observable<Result>): Observable<Result> => {
  try {
    configureOf(wiring)({});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return of({ state: 'warning', text: 'not examined', remedy: 'fix the configuration first' });
  }
  return check(wiring);
};

/** Without a home there are no files of clients. */
const clientsOf = ({ home, ...machine }: ProcessInfo): Observable<Result> =>
  home === undefined ? EMPTY : from(examineClients(findClients({ ...machine, home }), isThere));

/** Examines the MCP servers that a turn would start, and no others. */
const servers = (wiring: Wiring, backend: ReturnType<typeof localBackend>): Observable<Result> => {
  const { specsOf, open } = serversHere(wiring, backend);
  return examineServers({ open, env: wiring.processInfo.env, now: Date.now }, specsOf(configureOf(wiring)({})));
};

/** The sandbox of a thread that may write to its workspace. */
const sandboxHere = (wiring: Wiring, backend: ReturnType<typeof localBackend>) => {
  const config = configureOf(wiring)({});
  return { cwd: config.cwd, ...toolDeps(wiring, backend).openSandbox({ ...config, sandboxMode: 'workspace-write' }) };
};

/** Runs a check, and names its results. A check that throws or errors is a finding too. Never errors. */
export const toFinding = (check: string, run: () => Observable<Result>): Observable<Finding> =>
  defer(run).pipe(
    catchError((error: Error) =>
      of<Result>({
        state: 'fault',
        text: error.message,
        ...(error instanceof ConfigError && {
          remedy: 'fix what is named; then codex-rx config show prints what is read',
        }),
      }),
    ),
    map((result) => ({ check, state: 'ok', ...result })),
  );

/** A result for each entry that starts this program or the former server of Codex, and for each file that cannot be read; one for all other clients. */
export const examineClients = (clients: readonly FoundClient[], isThere: (path: string) => boolean): Result[] => {
  const results = clients.map((one) => ({ ...one, found: resultsOf(one, isThere) }));
  const others = results.filter(({ name, found }) => found.length === 0 && name !== 'codex'); // its file is that of this program
  const names = others.map(({ name }) => name).join(', ');
  const remedy = `to have one start codex-rx: codex-rx init ${others[0]?.name}`;
  return [
    ...results.flatMap(({ found }) => found),
    ...(others.length > 0 ? [{ text: `no entry for codex-rx: ${names}`, remedy }] : []),
  ];
};

const resultsOf = ({ name, client, entries, fault }: FoundClient, isThere: (path: string) => boolean): Result[] => {
  if (fault !== undefined) return name === 'codex' ? [] : [{ state: 'warning', text: fault }];
  return Object.entries(entries).flatMap(([server, entry]): Result[] => {
    const argv = argvOf(entry) ?? [];
    const kind = serverIn(argv);
    if (kind === 'other') return [];
    const hide = redactText({ secrets: secretArguments(argv), maxChars: Number.POSITIVE_INFINITY });
    const text = `${client.title} starts ${server}: ${hide(commandText(entry))}`;
    const remedy = `codex-rx init ${name}${server === client.own.name ? '' : ` ${server}`}`;
    if (kind === 'codex') return [{ state: 'warning', text: `${text}; newer releases of Codex lack it`, remedy }];
    const missing = argv.slice(0, 2).find((path) => isAbsolute(path) && !isThere(path));
    return [missing === undefined ? { text } : { state: 'warning', text: `${text}; ${missing} is not there`, remedy }];
  });
};
