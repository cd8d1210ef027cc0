/** Examines what codex-rx finds on this machine: home, configuration, login, Codex, engine, sandbox, and the server itself. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import { catchError, concat, defer, last, map, NEVER, type Observable, of, timeout } from 'rxjs';
import { ConfigError, effectiveSettings } from '../../config';
import { localBackend } from '../../executor';
import { type Log, toVisible } from '../../log';
import { noBackpressure } from '../../streams';
import { watchGroups } from '../../transport';
import { loginHere } from '../auth';
import { preferredHere } from '../config';
import { enginesOf } from '../engines/engines';
import { toolDeps } from '../engines/nativeTools';
import { configDeps, configureOf, type Wiring } from '../engines/wiring';
import { withExecutors } from '../engines/withExecutors';
import { filesHere } from '../files';
import { natsHere } from '../nats';
import type { EngineOptions, ProcessInfo } from '../processInfo';
import { examineEnvironment } from './examineEnvironment';
import type { Finding, Result } from './finding';
import { greetServer } from './greetServer';
import { keptThreads } from './keptThreads';
import { reachNats } from './reachNats';
import { CHECKS, type Check, type Role } from './roles';

/** @param argv the command line that starts this server; @param nats addresses of NATS servers to reach; @param role what this machine is for */
export type ExamineDeps = {
  role: Role;
  processInfo: ProcessInfo;
  options: EngineOptions;
  log: Log;
  argv: readonly string[];
  nats: readonly string[];
};

const SANDBOX_MS = 10_000;

/** Emits one finding after another, and completes. Nothing is changed, and no model is asked. Never errors. */
export const examine = ({ processInfo, options, log, argv, nats, role }: ExamineDeps): Observable<Finding> => {
  const watch = watchGroups({ spawn });
  const backpressure = noBackpressure;
  const wiring = withExecutors({ processInfo, options, log, backpressure, watch, newId: randomUUID, over$: NEVER });
  const backend = localBackend({ spawn, backpressure, signals: constants.signals, watch });
  const checks: Record<Check, () => Observable<Result>> = {
    program: () => of({ text: `codex-rx ${processInfo.version}, ${processInfo.platform} ${processInfo.arch}` }),
    home: () => of(home(processInfo)),
    config: () => of(config(wiring)),
    threads: () => configured(wiring, keptThreads),
    login: () => of(login(wiring)),
    engine: () => configured(wiring, engine),
    environment: () => configured(wiring, examineEnvironment),
    sandbox: () => configured(wiring, () => sandbox(wiring, backend)),
    server: () => greetServer({ backend, argv, processInfo, log }),
  };
  return concat(
    ...CHECKS[role].map((check) => finding(check, checks[check])),
    ...nats.map((address) => finding('nats', () => reachNats(natsHere(wiring)(address)))),
  );
};

/** A check that fails is a finding too. */
const finding = (check: string, run: () => Observable<Result>): Observable<Finding> =>
  defer(run).pipe(
    catchError((error: Error) =>
      of<Result>({
        ...{ state: 'fault', text: error.message },
        ...(error instanceof ConfigError && {
          remedy: 'mend what is named; codex-rx config show prints what is read then',
        }),
      }),
    ),
    map((result) => ({ check, state: 'ok', ...result })),
  );

/** A lock is a file that is written and removed again. */
const home = ({ codexHome }: ProcessInfo): Result => {
  const lock = filesHere(codexHome, process.pid).files.lock(`${codexHome}/codex-rx/locks/doctor.lock`);
  if (lock.kind === 'locked') lock.release();
  return { text: `${codexHome} can be written` };
};

const config = (wiring: Wiring): Result => {
  const { model, provider, approvalPolicy, sandboxMode } = configureOf(wiring)({});
  const text = `model ${model} of the provider ${provider.id}, approval ${approvalPolicy}, sandbox ${sandboxMode}`;
  const { warnings } = effectiveSettings(configDeps(wiring));
  return warnings.length === 0 ? { text } : { state: 'warning', text, remedy: warnings.map(toVisible).join('\n') };
};

const login = (wiring: Wiring): Result => {
  const { processInfo } = wiring;
  const { login: found, source } = loginHere({ processInfo, preferred: () => preferredHere(wiring) });
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

/** Runs a check where the configuration can be read. */
const configured = (wiring: Wiring, check: (wiring: Wiring) => Observable<Result>): Observable<Result> => {
  try {
    configureOf(wiring)({});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return of({ state: 'warning', text: 'not examined', remedy: 'mend the configuration first' });
  }
  return check(wiring);
};

/** With a real handshake, where a Codex is installed that may be used. */
const engine = (wiring: Wiring): Observable<Result> =>
  defer(() => {
    const startMs = Date.now();
    return enginesOf(wiring).choice$.pipe(
      map(({ engine: name, reason, isFallback }): Result => {
        const isUsable = name !== 'native' || !/No API key|Missing environment variable/.test(reason);
        return {
          text: `${name}: ${reason}`,
          ms: Date.now() - startMs,
          ...(isFallback && { state: 'warning', remedy: 'mend what is named, or choose by --engine' }),
          ...(!isUsable && { state: 'fault', remedy: 'codex-rx login, or a model provider in config.toml' }),
        };
      }),
    );
  });

const sandbox = (wiring: Wiring, backend: ReturnType<typeof localBackend>): Observable<Result> =>
  toolDeps(wiring, backend)
    .openSandbox({ ...configureOf(wiring)({}), sandboxMode: 'workspace-write' })
    .ready$.pipe(
      last(),
      timeout(SANDBOX_MS),
      map(
        (ready): Result =>
          ready.kind === 'ready'
            ? { text: 'works' }
            : { state: 'warning', text: 'none works, so commands are asked about', remedy: ready.remedy },
      ),
    );
