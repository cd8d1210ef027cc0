/** The app-server of a Codex that is installed on another machine, as a transport. */
import { catchError, concatMap, defer, map, throwError } from 'rxjs';
import { defaultCwdOf, lockedFolderOf } from '../../config';
import { childTransport, placedBackend, remoteFiles } from '../../executor';
import { decodeBareMessage, type JsonObject } from '../../protocol/jsonrpc';
import type { RpcTransport } from '../../rpc';
import { reasonOf } from '../../text';
import { CannotBegin } from '../../turns';
import type { Reached } from '../engines/executorsPort';
import { configDeps, seamsOf, type Wiring } from '../engines/wiring';
import { lookAround } from './lookAround';
import { recorded } from './recorded';

/** It has its own login, its own sandbox and all variables of its machine. */
const ENV_POLICY = { inherit: 'all' as const, ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };

/** Keys of ours on the command line, which Codex does not know. */
const OURS = /^(?:environment_id|allowed_environments)\s*=/;

/**
 * One life of an app-server on the executor of an environment: `codex` there, or the path there that `--codex` names. Commands, files and
 * threads are of that machine. Errors with CannotBegin where it cannot be started.
 */
export const codexElsewhere = (plain: Wiring) => {
  const wiring = { ...plain, seams: seamsOf(plain) }; // the calls of all lives are counted together
  return (environmentId: string): RpcTransport<JsonObject> => {
    const start = startIn(wiring, environmentId);
    return (out$) =>
      defer(() => wiring.executors().reach(environmentId, undefined)).pipe(
        map((reached) => recorded(wiring, reached)),
        concatMap((reached) => start(reached)(out$)),
        catchError((error) =>
          throwError(() => (error instanceof CannotBegin ? new CannotBegin(textOf(environmentId, error)) : error)),
        ),
      );
  };
};

const startIn = (wiring: Wiring, environmentId: string) => {
  const { options, log } = wiring;
  const deps = configDeps(wiring);
  const overrides = options.overrides.filter((one) => !OURS.test(one)).flatMap((override) => ['-c', override]);
  return ({ executor, member }: Reached): RpcTransport<JsonObject> => {
    if (member !== undefined) throw new CannotBegin(NO_POOL);
    const cwd = defaultCwdOf(deps, environmentId) ?? '';
    const wanted = { cwd, writableRoots: [], within: lockedFolderOf(deps, environmentId) };
    const child = {
      backend: placedBackend({ backend: executor, envPolicy: ENV_POLICY }),
      command: [options.codex ?? 'codex', 'app-server', ...overrides],
      env: {},
      log,
      title: `The codex app-server in the environment ${environmentId}`,
      program: 'codex',
      decode: decodeBareMessage,
    };
    return (out$) =>
      lookAround({ ...executor, files: remoteFiles(executor) }, wanted).pipe(
        concatMap((sight) => childTransport({ ...child, cwd: sight.cwd })(out$)),
      );
  };
};

/** Its threads are files of one machine. */
const NO_POOL = 'Its threads are files of one machine, so the engine app-server needs an `executor`, not a `pool`';

const textOf = (environmentId: string, error: Error): string =>
  `The environment \`${environmentId}\` cannot be used: ${reasonOf(error)}. Nothing was run on this machine.`;
