/** The places where an installed Codex runs threads: on this machine, and on the machines of the environments. */
import { constants } from 'node:os';
import { delimiter } from 'node:path';
import {
  catchError,
  defer,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  share,
  throwError,
  timer,
} from 'rxjs';
import { localBackend } from '../../executor/local/localBackend';
import { childTransport } from '../../executor/processTransport';
import { isFolder } from '../../io/paths/look';
import type { Found } from '../../io/processes/findCodex';
import { presentVariables } from '../../io/processes/markedEnvironment';
import { spawnHere } from '../../io/processes/spawnHere';
import type { ThreadSettings } from '../../protocol/codex/settings';
import { decodeBareMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { RpcTransport } from '../../protocol/rpc/messages';
import { boundsOfThread, codexSettings, keepPermissions } from '../../settings/codexSettings';
import type { ConfigDeps } from '../../settings/deps';
import { allowedEnvironment, checkEnvironment, environmentOfCall } from '../../settings/environmentOfCall';
import { ConfigError } from '../../settings/faults/configError';
import { limitCall } from '../../settings/limits/limitCall';
import { ceilingOfServer } from '../../settings/loadConfig';
import { depsAt, folderIn, lockedFolderOf } from '../../settings/places/placeThread';
import { readProfile } from '../../settings/readProfile';
import { lazy, memoize } from '../../streams/lazy';
import { type StoredPlace, storedPlaces } from '../elsewhere/storedPlaces';
import { CannotBegin, unusableEnvironment } from '../turns/rejection';
import type { ThreadEntry } from '../turns/threadRegistry';
import { readIfPossible } from '../wiring/disk';
import { codexHomeFault, configDeps, seamsOf, type Wiring } from '../wiring/wiring';
import type { Link } from './connection/link';
import { type LinkDeps, openLink } from './connection/openLink';
import { installedCodex } from './installedCodex';
import type { ServerPlace, Thread } from './threads/openThread';
import { profileOfCall, threadParams } from './threads/threadParams';

export type CodexPlaces = {
  /** The place of the operator. */
  own: () => ServerPlace;
  /** The place of a thread. Errors with ConfigError, and with CannotBegin if nobody answers there. */
  placeOf: (entry: ThreadEntry<Thread>) => Observable<ServerPlace>;
};

const LOCAL = 'local';

/**
 * Each place has a process of its own, started by its first thread. A new thread goes where its settings say, in a pool to the least loaded member. It
 * stays there, also after a restart, because its files are there.
 * @param over$ emits when no process will be needed any more
 */
export const codexPlaces = (wiring: Wiring, over$: Observable<unknown>): CodexPlaces => {
  const deps = configDeps(wiring);
  const stored = lazy(() => storedPlaces(wiring));
  const transportTo = transports(wiring);
  const made = memoize((key: string): ServerPlace => {
    const place: StoredPlace = JSON.parse(key);
    const version = wiring.processInfo.version;
    return {
      link$: sharedLink({ transport: transportTo(place), version, over$ }),
      ...portsOf(wiring, place),
      began: (threadId) => place.environment === LOCAL || stored().note(threadId, place),
    };
  });
  const at = ({ environment, executor }: StoredPlace) => made(JSON.stringify({ environment, executor }));
  const storedAt = (id: string): ServerPlace | undefined => {
    const place = stored().find(id);
    if (place === undefined) return undefined;
    checkEnvironment(deps, place.environment);
    return at(place);
  };
  return {
    own: () => at({ environment: environmentOfCall(deps) }),
    placeOf: ({ thread, id, settings = {} }) =>
      defer(() => {
        const known = thread?.place ?? (id === undefined ? undefined : storedAt(id));
        return known ? of(known) : begin(wiring, allowedEnvironment(deps, settings)).pipe(map(at));
      }),
  };
};

/** What is read for the threads of a place; without a rollout a thread goes on by what the server knows. */
const portsOf = (wiring: Wiring, { environment }: StoredPlace): Omit<ServerPlace, 'link$' | 'began'> => ({
  paramsOf: paramsOf(wiring, environment),
  limits: () => codexSettings(configDeps(wiring), homeOf(environment)),
  readRollout: (path) => (environment === LOCAL ? readIfPossible(path) : undefined),
  boundsOf: (settings) => {
    const deps = configDeps(wiring);
    const name = profileOfCall(settings) ?? deps.profile;
    return boundsOfThread(deps, settings, name === undefined ? undefined : readProfile(deps)(name));
  },
});

const homeOf = (environment: string): 'same' | 'other' => (environment === LOCAL ? 'same' : 'other');

/** The least loaded member of a pool, else the environment itself. */
const begin = ({ executors }: Wiring, environment: string): Observable<StoredPlace> =>
  environment === LOCAL
    ? of({ environment })
    : executors()
        .reach(environment, undefined)
        .pipe(
          map(({ member }) => ({ environment, ...(member !== undefined && { executor: member }) })),
          catchError((error) =>
            throwError(() => (error instanceof ConfigError ? error : unusableEnvironment(environment, error))),
          ),
        );

/** Loaded by the first Codex that runs elsewhere. */
const elsewhereModule = lazy(
  () => require('../elsewhere/codexElsewhere') as typeof import('../elsewhere/codexElsewhere'),
);

const transports = (wiring: Wiring) => {
  const here = lazy(() => appServerTransport(wiring, installedCodex(wiring)));
  const elsewhere = lazy(() => elsewhereModule().codexElsewhere(wiring));
  return (place: StoredPlace): RpcTransport<JsonObject> =>
    (out$) =>
      defer(() => (place.environment === LOCAL ? here() : elsewhere()(place))(out$));
};

/** The params of a thread; paths are of the machine where its Codex runs. Throws ConfigError. */
const paramsOf = (wiring: Pick<Wiring, 'processInfo' | 'options'>, environment: string) => {
  const { model } = wiring.options;
  const deps = configDeps(wiring);
  const resolveCwd = (cwd: string | undefined) => keepFolder(deps, environment, folderIn(deps, environment, cwd));
  return (settings: ThreadSettings): JsonObject => {
    const name = profileOfCall(settings);
    const named = name === undefined ? undefined : readProfile(deps)(name);
    const ceiling = ceilingOfServer(deps);
    limitCall(depsAt(deps, environment), { settings, profile: named, ceiling });
    if (environment === LOCAL) keepPermissions(deps, settings);
    keepEnvironment(deps, environment, settings);
    return threadParams(
      { ...codexSettings(deps, homeOf(environment)), model, resolveCwd, readProfile: readProfile(deps) },
      settings,
    );
  };
};

/** Links of another machine are not known here, and could lead anywhere: with `--lock` only the folder of its environment is left. Throws ConfigError. */
const keepFolder = (deps: ConfigDeps, environment: string, cwd: string | undefined): string | undefined => {
  const only = environment === LOCAL ? undefined : lockedFolderOf(deps, environment);
  if (only === undefined || cwd === only) return cwd;
  throw new ConfigError(
    `argument cwd: ${cwd}: with the flag --lock a Codex in the environment \`${environment}\` works in ${only} itself, as a folder in it may be a link; leave cwd out`,
  );
};

/** A thread stays where its files are. Throws ConfigError if a later call names another environment. */
const keepEnvironment = (deps: ConfigDeps, own: string, settings: ThreadSettings): void => {
  const asked = settings.config?.environment_id === undefined ? own : environmentOfCall(deps, settings);
  if (asked === own) return;
  throw new ConfigError(
    `the call asks for environment_id = "${asked}", but the files of this thread of Codex are in \`${own}\`; start a new thread there, or start the server with --engine native, whose threads can move`,
  );
};

/** How long an unused process is kept, in ms: the first call may follow soon after the engine was chosen. */
const KEEP_MS = 1_000;

/**
 * Emits a server that is ready, the same to all subscribers, started by the first of them. Errors when it dies; the next subscriber restarts it.
 * @param over$ emits when no server will be needed any more
 */
export const sharedLink = ({ over$ = NEVER, ...deps }: LinkDeps & { over$?: Observable<unknown> }): Observable<Link> =>
  openLink(deps).pipe(
    share({ connector: () => new ReplaySubject(1), resetOnRefCountZero: () => merge(timer(KEEP_MS), over$) }),
  );

/** What to do when there is no Codex. */
const notFoundText = ({ looked, isNamed }: Extract<Found, { looked: unknown }>): string =>
  `No codex was found in ${looked.join(', ')}. ${
    isNamed
      ? 'Correct --codex or CODEX_BIN, or open its folder to this user.'
      : 'Install it (npm install -g @openai/codex), or name it by --codex or CODEX_BIN.'
  }`;

const goneText = (folder: string): string =>
  `The working folder of the server is gone: ${folder}. Create it, or start the server in a folder that stays.`;

/** One life of the app-server. Codex is searched each time, so an update takes effect at the next start. Errors with CannotBegin if it cannot be started. */
const appServerTransport = (wiring: Wiring, find: () => Found): RpcTransport<JsonObject> => {
  const { processInfo, log, backpressure, watch } = wiring;
  const local = localBackend({ spawn: spawnHere, backpressure, signals: constants.signals, watch });
  const backend = seamsOf(wiring).backend(local);
  return (out$) =>
    defer(() => {
      const fault = codexHomeFault(wiring);
      if (fault !== undefined) throw new CannotBegin(fault);
      if (!isFolder(processInfo.cwd)) throw new CannotBegin(goneText(processInfo.cwd));
      const found = find();
      if ('looked' in found) throw new CannotBegin(notFoundText(found));
      const { overrides } = codexSettings(configDeps(wiring), 'same');
      const command = [...found.argv, 'app-server', ...overrides.flatMap((override) => ['-c', override])];
      const env = withFolders(presentVariables(processInfo.env), found.folders);
      return childTransport({
        backend,
        command,
        cwd: processInfo.cwd,
        env,
        log,
        title: 'The codex app-server',
        program: 'codex',
        decode: decodeBareMessage,
      })(out$);
    });
};

const withFolders = (env: Record<string, string>, folders: readonly string[]): Record<string, string> => ({
  ...env,
  PATH: [...folders, env.PATH ?? ''].filter(Boolean).join(delimiter),
});
