/** Looks at the other machine on which a thread is to work: its folder, its system. */
import { posix } from 'node:path';
import { catchError, concatMap, forkJoin, map, type Observable, of, throwError } from 'rxjs';
import type { Executor } from '../../executor/backend';
import type { WholeFiles } from '../../executor/remote/remoteFiles';
import { foldersUp } from '../../io/paths/relations';
import { InfoResult } from '../../protocol/exec/results';
import { checkResult } from '../../protocol/jsonrpc/checkParams';
import { RpcError } from '../../protocol/jsonrpc/messages';
import { isWithin } from '../../streams/text/trim';
import { CannotBegin } from '../turns/rejection';

/** What a thread asks for. */
export type Wanted = {
  /** May be relative to the folder of the executor. */
  cwd: string;
  writableRoots: readonly string[];
  /** A folder that `cwd` may not leave. */
  within: string | undefined;
};

/** What was found. */
export type Sight = {
  /** Absolute, without links. */
  cwd: string;
  /** Absolute, without links; roots that are not there are left out. */
  writableRoots: string[];
  /** The same two, by the absolute paths that named them. */
  folders: Record<string, string>;
  /** The nearest folder with `.git` at or above `cwd`. */
  repository: string | undefined;
  /** For a model to read. */
  facts: Record<string, string>;
};

type LookDeps = {
  /** Sends a request to the executor. */
  request: Executor['request'];
  /** Of its machine. */
  files: Pick<WholeFiles, 'canonical' | 'facts'>;
};

/**
 * Emits once. Errors with CannotBegin if a thread cannot work there, else as the executor does.
 * A server without environment/info knows no sandboxes either, and would run commands outside of them. Source: codex exec-server 0.130.0.
 */
export const lookAround = ({ request, files }: LookDeps, { cwd, writableRoots, within }: Wanted): Observable<Sight> =>
  request('environment/info', {}, 'repeat').pipe(
    catchError((error) => throwError(() => (error instanceof RpcError ? new CannotBegin(TOO_OLD) : error))),
    checkResult(InfoResult, 'the result of environment/info'),
    concatMap((info) => {
      if (info.platformOs === 'windows') throw new CannotBegin(NO_WINDOWS);
      const folder = startFolder(info.cwd, cwd);
      return folderAt(files, folder).pipe(
        concatMap((real) =>
          forkJoin({
            real: of(real),
            roots: forkJoin([of([]), ...writableRoots.map((root) => rootAt(files, posix.resolve(real, root)))]),
            repository: repositoryOf(files, real),
            base: within === undefined ? of(undefined) : realOf(files, within),
          }),
        ),
        map(({ real, roots: found, repository, base }): Sight => {
          if (within !== undefined) keepWithin(real, base, within);
          const roots = found.flat();
          return {
            cwd: real,
            writableRoots: roots.map(([, root]) => root),
            folders: Object.fromEntries([...roots, [folder, real]]),
            repository,
            facts: factsOf(info),
          };
        }),
      );
    }),
  );

/** For the model to read. */
const factsOf = ({ platformOs, shell }: { platformOs?: string; shell?: { name: string } }): Sight['facts'] => ({
  ...(platformOs !== undefined && { operating_system: platformOs }),
  ...(shell && { shell: shell.name }),
});

const TOO_OLD =
  'Its exec-server is too old: it does not know environment/info; use one of codex-rx, or of Codex 0.142.0 or newer';
const NO_WINDOWS = 'It is a Windows machine, where threads cannot work yet; MCP servers can';

const startFolder = (start: string | undefined, cwd: string): string => {
  if (cwd.startsWith('/')) return posix.normalize(cwd);
  if (start === undefined) throw new CannotBegin('It does not say where it was started: name an absolute cwd there');
  return posix.resolve(decodeURIComponent(new URL(start).pathname), cwd);
};

const folderAt = (files: LookDeps['files'], path: string): Observable<string> =>
  files.facts(path).pipe(
    catchError((error) => (isNotThere(error) ? of({ isDirectory: false }) : throwError(() => error))),
    concatMap(({ isDirectory }) => {
      if (!isDirectory) throw new CannotBegin(`${path} is not an existing folder there; name one by the argument cwd`);
      return files.canonical(path);
    }),
  );

type Root = [named: string, real: string];

const rootAt = (files: LookDeps['files'], named: string): Observable<Root[]> =>
  realOf(files, named).pipe(map((real) => (real === undefined ? [] : [[named, real]])));

const realOf = ({ canonical }: LookDeps['files'], path: string): Observable<string | undefined> =>
  canonical(path).pipe(catchError((error) => (isNotThere(error) ? of(undefined) : throwError(() => error))));

const NOT_THERE = ['ENOENT', 'ENOTDIR'];
const isNotThere = (error: NodeJS.ErrnoException): boolean => NOT_THERE.includes(error.code ?? '');

const LINKED = 'is a link, which the flag --lock does not follow, as a command could have made it; it leads to';

const keepWithin = (real: string, base: string | undefined, within: string): void => {
  if (base !== undefined && base !== within)
    throw new CannotBegin(`${within} ${LINKED} ${base}; put the folder back, or name that one as default_cwd`);
  if (base !== undefined && isWithin(base, real)) return;
  throw new CannotBegin(`${real} is outside of ${within}, where the flag --lock keeps threads; name a folder in it`);
};

const repositoryOf = ({ facts }: LookDeps['files'], folder: string): Observable<string | undefined> =>
  forkJoin(
    foldersUp(folder).map((at) =>
      facts(posix.join(at, '.git')).pipe(
        map(() => at),
        catchError(() => of(undefined)), // whatever the reason: no repository is known there
      ),
    ),
  ).pipe(map((found) => found.find((at) => at !== undefined)));
