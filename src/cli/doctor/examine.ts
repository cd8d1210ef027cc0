/** Examines what codex-rx finds on this machine: home, configuration, login, Codex, engine, sandbox, and the server itself. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import {
  catchError,
  concat,
  defer,
  EMPTY,
  map,
  merge,
  type Observable,
  of,
  ReplaySubject,
  shareReplay,
  timeout,
} from 'rxjs';
import { examineElsewhere } from '../../agent/elsewhere/examineElsewhere';
import type { EngineOptions } from '../../agent/engineOptions';
import { serversHere } from '../../agent/native/configuredToolServers';
import { toolDeps } from '../../agent/native/nativeTools';
import { preferredLogin } from '../../agent/wiring/preferredLogin';
import { configDeps, configureOf, type ThreadsWiring, type Wiring } from '../../agent/wiring/wiring';
import { backgroundTasks } from '../../app/backgroundTasks';
import { enginesOf } from '../../app/engines/engines';
import { openThreads } from '../../app/openThreads';
import { withExecutors } from '../../app/withExecutors';
import { localBackend } from '../../executor/local/localBackend';
import { natsHere } from '../../fleet/link/natsHere';
import { toVisible } from '../../io/log/toPlain';
import { endProcesses } from '../../io/processes/groupLife';
import { countGroups, watchGroups } from '../../io/processes/watchGroups';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Log } from '../../protocol/log';
import { effectiveSettings } from '../../settings/effectiveSettings';
import { ConfigError } from '../../settings/faults/configError';
import { loginHere } from '../../settings/logins/loginHere';
import { readThreadStore } from '../../settings/readThreadStore';
import { noBackpressure } from '../../streams/backpressure';
import { lazy } from '../../streams/lazy';
import { examineHome } from './examineHome';
import { examineModel } from './examineModel';
import { examineNats } from './examineNats';
import { examineOwnServer } from './examineOwnServer';
import { examineSandbox } from './examineSandbox';
import { examineServers } from './examineServers';
import type { Finding, Result } from './finding';
import { CHECKS, type Check, type Role } from './roles';

/**
 * @param argv the command line that starts this server; @param nats addresses of NATS servers to reach; @param role what this machine is for
 * @param withoutMcp no MCP server is started or reached
 */
export type ExamineDeps = {
  role: Role;
  processInfo: ProcessInfo;
  options: EngineOptions;
  log: Log;
  argv: readonly string[];
  nats: readonly string[];
  withoutMcp: boolean;
};

/** How long processes and connections may take to end. */
const END_MS = 5_000;

/**
 * Emits one finding after another, several for MCP servers, and completes when the processes that it started have ended. Nothing is
 * changed, and no model is asked. Never errors.
 */
export const examine = (deps: ExamineDeps): Observable<Finding> => {
  const { processInfo, options, log, argv, nats, role, withoutMcp } = deps;
  const { watch, none$ } = countGroups(watchGroups({ spawn }));
  const over$ = new ReplaySubject<void>(1); // the wire from the last check to the executors
  const backpressure = noBackpressure;
  const { background, tasks$ } = backgroundTasks(over$, END_MS);
  const own = { processInfo, options, log, backpressure, watch, over$, background };
  const wiring = withExecutors({ ...own, newId: randomUUID });
  const backend = localBackend({ spawn, backpressure, signals: constants.signals, watch });
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

/** Runs a check where the configuration can be read. */
const configured = (wiring: Wiring, check: (wiring: Wiring) => Observable<Result>): Observable<Result> => {
  try {
    configureOf(wiring)({});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return of({ state: 'warning', text: 'not examined', remedy: 'fix the configuration first' });
  }
  return check(wiring);
};

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

/** The settings that matter most, and each warning. Throws ConfigError. */
export const examineConfig = (wiring: Wiring): Result => {
  const { model, provider, approvalPolicy, sandboxMode } = configureOf(wiring)({});
  const text = `model ${model} of the provider ${provider.id}, approval ${approvalPolicy}, sandbox ${sandboxMode}`;
  const { warnings } = effectiveSettings(configDeps(wiring));
  return warnings.length === 0 ? { text } : { state: 'warning', text, remedy: warnings.map(toVisible).join('\n') };
};

/** Connects to an executor, and starts a command that does nothing in its sandbox. */
export const examineEnvironment = (wiring: Wiring): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    const config = configureOf(wiring)({});
    if (config.environmentId === 'local') return of({ text: 'threads work on this machine' });
    return examineElsewhere(wiring, config).pipe(
      map((found) => ({ ...found, ...(found.remedy !== undefined && NO_SANDBOX_THERE), ms: Date.now() - startMs })),
    );
  });

const NO_SANDBOX_THERE = { state: 'warning' } as const;

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

/** Where threads are kept, and whether that can be reached. */
const LIMIT_MS = 10_000;

/** Emits once. Errors with ThreadError where a store beyond this machine cannot be used, and with ConfigError. */
export const examineThreads = (wiring: ThreadsWiring): Observable<Result> => {
  const address = readThreadStore(configDeps(wiring));
  if (address === undefined) return of({ text: `in ${wiring.processInfo.codexHome}/sessions` });
  const startMs = Date.now();
  return openThreads(wiring)
    .list({ limit: 1, archived: false })
    .pipe(
      timeout(LIMIT_MS),
      map(([newest]) => ({
        text: `in ${address}${newest === undefined ? ', which has none yet' : `, the newest ${newest.id}`}`,
        ms: Date.now() - startMs,
      })),
    );
};

/** The login that counts, without its secrets. */
export const examineLogin = (wiring: Wiring): Result => {
  const { processInfo } = wiring;
  const { login: found, source } = loginHere({ processInfo, preferred: () => preferredLogin(wiring) });
  if (found.kind === 'apikey') return { text: `an API key, from ${source}` };
  if (found.kind === 'chatgpt')
    return { text: `a ChatGPT account${found.tokens.claims.email ? `, ${found.tokens.claims.email}` : ''}` };
  return needsLogin(wiring)
    ? { state: 'warning', text: 'none', remedy: 'codex-rx login; a model provider of your own may need none' }
    : { text: 'none; the configured model provider needs none' };
};

/** A configuration that cannot be read is a finding of its own. */
const needsLogin = (wiring: Wiring): boolean => {
  try {
    return configureOf(wiring)({}).provider.requiresOpenaiAuth;
  } catch {
    return true;
  }
};

/** Makes a real handshake where an installed Codex may be used. */
export const examineEngine = ({ choice$ }: Pick<ReturnType<typeof enginesOf>, 'choice$'>): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    return choice$.pipe(
      map(({ engine: name, reason, remedy }): Result => {
        const isUsable = name !== 'native' || !/No API key|Missing environment variable/.test(reason);
        return {
          text: `${name}: ${reason}`,
          ms: Date.now() - startMs,
          ...(remedy && { state: 'warning', remedy: `to use the installed Codex, ${remedy}` }),
          ...(!isUsable && { state: 'fault', remedy: [remedyOf(reason), ...(remedy ? [remedy] : [])].join('; or ') }),
        };
      }),
    );
  });

/** A login does not help a provider whose key comes from a variable. */
const remedyOf = (reason: string): string => {
  const [, variable] = reason.match(/Missing environment variable: `([^`]*)`/) ?? [];
  if (variable === undefined) return 'codex-rx login, or a model provider in config.toml';
  return `set ${variable} where the server is started, as in env of the entry of its client`;
};
