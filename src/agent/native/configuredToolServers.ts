/** Wires the MCP servers of the configuration to this machine: their processes, their environment. */
import { createHash } from 'node:crypto';
import { delimiter, resolve } from 'node:path';
import type { Observable } from 'rxjs';
import type { Backend } from '../../executor/backend';
import { childTransport } from '../../executor/processTransport';
import { trustDeps } from '../../executor/sandbox/belongsToSystem';
import { httpPost } from '../../io/http/sendRequest';
import { isProgram } from '../../io/paths/look';
import { findProgram, trustedFolders } from '../../io/processes/trustedFolders';
import { NESTED_VARIABLE } from '../../io/serverProcess/serverProcess';
import type { Config } from '../../settings/config';
import { lazy, memoize } from '../../streams/lazy';
import { startsInTurns } from '../../streams/pausing';
import { decodeToolMessage } from '../toolServers/callTool';
import { openToolServer } from '../toolServers/openToolServer';
import { NotStarted, type ToolServer, type ToolServerSpec, type ToolSet } from '../toolServers/toolServer';
import { toolServers } from '../toolServers/toolServers';
import { seamsOf, type Wiring } from '../wiring/wiring';

type McpServer = Config['mcpServers'][string];

/** Source: Codex 0.28.0, CORE 9: what a server sees of our environment, besides PATH and what is configured for it. */
const PASSED_ON = [
  ...['HOME', 'LOGNAME', 'SHELL', 'USER', '__CF_USER_TEXT_ENCODING', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'],
  ...['USERNAME', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'SYSTEMROOT', 'TEMP', 'TMP', 'PATHEXT'], // for Windows
];

/** In UTF-16 units. No model reads as much, a screenshot is shorter, and reading it holds up no other call. */
const MAX_LINE_LENGTH = 2 ** 22;

/** The servers of a connection, which end when `over$` emits: what they offer under a configuration. */
export const configuredToolServers =
  (wiring: Wiring, local: Backend) =>
  (over$: Observable<void>): ((config: Config) => Observable<ToolSet>) => {
    const { specsOf, open } = serversHere(wiring, local);
    const starts = startsInTurns({ now: () => performance.now(), soon: setImmediate });
    const hash = (text: string): string => createHash('sha1').update(text).digest('hex');
    const { chance, afterIdle } = seamsOf(wiring);
    const now = chance('serverTime', Date.now);
    const { unusedThreadMs: unusedMs } = wiring.options;
    const setOf = toolServers({ open, hash, now, unusedMs, after: afterIdle, starts, over$ });
    return (config) => {
      const isFullAccess = config.sandboxMode === 'danger-full-access';
      return setOf({ servers: specsOf(config), approvalPolicy: config.approvalPolicy, isFullAccess });
    };
  };

/** The MCP servers of this machine's configuration. */
export type ServersHere = {
  /** The servers of a configuration, by their names. */
  specsOf: (config: Config) => Readonly<Record<string, ToolServerSpec>>;
  /** Starts or reaches a server, and ends it when unsubscribed. */
  open: (name: string, spec: ToolServerSpec) => Observable<ToolServer>;
};

/** The servers as this machine starts and reaches them. */
export const serversHere = (wiring: Wiring, local: Backend): ServersHere => {
  const { processInfo, log } = wiring;
  const { version } = processInfo;
  const hostOf = recordedHosts(wiring, hostsOf(wiring, local));
  const starts = startsInTurns({ now: () => performance.now(), soon: setImmediate });
  return {
    specsOf: (config) => {
      const specOf = specIn(processInfo, config);
      return Object.fromEntries(Object.entries(config.mcpServers).map(([name, server]) => [name, specOf(server)]));
    },
    open: (name, spec) => {
      const { cwd, startTimeoutMs, toolTimeoutMs } = spec;
      const { backend, command, env } = hostOf(name, spec);
      const title = `the MCP server ${name}`;
      const process = { backend, command, cwd, env, title, program: name };
      const transport = childTransport({ ...process, log, decode: decodeToolMessage, maxLineLength: MAX_LINE_LENGTH });
      return openToolServer({ name, transport, version, startTimeoutMs, toolTimeoutMs, starts });
    },
  };
};

/** A server on this machine starts in the folder of its thread, or in the folder of this process if the thread is on another machine. */
const specIn = (processInfo: Wiring['processInfo'], { environmentId, cwd: folder }: Config) => {
  const { env, cwd: own } = processInfo;
  const valuesOf = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])));
  const passedOn = valuesOf(PASSED_ON);
  const pathFrom = memoize((home) => pathOf(processInfo, home)); // the same for most servers of a turn
  return ({ command, args, cwd, env: extra, envVars = [], ...rest }: McpServer): ToolServerSpec => {
    const home = isHere(rest) && environmentId !== 'local' ? own : folder;
    return {
      ...rest,
      argv: command === undefined ? [] : [command, ...args],
      cwd: resolve(home, cwd ?? '.'),
      env: {
        ...(isHere(rest) && { ...passedOn, ...pathFrom(home) }),
        ...valuesOf(envVars),
        ...extra,
        [NESTED_VARIABLE]: '1',
      },
    };
  };
};

/** PATH without the folders of the workspace: nobody is asked before a server starts. If none is left, the system has its own. */
const pathOf = (processInfo: Wiring['processInfo'], folder: string): { PATH?: string } => {
  const { env, cwd } = processInfo;
  const folders = trustedFolders(trustDeps(processInfo), env.PATH, [cwd, folder]);
  return folders.length === 0 ? {} : { PATH: folders.join(delimiter) };
};

const isHere = ({ environmentId }: Pick<McpServer, 'environmentId'>): boolean => environmentId === 'local';

type Host = { backend: Backend; command: readonly string[]; env: Record<string, string> };

type Hosts = (name: string, spec: ToolServerSpec) => Host;

/** The reason for a missing host is recorded, so that it is the same in a rerun, where variables and executors differ. */
const recordedHosts =
  (wiring: Wiring, hostOf: Hosts): Hosts =>
  (name, spec) => {
    const attempt = lazy(() => hostOf(name, spec));
    const fault = seamsOf(wiring).chance(`serverFault ${name}`, () => faultOf(attempt))();
    if (fault === null) return attempt();
    throw fault.isFinal ? new NotStarted(fault.reason) : new Error(fault.reason);
  };

type Fault = { reason: string; isFinal: boolean } | null;

const faultOf = (attempt: () => unknown): Fault => {
  try {
    attempt();
    return null;
  } catch (error) {
    return { reason: (error as Error).message, isFinal: error instanceof NotStarted };
  }
};

/** What runs a server, or reaches it. Throws NotStarted. */
const hostsOf = (wiring: Wiring, local: Backend): Hosts => {
  const executorOf = backendsOf(wiring, local);
  const byUrl = lazy(() => {
    const { processInfo, log, backpressure, background = () => {} } = wiring;
    const { env, codexHome } = processInfo;
    const send = httpPost({ backpressure, env });
    return urlModule().toolServerByUrl({ env, codexHome, send, background, log, local, seams: seamsOf(wiring) });
  });
  return (server, spec) => {
    const { argv, url, env, environmentId } = spec;
    if (isHere(spec) && isOnlyInWorkspace(wiring.processInfo, spec)) throw new NotStarted(OF_WORKSPACE);
    if (argv.length > 0) return { backend: executorOf(environmentId), command: argv, env };
    if (url === undefined) throw new NotStarted('its table has neither a command nor a url');
    const { backend, name } = byUrl()(server, spec);
    return { backend, command: [name], env: {} };
  };
};

const OF_WORKSPACE =
  'PATH finds its command only in the workspace, whose programs are not started unasked; name its absolute path as the command';

/** Whether the PATH of this process finds a command that the PATH of the server does not. */
const isOnlyInWorkspace = (
  { env: own, platform }: Wiring['processInfo'],
  { argv: [name = ''], env }: Pick<ToolServerSpec, 'argv' | 'env'>,
): boolean => {
  const finds = (path = '') => findProgram({ isProgram, platform }, name, path.split(delimiter)) !== undefined;
  return name !== '' && !name.includes('/') && !finds(env.PATH) && finds(own.PATH);
};

/** Backends by the name of their environment, each behind the seam; this machine if nothing may be reached. Throws ConfigError. */
const backendsOf = (wiring: Wiring, local: Backend): ((environmentId: string) => Backend) => {
  const { backend, effects } = seamsOf(wiring);
  const elsewhere = memoize((id) => backend(wiring.executors().backendOf(id)));
  return (id) => (id === 'local' || effects === 'none' ? local : elsewhere(id));
};

/** Loaded by the first server behind a URL. */
const urlModule = lazy(() => require('./toolServerByUrl') as typeof import('./toolServerByUrl'));
