/** The workspace of threads that work on an executor elsewhere, and the folder of a thread there. */
import { posix } from 'node:path';
import { catchError, concatMap, defer, forkJoin, map, type Observable, of, throwError } from 'rxjs';
import { toTurnDiff } from '../../executor/patch/toTurnDiff';
import { remoteFiles, type WholeFiles } from '../../executor/remote/remoteFiles';
import { foldersUp } from '../../io/paths/relations';
import type { Log } from '../../protocol/log';
import type { Config } from '../../settings/config';
import { ConfigError } from '../../settings/faults/configError';
import { lockedFolderOf } from '../../settings/places/placeThread';
import { reasonOf } from '../../streams/text/reasons';
import { isWithin } from '../../streams/text/trim';
import { blobId } from '../native/nativeTools';
import { INSTRUCTION_FILES, type InstructionSearch, namesIn, userInstructions } from '../thread/userInstructions';
import type { OpenWorkspace, Workspace } from '../thread/workspace';
import { builtInTools } from '../tools/builtInTools';
import { unusableEnvironment } from '../turns/rejection';
import { readIfPossible } from '../wiring/disk';
import { configDeps, seamsOf, type Wiring } from '../wiring/wiring';
import { lookAround, type Sight } from './lookAround';
import { recorded } from './recorded';
import { type Place, toolsElsewhere } from './toolsElsewhere';

/** Connects to an executor when the first thread needs it. Every command, patch and file of a thread is of that machine. */
export const workspaceElsewhere = (wiring: Wiring): OpenWorkspace => {
  const place = placeElsewhere(wiring);
  const toWorkspace = workspaceOf(wiring);
  return (config, last) => place(config, last).pipe(map(toWorkspace));
};

const workspaceOf = (wiring: Wiring) => {
  const { options, log, processInfo } = wiring;
  const toDeps = toolsElsewhere(wiring);
  return (place: Place): Workspace => {
    const { executor, member, config, sight } = place;
    const { cwd, environmentId: id, projectDocMaxBytes: maxBytes, projectDocFallbacks: fallbacks } = config;
    const deps = toDeps(place);
    const root = sight.repository ?? (options.bareDiffPaths === 'absolute' ? undefined : cwd);
    const documents = { files: remoteFiles(executor), readOwn: readIfPossible, codexHome: processInfo.codexHome, log };
    return {
      config,
      builtIn: builtInTools(deps)(config),
      writableRoots: () => deps.openSandbox(config).writable,
      folders: Object.fromEntries(Object.entries(sight.folders).map(([named, path]) => [named, { path }])),
      userInstructions: () => instructionsElsewhere(documents, { ...sight, maxBytes, fallbacks }),
      turnDiff: toTurnDiff({ blobId, root }),
      readImage: deps.readImage,
      environment: { id, ...(member !== undefined && { executor: member }) },
      facts: sight.facts,
    };
  };
};

type InstructionsDeps = {
  /** Of the other machine. */
  files: Pick<WholeFiles, 'canonical' | 'facts' | 'read'>;
  /** The user's file on this machine, by its absolute path. */
  readOwn: (path: string) => string | undefined;
  codexHome: string;
  log: Log;
};

export type Project = Pick<Sight, 'cwd' | 'repository'> & Pick<InstructionSearch, 'maxBytes' | 'fallbacks'>;

/** A file comes as a whole, in one message, so its length must not be up to the repository. */
const MOST_BYTES = 4_194_304;
/** Stands for the Codex home of this machine: no folder of the other machine can have this name. */
const OWN = '\0';

/** AGENTS.md for a thread on an executor: the user's file is read here, the project's there. Emits once. Unreadable files are logged. */
export const instructionsElsewhere = (deps: InstructionsDeps, { cwd, repository, maxBytes, fallbacks }: Project) =>
  defer((): Observable<string | undefined> => {
    const folders = repository === undefined ? [cwd] : foldersUp(cwd).filter((at) => isWithin(repository, at));
    const paths = folders.flatMap((folder) => namesIn({ fallbacks }).map((name) => posix.join(folder, name)));
    const found = maxBytes === 0 ? [] : paths.map((path) => readIn(deps, path, { root: repository ?? cwd, maxBytes }));
    return forkJoin([of(undefined), ...found]).pipe(
      map((documents) => {
        const known = documents.filter((one) => one !== undefined);
        return userInstructions({
          codexHome: OWN,
          readFile: (path) => {
            const own = INSTRUCTION_FILES.find((name) => path === posix.join(OWN, name));
            if (own !== undefined) return deps.readOwn(posix.join(deps.codexHome, own));
            return known.find(({ real }) => real === path)?.text;
          },
          realpath: (path) => known.find((one) => one.path === path)?.real,
          exists: (path) => repository !== undefined && path === posix.join(repository, '.git'),
        })({ cwd, maxBytes, fallbacks });
      }),
    );
  });

type Document = { path: string; real: string; text: string };

const readIn = (
  { files, log }: InstructionsDeps,
  path: string,
  { root, maxBytes }: { root: string; maxBytes: number },
): Observable<Document | undefined> =>
  files.canonical(path).pipe(
    concatMap((real) =>
      files.facts(real).pipe(
        concatMap(({ isFile, size }) => {
          if (!isWithin(root, real)) return of(undefined); // a link out of the project is not even fetched
          if (isFile && size > Math.max(maxBytes, MOST_BYTES)) throw new Error(`it has ${size} bytes`);
          return isFile ? files.read(real, maxBytes) : of(undefined);
        }),
        map((bytes) => bytes && { path, real, text: Buffer.from(bytes).toString('utf8') }),
      ),
    ),
    catchError((error) => {
      if (error.code !== 'ENOENT') log('warning', 'instructions could not be read', { path, reason: reasonOf(error) });
      return of(undefined);
    }),
  );

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
      : `The files of this thread are on its executor ${member}: start that executor again, or name another environment in config.environment_id of codex-reply; with the same pool the thread stays on that executor.`;
  return unusableEnvironment(id, error, remedy);
};
