/** Where threads work that work on an executor elsewhere. */
import { catchError, concatMap, defer, map, type Observable, throwError } from 'rxjs';
import type { OpenWorkspace, Workspace } from '../../agent';
import { type Config, ConfigError, lockedFolderOf } from '../../config';
import { remoteFiles } from '../../executor';
import { toTurnDiff } from '../../patch';
import { reasonOf } from '../../text';
import { builtInTools } from '../../tools';
import { CannotBegin } from '../../turns';
import { reachExecutor } from '../engines/executorsById';
import { blobId } from '../engines/nativeTools';
import { configDeps, readIfPossible, type Wiring } from '../engines/wiring';
import { instructionsElsewhere } from './instructionsElsewhere';
import { lookAround } from './lookAround';
import { recorded } from './recorded';
import { type Place, toolsElsewhere } from './toolsElsewhere';

/** Connects to an executor when the first thread needs it. Every command, patch and file of a thread is of that machine. */
export const workspaceElsewhere = (wiring: Wiring): OpenWorkspace => {
  const reach = reachExecutor(wiring);
  const toWorkspace = workspaceOf(wiring);
  const deps = configDeps(wiring);
  return (config, last) =>
    defer(() => {
      const { environmentId: id, cwd, workspaceWrite } = config;
      const member = last?.id === id ? last.executor : undefined;
      const wanted = { cwd, writableRoots: workspaceWrite.writableRoots, within: lockedFolderOf(deps, id) };
      return reach(id, member).pipe(
        map((reached) => recorded(wiring, reached)),
        concatMap((reached) =>
          lookAround({ ...reached.executor, files: remoteFiles(reached.executor) }, wanted).pipe(
            map((sight): Workspace => toWorkspace({ ...reached, config: placed(config, sight), sight })),
          ),
        ),
        explained(id, member),
      );
    });
};

const workspaceOf = (wiring: Wiring) => {
  const { options, log, processInfo } = wiring;
  const toDeps = toolsElsewhere(wiring);
  return (place: Place): Workspace => {
    const { executor, member, config, sight } = place;
    const { cwd, environmentId: id, projectDocMaxBytes: maxBytes } = config;
    const deps = toDeps(place);
    const root = sight.repository ?? (options.bareDiffPaths === 'absolute' ? undefined : cwd);
    const documents = { files: remoteFiles(executor), readOwn: readIfPossible, codexHome: processInfo.codexHome, log };
    return {
      config,
      builtIn: builtInTools(deps)(config),
      writableRoots: () => deps.openSandbox(config).writable,
      userInstructions: () => instructionsElsewhere(documents, { ...sight, maxBytes }),
      turnDiff: toTurnDiff({ blobId, root }),
      readImage: deps.readImage,
      environment: { id, ...(member !== undefined && { executor: member }) },
      facts: sight.facts,
    };
  };
};

const placed = (config: Config, { cwd, writableRoots }: { cwd: string; writableRoots: string[] }): Config => ({
  ...config,
  cwd,
  workspaceWrite: { ...config.workspaceWrite, writableRoots },
});

/** What keeps a thread from its machine is the reason why the call cannot begin. */
const explained =
  (id: string, member: string | undefined) =>
  (workspace$: Observable<Workspace>): Observable<Workspace> =>
    workspace$.pipe(
      catchError((error) =>
        throwError(() => (error instanceof ConfigError ? error : new CannotBegin(textOf(id, member, reasonOf(error))))),
      ),
    );

const textOf = (id: string, member: string | undefined, reason: string): string => {
  const files = member === undefined ? '' : ` The files of this thread are on its executor ${member}.`;
  return `The environment \`${id}\` cannot be used: ${reason}${files} Nothing was run on this machine.`;
};
