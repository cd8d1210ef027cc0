/** The app-server of a Codex that is installed on another machine, as a transport. */
import { catchError, concatMap, defer, map, throwError } from 'rxjs';
import type { Reached } from '../../executor/backend';
import { childTransport } from '../../executor/processTransport';
import { remoteFiles } from '../../executor/remote/remoteFiles';
import { placedBackend } from '../../executor/remote/sandboxElsewhere';
import { decodeBareMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { RpcTransport } from '../../protocol/rpc/messages';
import { codexSettings } from '../../settings/codexSettings';
import { codexOf } from '../../settings/environmentOfCall';
import { defaultCwdOf, lockedFolderOf } from '../../settings/places/placeThread';
import { CannotBegin, unusableEnvironment } from '../turns/rejection';
import { configDeps, seamsOf, type Wiring } from '../wiring/wiring';
import { lookAround } from './lookAround';
import { recorded } from './recorded';
import type { StoredPlace } from './storedPlaces';

/** Codex there has its own login, its own sandbox and all variables of its machine. */
const ENV_POLICY = { inherit: 'all' as const, ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };

/**
 * One life of an app-server on the executor of an environment, which in a pool is the member of that name. It runs `codex`, or the path that the environment
 * names. Commands, files and threads are of that machine. Errors with CannotBegin if it cannot be started.
 */
export const codexElsewhere = (plain: Wiring) => {
  const wiring = { ...plain, seams: seamsOf(plain) }; // the calls of all lives are counted together
  return ({ environment: environmentId, executor }: StoredPlace): RpcTransport<JsonObject> => {
    const start = startIn(wiring, environmentId);
    return (out$) =>
      defer(() => wiring.executors().reach(environmentId, executor)).pipe(
        map((reached) => recorded(wiring, reached)),
        concatMap((reached) => start(reached)(out$)),
        catchError((error) =>
          throwError(() => (error instanceof CannotBegin ? unusableEnvironment(environmentId, error) : error)),
        ),
        catchError((error) => throwError(() => withRemedy(environmentId, error))),
      );
  };
};

const startIn = (wiring: Wiring, environmentId: string) => {
  const { options, log } = wiring;
  const deps = configDeps(wiring);
  const overrides = codexSettings(deps, 'other').overrides.flatMap((override) => ['-c', override]);
  return ({ executor, member }: Reached): RpcTransport<JsonObject> => {
    const cwd = defaultCwdOf(deps, environmentId) ?? '';
    const wanted = { cwd, writableRoots: [], within: lockedFolderOf(deps, environmentId) };
    const child = {
      backend: placedBackend({ backend: executor, envPolicy: ENV_POLICY }),
      command: [codexOf(deps, environmentId, options.codex), 'app-server', ...overrides],
      env: {},
      log,
      title: `The codex app-server in the environment ${environmentId}${member === undefined ? '' : `, on ${member}`}`,
      program: 'codex',
      decode: decodeBareMessage,
    };
    return (out$) =>
      lookAround({ ...executor, files: remoteFiles(executor) }, wanted).pipe(
        concatMap((sight) => childTransport({ ...child, cwd: sight.cwd })(out$)),
      );
  };
};

/** Source: the error text of the system, which executors of Codex have too. */
const NOT_THERE = /could not be run: ([^\n]{0,4096}No such file or directory \(os error 2\))/;

const withRemedy = (environmentId: string, error: Error): Error => {
  const [, reason] = NOT_THERE.exec(error.message) ?? [];
  if (reason === undefined) return error;
  return new CannotBegin(
    `The environment \`${environmentId}\` has no Codex: ${reason}. Install it there, name it by the key codex of the environment, or start the server with --engine native.`,
  );
};
