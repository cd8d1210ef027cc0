/** Wires the app-server engine to this machine: the installed Codex, its process, profiles, rollouts. */
import { realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { finalize, map, mergeMap, type Observable, Subject, startWith, take, withLatestFrom } from 'rxjs';
import { appServerAgent, findCodex, type Link, profileOfCall, sharedLink, threadParams } from '../../appServer';
import { ceilingOfServer, limitCall, readProfile, resolveCwd } from '../../config';
import type { Engine } from '../../protocol/codex';
import { trustedFolders } from '../../transport';
import { sandboxFiles } from '../sandbox';
import { appServerTransport } from './appServerTransport';
import type { CodexAccount } from './chooseEngine';
import { readPromptHistory } from './readPromptHistory';
import { showsRawReasoning } from './showsRawReasoning';
import { configDeps, isDirectory, type ReadyEngine, readIfThere, type Wiring } from './wiring';

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Where Codex is looked for: not in folders of the workspace, such as the `node_modules/.bin` that npx puts first. */
const withoutWorkspace = ({ env, cwd, platform }: Wiring['processInfo']): string =>
  trustedFolders({ realpath: sandboxFiles.realpath, platform }, env.PATH ?? env.Path, [cwd]).join(delimiter);

/** A folder that is trusted brings settings of its own, which may start programs. */
const TRUST = ['projects'];

const readIfPossible = (path: string): string | undefined => {
  try {
    return readIfThere(path);
  } catch {
    return undefined; // a thread whose rollout cannot be read still goes on, under what the server remembers
  }
};

/** The installed Codex, wired: where it is, what is known of its login, and the engine in front of it. */
export const appServerEngine = (wiring: Wiring) => {
  const { processInfo, options } = wiring;
  const { platform, arch, node, version } = processInfo;
  const env = { ...processInfo.env, PATH: withoutWorkspace(processInfo) };
  const find = () =>
    findCodex({
      option: options.codex,
      env,
      platform,
      arch,
      node,
      isFile,
      isFolder: isDirectory,
      realpath: realpathSync,
    });
  const over$ = new Subject<void>(); // the wire from the end of the engine to its process
  const link$ = sharedLink({ transport: appServerTransport(wiring, find), version, over$ });
  const agent = agentOf(wiring, link$);
  const engine: Engine = (ask) => (op$) => agent(ask)(op$).pipe(finalize(() => over$.next()));
  return {
    find,
    mayBeLoggedIn: () => mayBeLoggedIn(wiring),
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
    readRollout: readIfPossible,
    promptHistory: readPromptHistory(processInfo.codexHome),
    modelWaitMs: options.modelTimeoutMs,
    turnTimeoutMs: options.turnTimeoutMs,
    unused: UNUSED,
    log,
  });
};

/** An unused thread is loaded again when it is needed; until then its MCP servers need not run. */
const UNUSED = { afterMs: 30 * 60_000, most: 200, clockMs: () => performance.now() };

/** The server reports a fault of its configuration before it answers its first request. */
const readAccount = ({ request, configFault$ }: Link): Observable<CodexAccount> =>
  request('account/read', {}).pipe(
    withLatestFrom(configFault$.pipe(startWith(undefined))),
    map(([{ account, requiresOpenaiAuth }, configFault]) => ({ account, requiresOpenaiAuth, configFault })),
  );

/** A login is a file, unless the configuration names another store, or a key stands in the environment. */
const mayBeLoggedIn = ({ processInfo: { env, codexHome } }: Wiring): boolean =>
  isFile(join(codexHome, 'auth.json')) ||
  Boolean(env.CODEX_API_KEY || env.CODEX_ACCESS_TOKEN) ||
  /cli_auth_credentials_store/.test(readIfPossible(join(codexHome, 'config.toml')) ?? '');
