/** Where an installed Codex runs threads: on this machine, and on those of the environments. */
import { catchError, defer, map, type Observable, of, throwError } from 'rxjs';
import type { ThreadSettings } from '../../protocol/codex/settings';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { RpcTransport } from '../../protocol/rpc/messages';
import { codexSettings } from '../../settings/codexSettings';
import type { ConfigDeps } from '../../settings/deps';
import { allowedEnvironment, checkEnvironment, environmentOfCall } from '../../settings/environmentOfCall';
import { ConfigError } from '../../settings/faults/configError';
import { limitCall } from '../../settings/limits/limitCall';
import { ceilingOfServer } from '../../settings/loadConfig';
import { depsAt, folderIn, lockedFolderOf } from '../../settings/places/placeThread';
import { readProfile } from '../../settings/readProfile';
import { lazy } from '../../streams/lazy/lazy';
import { memoize } from '../../streams/lazy/memoize';
import { type StoredPlace, storedPlaces } from '../elsewhere/storedPlaces';
import type { ThreadEntry } from '../turns/threadRegistry';
import { unusableEnvironment } from '../turns/unusableEnvironment';
import { readIfPossible } from '../wiring/disk';
import { configDeps, type Wiring } from '../wiring/wiring';
import { appServerTransport } from './appServerTransport';
import { sharedLink } from './connection/sharedLink';
import { installedCodex } from './installedCodex';
import type { ServerPlace, Thread } from './threads/openThread';
import { profileOfCall, threadParams } from './threads/threadParams';

/** `own`: the place of the operator. `placeOf`: that of a thread; errors with ConfigError, and with CannotBegin where nobody answers there. */
export type CodexPlaces = {
  own: () => ServerPlace;
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

/** A folder that is trusted brings settings of its own, which may start programs. */
const TRUST = ['projects'];

/** The params of a thread; paths are of the machine where its Codex runs. Throws ConfigError. */
const paramsOf = (wiring: Pick<Wiring, 'processInfo' | 'options'>, environment: string) => {
  const { model } = wiring.options;
  const deps = configDeps(wiring);
  const resolveCwd = (cwd: string | undefined) => keepFolder(deps, environment, folderIn(deps, environment, cwd));
  return (settings: ThreadSettings): JsonObject => {
    const name = profileOfCall(settings);
    const named = name === undefined ? undefined : readProfile(deps)(name);
    const ceiling = ceilingOfServer(deps);
    limitCall(depsAt(deps, environment), { settings, profile: named, ceiling, forbidden: TRUST });
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

/** A thread stays where its files are. Throws ConfigError where a later call names another environment. */
const keepEnvironment = (deps: ConfigDeps, own: string, settings: ThreadSettings): void => {
  const asked = settings.config?.environment_id === undefined ? own : environmentOfCall(deps, settings);
  if (asked === own) return;
  throw new ConfigError(
    `the call asks for environment_id = "${asked}", but the files of this thread of Codex are in \`${own}\`; start a new thread there, or start the server with --engine native, whose threads can move`,
  );
};
