/** Wires the app-server engine to this machine: the installed Codex, its process, profiles, rollouts. */
import { defer, finalize, map, mergeMap, type Observable, Subject, startWith, take, withLatestFrom } from 'rxjs';
import { appServerAgent, type Link, profileOfCall, sharedLink, threadParams } from '../../appServer';
import {
  type ConfigDeps,
  ConfigError,
  ceilingOfServer,
  depsAt,
  environmentOfCall,
  folderIn,
  limitCall,
  readProfile,
} from '../../config';
import { lazy } from '../../lazy';
import type { Engine, ThreadSettings } from '../../protocol/codex';
import type { JsonObject } from '../../protocol/jsonrpc';
import type { RpcTransport } from '../../rpc';
import { UNUSED_THREADS } from '../../turns';
import { appServerTransport } from './appServerTransport';
import type { CodexAccount } from './chooseEngine';
import { readIfPossible } from './disk';
import { installedCodex } from './installedCodex';
import { readPromptHistory } from './readPromptHistory';
import { showsRawReasoning } from './showsRawReasoning';
import { configDeps, type ReadyEngine, type Wiring } from './wiring';

/** A folder that is trusted brings settings of its own, which may start programs. */
const TRUST = ['projects'];

/** The installed Codex, wired: its account, and the engine in front of it. */
export const appServerEngine = (wiring: Wiring) => {
  const over$ = new Subject<void>(); // the wire from the end of the engine to its process
  const transport = transportOf(wiring);
  const link$ = sharedLink({ transport, version: wiring.processInfo.version, over$ });
  const agent = agentOf(wiring, link$);
  const engine: Engine = (ask) => (op$) => agent(ask)(op$).pipe(finalize(() => over$.next()));
  return {
    account: () => link$.pipe(take(1), mergeMap(readAccount)),
    ready: { engine, warmUp: () => {} } satisfies ReadyEngine,
  };
};

/** Where the operator sends threads when a process is started. */
const transportOf = (wiring: Wiring): RpcTransport<JsonObject> => {
  const here = appServerTransport(wiring, installedCodex(wiring));
  const elsewhere = lazy(() => elsewhereModule().codexElsewhere(wiring));
  return (out$) =>
    defer(() => {
      const id = environmentOfCall(configDeps(wiring));
      return (id === 'local' ? here : elsewhere()(id))(out$);
    });
};

/** Loaded by the first Codex that runs elsewhere. */
const elsewhereModule = lazy(() => require('../elsewhere') as typeof import('../elsewhere'));

const agentOf = (wiring: Wiring, link$: Observable<Link>): Engine => {
  const { processInfo, options, log } = wiring;
  const deps = configDeps(wiring);
  return appServerAgent({
    link$,
    paramsOf: paramsOf(wiring),
    showsRawReasoning: showsRawReasoning(deps),
    readRollout: (path) => (environmentOfCall(deps) === 'local' ? readIfPossible(path) : undefined), // a thread whose rollout cannot be read still goes on, under what the server remembers
    promptHistory: readPromptHistory(processInfo.codexHome),
    modelWaitMs: options.modelTimeoutMs,
    turnTimeoutMs: options.turnTimeoutMs,
    unused: {
      afterMs: options.unusedThreadMs ?? UNUSED_THREADS.afterMs,
      most: UNUSED_THREADS.most,
      clockMs: () => performance.now(),
    },
    log,
  });
};

/** The params of a thread; paths are of the machine where its Codex runs. Throws ConfigError. */
const paramsOf = (wiring: Pick<Wiring, 'processInfo' | 'options'>) => {
  const { model, profile } = wiring.options;
  const deps = configDeps(wiring);
  const resolveCwd = (cwd: string | undefined) => folderIn(deps, environmentOfCall(deps), cwd);
  const params = { model, profile, resolveCwd, readProfile: readProfile(deps) };
  return (settings: ThreadSettings): JsonObject => {
    const name = profileOfCall(settings);
    const named = name === undefined ? undefined : readProfile(deps)(name);
    const ceiling = ceilingOfServer(deps);
    limitCall(depsAt(deps, environmentOfCall(deps)), { settings, profile: named, ceiling, forbidden: TRUST });
    keepEnvironment(deps, settings);
    return threadParams(params, settings);
  };
};

/** Every thread of it works where its one process runs. Throws ConfigError. */
const keepEnvironment = (deps: ConfigDeps, settings: ThreadSettings): void => {
  const [own, asked] = [environmentOfCall(deps), environmentOfCall(deps, settings)];
  if (asked === own) return;
  throw new ConfigError(
    `the call asks for environment_id = "${asked}", but the engine app-server runs all threads in \`${own}\`; set environment_id in config.toml, or start the server with --engine native`,
  );
};

/** The server reports a fault of its configuration before it answers its first request. */
const readAccount = ({ request, configFault$ }: Link): Observable<CodexAccount> =>
  request('account/read', {}).pipe(
    withLatestFrom(configFault$.pipe(startWith(undefined))),
    map(([{ account, requiresOpenaiAuth }, configFault]) => ({ account, requiresOpenaiAuth, configFault })),
  );
