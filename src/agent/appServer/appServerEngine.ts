/** Wires the app-server engine to this machine: the installed Codex, its processes, profiles, rollouts. */
import { defer, finalize, map, mergeMap, type Observable, Subject, startWith, take, withLatestFrom } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { ConfigDeps } from '../../settings/deps';
import { tried } from '../../settings/faults/tried';
import { loadConfig } from '../../settings/loadConfig';
import type { CodexAccount } from '../chooseEngine';
import { UNUSED_THREADS } from '../turns/releaseUnused';
import { readPromptHistory } from '../wiring/disk';
import { configDeps, type ReadyEngine, type Wiring } from '../wiring/wiring';
import { appServerAgent } from './appServerAgent';
import { type CodexPlaces, codexPlaces } from './codexPlaces';
import type { Link } from './connection/link';

/** The installed Codex, wired: its account, and the engine in front of it. */
export const appServerEngine = (wiring: Wiring) => {
  const over$ = new Subject<void>(); // the wire from the end of the engine to its processes
  const places = codexPlaces(wiring, over$);
  const agent = agentOf(wiring, places);
  const engine: Engine = (ask) => (op$) => agent(ask)(op$).pipe(finalize(() => over$.next()));
  return {
    account: () => defer(() => places.own().link$).pipe(take(1), mergeMap(readAccount)),
    ready: { engine } satisfies ReadyEngine,
  };
};

const clockMs = (): number => performance.now();

const agentOf = (wiring: Wiring, { placeOf }: CodexPlaces): Engine => {
  const { processInfo, options, log } = wiring;
  return appServerAgent({
    placeOf,
    showsRawReasoning: showsRawReasoning(configDeps(wiring)),
    promptHistory: readPromptHistory(processInfo.codexHome),
    modelWaitMs: options.modelTimeoutMs,
    turnTimeoutMs: options.turnTimeoutMs,
    turnClockMs: clockMs,
    unused: {
      afterMs: options.unusedThreadMs ?? UNUSED_THREADS.afterMs,
      most: UNUSED_THREADS.most,
      clockMs,
    },
    log,
  });
};

/** The server reports a fault of its configuration before it answers its first request. */
const readAccount = ({ request, release, configFault$ }: Link): Observable<CodexAccount> =>
  request('account/read', {}).pipe(
    withLatestFrom(configFault$.pipe(startWith(undefined))),
    map(([{ account, requiresOpenaiAuth }, configFault]) => ({ account, requiresOpenaiAuth, release, configFault })),
  );

/** `show_raw_agent_reasoning` of a thread: of the call, profile, flags or config.toml. False if this configuration cannot be read here. */
export const showsRawReasoning =
  (deps: ConfigDeps) =>
  (settings: ThreadSettings): boolean =>
    tried(() => loadConfig(deps)(settings).showRawReasoning).value ?? false;
