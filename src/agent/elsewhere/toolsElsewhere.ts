/** The tools of threads that work on executors elsewhere, and their folders, images and patches there. */
import { dirname } from 'node:path';
import { catchError, concatMap, defer, firstValueFrom, forkJoin, map, type Observable, of, throwError } from 'rxjs';
import { type PatchOrder, type PatchOutcome, refusalOf } from '../../executor/applying/transact';
import type { Executor } from '../../executor/backend';
import type { ChangeOutcome, FileChange } from '../../executor/files';
import { type HoldFolder, inRealFolder } from '../../executor/inRealFolder';
import { checkPatch } from '../../executor/patch/checkPatch';
import type { FilePlan } from '../../executor/patch/plan';
import { READ_ONLY, toExecSandbox } from '../../executor/remote/execSandbox';
import { remoteFiles, type WholeFiles } from '../../executor/remote/remoteFiles';
import { placedBackend, sandboxElsewhere } from '../../executor/remote/sandboxElsewhere';
import { isAbsent } from '../../io/paths/look';
import { METHOD_NOT_FOUND, RpcError } from '../../protocol/jsonrpc/messages';
import type { Config } from '../../settings/config';
import { startsInTurns } from '../../streams/pausing';
import { reasonOf } from '../../streams/text/reasons';
import type { Patches } from '../../tapes/seams/ports';
import { bashHere } from '../native/bashHere';
import { imageFault, toImage } from '../native/readImage';
import { isShortFor, MAX_READ_BYTES, type MarksOf, toMark } from '../safety/namedFiles';
import type { BuiltInDeps, ImageRead, ReadImage } from '../tools/builtInTools';
import { runCommand } from '../tools/runCommand';
import { seamsOf, type Wiring } from '../wiring/wiring';
import { changeByFiles, lookElsewhere } from './filesElsewhere';
import type { Sight } from './lookAround';
import type { RecordedExecutor } from './recorded';

/** An executor that was reached, what was found there, and the settings of the thread in its folder there. */
export type Place = RecordedExecutor & { config: Config; sight: Sight };

const clockMs = (): number => performance.now();

/** What the built-in tools of a thread need of its machine; only the grammar of bash is read on this machine. */
export const toolsElsewhere = (wiring: Wiring) => {
  const { backpressure, processInfo, log } = wiring;
  const seams = seamsOf(wiring);
  const now = seams.chance('toolTime', clockMs);
  const common = {
    ...bashHere(processInfo.dist, log),
    runOn: (backend: BuiltInDeps['backend']) => runCommand({ backend, backpressure, now, clockMs }),
    now,
    ...UNKNOWN,
  };
  return ({ executor, plain: request, config }: Place): BuiltInDeps => {
    const placement = { backend: executor, envPolicy: config.shellEnvironment };
    const settings = settingsOf(config);
    const sandbox = sandboxElsewhere(placement, settings);
    const confined = remoteFiles({ request, sandbox: toExecSandbox(settings) });
    const shown = remoteFiles({ ...executor, ...(config.sandboxMode !== FULL_ACCESS && { sandbox: READ_ONLY }) });
    return {
      ...common,
      ...seams.patches(patchesElsewhere({ files: remoteFiles({ request }), confined })),
      realFolder: realFolderElsewhere(executor),
      marksOf: marksElsewhere(remoteFiles({ request: executor.request })),
      backend: inRealFolder(holdElsewhere(executor))(placedBackend(placement)),
      readImage: imagesElsewhere({ files: shown }),
      openSandbox: () => sandbox,
    };
  };
};

const FULL_ACCESS = 'danger-full-access';

/** What is not known of another machine: the stricter answer counts. The environment of commands is made there, by the policy of the thread. */
const UNKNOWN = {
  repositoryOf: () => '',
  showsSecrets: () => true,
  trustedPath: (path: string) => path,
  workspaceProgram: () => undefined,
  environmentOf: () => ({}),
};

const settingsOf = ({ sandboxMode, workspaceWrite, cwd }: Config) => ({
  ...workspaceWrite,
  cwd,
  mode: sandboxMode === 'workspace-write' ? sandboxMode : ('read-only' as const),
});

type FoldersElsewhereDeps = Pick<Executor, 'request'>;

/** Emits once: the path of a folder of the executor without links, or the path itself if that cannot be found out. */
export const realFolderElsewhere =
  ({ request }: FoldersElsewhereDeps) =>
  (path: string): Observable<string> =>
    remoteFiles({ request })
      .canonical(path)
      .pipe(catchError(() => of(path))); // a process could not start there either

/** Each is a request or more. */
const MAX_MARKS = 64;

/** The marks of files of the executor. Unknown if there are many, if one is long or may be found by a shorter name, and if the executor does not answer. */
export const marksElsewhere =
  (files: MarkedFiles): MarksOf =>
  (paths) => {
    if (paths.length > MAX_MARKS) return of(undefined);
    if (paths.length === 0) return of([]);
    const listed$ = forkJoin([...new Set(paths.map(dirname))].map((folder) => noneLonger(files, folder, paths)));
    const marks$ = defer(() => forkJoin(paths.map((path) => markElsewhere(files, path))));
    return listed$.pipe(
      concatMap(() => marks$),
      catchError(() => of(undefined)),
    );
  };

type MarkedFiles = Pick<WholeFiles, 'facts' | 'canonical' | 'read' | 'list'>;

/** Errors if a folder has a name that one of these paths may be short for. */
const noneLonger = (files: MarkedFiles, folder: string, paths: readonly string[]): Observable<void> =>
  files.list(folder).pipe(
    catchError((error) => (isAbsent(error) ? of([]) : throwError(() => error))),
    map((entries) => {
      const within = paths.filter((path) => dirname(path) === folder);
      const longer = entries.find(({ fileName }) => within.some((path) => isShortFor(path, fileName)));
      if (longer !== undefined) throw new RangeError(`${longer.fileName} may be found by a shorter name`);
    }),
  );

const markElsewhere = (files: MarkedFiles, path: string): Observable<string | undefined> =>
  files.facts(path).pipe(
    concatMap(({ isFile, size }) => {
      if (!isFile) return of(undefined);
      if (size > MAX_READ_BYTES) throw new RangeError(`${path} is too long`);
      const { canonical, read } = files;
      return forkJoin([canonical(path), read(path, MAX_READ_BYTES)]).pipe(map(([real, bytes]) => toMark(real, bytes)));
    }),
    catchError((error) => (isAbsent(error) ? of(undefined) : throwError(() => error))),
  );

/** The path is checked right before a start: a link that comes while the request to start a process is under way is not noticed. */
export const holdElsewhere =
  ({ request }: FoldersElsewhereDeps): HoldFolder =>
  (path) =>
    remoteFiles({ request })
      .canonical(path)
      .pipe(map((real) => (real === path ? { path, release: () => {} } : undefined)));

type ImagesElsewhereDeps = {
  /** In the sandbox of that machine, which hides its secrets. */
  files: Pick<WholeFiles, 'facts' | 'read'>;
};

/** Reads an image there; only bytes that begin as one of the known formats are shown, as on this machine. */
export const imagesElsewhere =
  ({ files }: ImagesElsewhereDeps): ReadImage =>
  (path) =>
    files.facts(path).pipe(
      concatMap((facts): Observable<ImageRead> => {
        const reason = imageFault(facts);
        return reason === undefined
          ? files.read(path, facts.size).pipe(map((bytes) => toImage(Buffer.from(bytes))))
          : of({ kind: 'unreadable', reason });
      }),
      catchError((error) => of<ImageRead>({ kind: 'unreadable', reason: reasonOf(error) })),
    );

type PatchesElsewhereDeps = {
  /** Up to the ceiling of the executor. */
  files: WholeFiles;
  /** In the sandbox of the thread. */
  confined: WholeFiles;
};

/**
 * The plan is made here, from the content of the files there. The executor applies all of it or nothing (an executor of Codex goes file by file), in the
 * sandbox of the thread unless a person approved more. Never errors.
 */
export const patchesElsewhere = ({ files, confined }: PatchesElsewhereDeps): Patches => ({
  check: checkPatch({
    look: lookElsewhere({ files }),
    recover: async () => {}, // each executor does so itself
    starts: startsInTurns({ now: clockMs, soon: setImmediate }),
    isFolder: (path) =>
      firstValueFrom(
        files.facts(path).pipe(
          map(({ isDirectory }) => isDirectory),
          catchError(() => of(false)), // whatever the reason: nothing can be patched there
        ),
      ),
  }),
  apply: (order) =>
    defer((): Observable<PatchOutcome> => {
      const message = refusalOf(order);
      return message === undefined ? applied(order.within ? confined : files, order) : of({ kind: 'failed', message });
    }),
});

const applied = (files: WholeFiles, { plan }: PatchOrder): Observable<PatchOutcome> =>
  changed(files, plan.files.map(changeOfFile)).pipe(
    map((outcome): PatchOutcome => (outcome.kind === 'applied' ? { ...outcome, summary: plan.summary } : outcome)),
    catchError((error) => of<PatchOutcome>({ kind: 'failed', message: failureText(error) })),
  );

/** Only a response shows what became of the patch. */
const failureText = (error: unknown): string =>
  error instanceof RpcError
    ? `The executor did not apply the patch: ${reasonOf(error)}`
    : `It is not known whether the executor applied the patch: ${reasonOf(error)}. It applies all of a patch or nothing, after a crash when it is started again. Read the files before you go on`;

/** With one request, if the exec-server is codex-rx; otherwise file by file. */
const changed = (files: WholeFiles, changes: readonly FileChange[]): Observable<ChangeOutcome> =>
  files
    .change(changes)
    .pipe(catchError((error) => (isUnknown(error) ? changeByFiles(files, changes) : throwError(() => error))));

const isUnknown = (error: unknown): boolean => error instanceof RpcError && error.code === METHOD_NOT_FOUND;

const changeOfFile = ({ before, after, ...change }: FilePlan): FileChange => ({
  ...change,
  ...(before && { before }),
  ...(after && { after }),
});
