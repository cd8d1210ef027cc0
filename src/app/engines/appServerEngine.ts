/** Wires the app-server engine to this machine: the installed Codex, its process, profiles, rollouts. */
import { finalize, map, mergeMap, type Observable, Subject, startWith, take, withLatestFrom } from 'rxjs';
import { appServerAgent, type Link, profileOfCall, sharedLink, threadParams } from '../../appServer';
import { ceilingOfServer, limitCall, readProfile, resolveCwd } from '../../config';
import type { Engine } from '../../protocol/codex';
import { UNUSED_THREADS } from '../../turns';
import { appServerTransport } from './appServerTransport';
import type { CodexAccount } from './chooseEngine';
import { installedCodex } from './installedCodex';
import { readPromptHistory } from './readPromptHistory';
import { showsRawReasoning } from './showsRawReasoning';
import { configDeps, type ReadyEngine, readIfPossible, type Wiring } from './wiring';

/** A folder that is trusted brings settings of its own, which may start programs. */
const TRUST = ['projects'];

/** The installed Codex, wired: its account, and the engine in front of it. */
export const appServerEngine = (wiring: Wiring) => {
  const over$ = new Subject<void>(); // the wire from the end of the engine to its process
  const transport = appServerTransport(wiring, installedCodex(wiring));
  const link$ = sharedLink({ transport, version: wiring.processInfo.version, over$ });
  const agent = agentOf(wiring, link$);
  const engine: Engine = (ask) => (op$) => agent(ask)(op$).pipe(finalize(() => over$.next()));
  return {
    account: () => link$.pipe(take(1), mergeMap(readAccount)),
    ready: { engine, warmUp: () => {} } satisfies ReadyEngine,
  };
};

const agentOf = (wiring: Wiring, link$: Observable<Link>): Engine => {
  const { processInfo, options, log } = wiring;
  const deps = configDeps(wiring);
  const params = {
    model: options.model,
    profile: options.profile,
    resolveCwd: resolveCwd(deps),
    readProfile: readProfile(deps),
  };
  return appServerAgent({
    link$,
    paramsOf: (settings) => {
      const name = profileOfCall(settings);
      const profile = name === undefined ? undefined : readProfile(deps)(name);
      limitCall(deps, { settings, profile, ceiling: ceilingOfServer(deps), forbidden: TRUST });
      return threadParams(params, settings);
    },
    showsRawReasoning: showsRawReasoning(deps),
    readRollout: readIfPossible, // a thread whose rollout cannot be read still goes on, under what the server remembers
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

/** The server reports a fault of its configuration before it answers its first request. */
const readAccount = ({ request, configFault$ }: Link): Observable<CodexAccount> =>
  request('account/read', {}).pipe(
    withLatestFrom(configFault$.pipe(startWith(undefined))),
    map(([{ account, requiresOpenaiAuth }, configFault]) => ({ account, requiresOpenaiAuth, configFault })),
  );
