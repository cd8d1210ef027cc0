/** Finds the folder of a thread on the executor of its environment. */
import { catchError, concatMap, defer, map, type Observable, throwError } from 'rxjs';
import { remoteFiles } from '../../executor/remote/remoteFiles';
import type { Config } from '../../settings/config';
import { ConfigError } from '../../settings/faults/configError';
import { lockedFolderOf } from '../../settings/places/placeThread';
import type { Workspace } from '../thread/workspace';
import { unusableEnvironment } from '../turns/rejection';
import { configDeps, seamsOf, type Wiring } from '../wiring/wiring';
import { lookAround } from './lookAround';
import { recorded } from './recorded';
import type { Place } from './toolsElsewhere';

/** Emits the place once; in a pool, the member on which the thread was `last`. Errors with ConfigError, and with CannotBegin if no thread can work there. */
export const placeElsewhere = (wiring: Wiring) => {
  const deps = configDeps(wiring);
  const reach = seamsOf(wiring).reach((id, member) => wiring.executors().reach(id, member));
  return (config: Config, last?: Workspace['environment']): Observable<Place> =>
    defer(() => {
      const { environmentId: id, cwd, workspaceWrite } = config;
      const member = last?.id === id ? last.executor : undefined;
      const wanted = { cwd, writableRoots: workspaceWrite.writableRoots, within: lockedFolderOf(deps, id) };
      return reach(id, member).pipe(
        map((reached) => recorded(wiring, reached)),
        concatMap((reached) =>
          lookAround({ ...reached.executor, files: remoteFiles(reached.executor) }, wanted).pipe(
            map((sight): Place => ({ ...reached, sight, config: placed(config, sight) })),
          ),
        ),
        catchError((error) => throwError(() => explained({ id, member }, error))),
      );
    });
};

const placed = (config: Config, { cwd, writableRoots }: { cwd: string; writableRoots: string[] }): Config => ({
  ...config,
  cwd,
  workspaceWrite: { ...config.workspaceWrite, writableRoots },
});

/** The error of a call whose thread cannot reach its machine. */
const explained = ({ id, member }: { id: string; member: string | undefined }, error: unknown): unknown => {
  if (error instanceof ConfigError) return error;
  const remedy =
    member === undefined
      ? undefined
      : `The files of this thread are on its executor ${member}: start that again, or move the thread by config.environment_id of codex-reply to another environment; its own pool would keep it there.`;
  return unusableEnvironment(id, error, remedy);
};
