/** Wires the native engine to this machine: files, environment, child processes, models. */
import { constants } from 'node:os';
import { EMPTY } from 'rxjs';
import { models } from '../../agent/model/models';
import { modelLogin } from '../../agent/native/modelLogin';
import { readyCommands, workspaceHere } from '../../agent/native/nativeTools';
import { type NativeDeps, nativeAgent } from '../../agent/nativeAgent';
import type { OpenWorkspace } from '../../agent/thread/workspace';
import { NO_TOOLS } from '../../agent/toolServers/toolServer';
import { configureOf, diskOf, type ReadyEngine, seamsOf, type Wiring } from '../../agent/wiring/wiring';
import type { Backend } from '../../executor/backend';
import { inRealFolder } from '../../executor/inRealFolder';
import { localBackend } from '../../executor/local/localBackend';
import { holdFolder } from '../../executor/sandbox/handles';
import { httpPost } from '../../io/http/sendRequest';
import { readRegular } from '../../io/paths/look';
import { spawnHere } from '../../io/processes/spawnHere';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { Config } from '../../settings/config';
import { tried } from '../../settings/faults/tried';
import { lazy } from '../../streams/lazy';
import { type Pausing, startsInTurns } from '../../streams/pausing';
import type { SeamPorts } from '../../tapes/seams/ports';
import { threadPorts } from '../openThreads';

/** The native engine, wired. */
export const nativeEngine = (plain: Wiring, configure = configureOf(plain)): Required<ReadyEngine> => {
  const seams = seamsOf(plain);
  const wiring = { ...plain, seams }; // the calls of one seam are counted together
  const { processInfo, log, backpressure, watch, newId } = wiring;
  const { codexHome, platform } = processInfo;
  const inFolder = inRealFolder(holdFolder({ platform }));
  const backend = seams.backend(
    inFolder(localBackend({ spawn: spawnHere, backpressure, signals: constants.signals, watch })),
  );
  const plainModelOf = modelsHere(wiring);
  const engine = nativeAgent({
    configure,
    modelOf: (provider) => seams.model(plainModelOf(provider)),
    openWorkspace: openWorkspace(wiring, backend),
    ...turnPorts(wiring),
    openTools: openTools(wiring, backend),
    random: seams.chance('random', Math.random),
    clockMs: seams.chance('clock', () => performance.now()),
    promptHistory: seams.chance('history', diskOf(wiring).promptHistory(codexHome)),
    newId,
    ...threadPorts(wiring),
    log,
  });
  return { engine, warmUp: () => warmUp(configure, processInfo.dist) };
};

const turnPorts = ({
  processInfo,
  options,
  log,
  seams,
}: Wiring & { seams: SeamPorts }): Pick<
  NativeDeps,
  'notify' | 'turnTimeoutMs' | 'turnClockMs' | 'unusedMs' | 'startTurn'
> => ({
  turnTimeoutMs: options.turnTimeoutMs,
  turnClockMs: () => performance.now(),
  startTurn: seams.starts(startsInTurns({ now: () => performance.now(), soon: setImmediate })),
  unusedMs: options.unusedThreadMs,
  notify:
    seams.effects === 'none'
      ? () => EMPTY
      : (notification) => notifyModule().notifyHere({ processInfo, log })(notification),
});

/** Loaded by the first turn whose end is reported. */
const notifyModule = lazy(
  () => require('../../agent/native/notifyHere') as typeof import('../../agent/native/notifyHere'),
);

const modelsHere = (wiring: Wiring) => {
  const { backpressure, processInfo, options } = wiring;
  const { env, version } = processInfo;
  return models({
    post: httpPost({ backpressure, env }),
    backpressure,
    env,
    version,
    ...modelLogin(wiring),
    readFile: readRegular,
    ...(options.statusTexts && { statusTexts: options.statusTexts }),
    now: Date.now,
    clockMs: () => performance.now(),
    random: Math.random,
    starts: startsInTurns({ now: () => performance.now(), soon: setImmediate }),
  });
};

const toolServersModule = lazy(
  () =>
    require('../../agent/native/configuredToolServers') as typeof import('../../agent/native/configuredToolServers'),
);

/** MCP servers are loaded by the first thread that has some. */
const openTools =
  (wiring: Wiring, backend: Backend): NativeDeps['openTools'] =>
  (over$) => {
    const here = lazy(() => toolServersModule().configuredToolServers(wiring, backend)(over$));
    return (config) => (Object.keys(config.mcpServers).length === 0 ? NO_TOOLS : here()(config));
  };

/** Loads what a first call needs under this configuration, then what commands and patches need. */
function* warmUp(configure: (settings: ThreadSettings) => Config, dist: string): Pausing<void> {
  const hasServers = hasToolServers(configure);
  yield;
  if (hasServers) toolServersModule();
  yield;
  yield* readyCommands(dist);
}

/** False for a configuration that cannot be used, which the call that needs it reports. */
const hasToolServers = (configure: (settings: ThreadSettings) => Config): boolean =>
  tried(() => Object.keys(configure({}).mcpServers).length > 0).value ?? false;

/** Loaded by the first thread that works elsewhere. */
const elsewhereModule = lazy(
  () =>
    require('../../agent/elsewhere/workspaceElsewhere') as typeof import('../../agent/elsewhere/workspaceElsewhere'),
);

/** @param backend runs processes on this machine */
const openWorkspace = (wiring: Wiring, backend: Backend): OpenWorkspace => {
  const here = workspaceHere(wiring, backend);
  const elsewhere = lazy(() => elsewhereModule().workspaceElsewhere(wiring));
  return (config, last) => (config.environmentId === 'local' ? here(config) : elsewhere()(config, last));
};
