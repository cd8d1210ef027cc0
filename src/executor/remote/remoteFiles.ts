/** The file system of a remote executor, behind the same port as the local one. */
import { catchError, type MonoTypeOperatorFunction, map, throwError } from 'rxjs';
import { BytesResult, ChangeResult, EntriesResult, FactsResult, PathResult } from '../../protocol/exec/results';
import type { ExecSandbox } from '../../protocol/exec/sandboxParams';
import { checkResult } from '../../protocol/jsonrpc/checkParams';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { RpcError } from '../../protocol/jsonrpc/messages';
import type { Executor } from '../backend';
import type { FileChange, FileContent, Files } from '../files';
import { toSystemError } from '../systemErrors';
import { toPath, toUri } from '../toPath';
import { EXEC_SERVER } from './openConnection';

/** Whole files. Handles keep a file open in one server; a thread has none. */
export type WholeFiles = Omit<Files, 'open' | 'settle'>;

type RemoteFilesDeps = Pick<Executor, 'request'> & {
  /** What the methods are restricted to. Default: the limit of the executor. */
  sandbox?: ExecSandbox;
};

/**
 * The methods fs/ of an exec-server. Errors with the error of its operating system (`code`, `errno`), RpcError for any other refusal, or the loss of the
 * session. What changes files is not repeated when a connection is lost.
 */
export const remoteFiles = (deps: RemoteFilesDeps): WholeFiles => ({ ...reading(deps), ...changing(deps) });

const restrictionsOf = ({ sandbox }: RemoteFilesDeps): JsonObject => (sandbox === undefined ? {} : { sandbox });

const reading = (deps: RemoteFilesDeps): Pick<WholeFiles, 'facts' | 'read' | 'list' | 'canonical'> => {
  const look = <S extends Schema>(method: string, params: JsonObject & { path: string }, schema: () => S) =>
    deps
      .request(`fs/${method}`, { ...params, path: toParam(params.path), ...restrictionsOf(deps) }, 'repeat')
      .pipe(asSystem(), checkResult(schema, nameOf(method)));
  return {
    facts: (path) => look('getMetadata', { path, access: true }, FactsResult),
    read: (path, maxBytes) =>
      look('readFile', { path }, BytesResult).pipe(
        map(({ dataBase64 }) => Buffer.from(dataBase64, 'base64').subarray(0, maxBytes)),
      ),
    list: (path) => look('readDirectory', { path }, EntriesResult).pipe(map(({ entries }) => entries)),
    canonical: (path) =>
      look('canonicalize', { path }, PathResult).pipe(map((found) => toRealPath(toPath(found.path, 'path')))),
  };
};

/** Longer paths have no meaning for a system, and an executor must not choose how many folders are checked. Source: Linux, PATH_MAX. */
const MAX_PATH_BYTES = 4_096;

const toRealPath = (path: string): string => {
  const bytes = Buffer.byteLength(path);
  if (bytes <= MAX_PATH_BYTES) return path;
  throw new Error(
    `${nameOf('canonicalize')} is a path of ${bytes} bytes, and no system has one of more than ${MAX_PATH_BYTES}`,
  );
};

type Schema = Parameters<typeof checkResult>[0] extends () => infer S ? S : never;

const changing = (deps: RemoteFilesDeps): Omit<WholeFiles, keyof ReturnType<typeof reading>> => {
  const ask = (method: string, params: JsonObject) =>
    deps.request(`fs/${method}`, { ...params, ...restrictionsOf(deps) }, 'fail').pipe(asSystem());
  const act = (method: string, params: JsonObject) => ask(method, params).pipe(map(() => undefined));
  return {
    write: (path, bytes) =>
      act('writeFile', { path: toParam(path), dataBase64: Buffer.from(bytes).toString('base64') }),
    makeDirectory: (path, how) => act('createDirectory', { path: toParam(path), ...how }),
    remove: (path, how) => act('remove', { path: toParam(path), ...how }),
    copy: (from, to) => act('copy', { sourcePath: toParam(from), destinationPath: toParam(to), recursive: true }),
    change: (changes: readonly FileChange[]) =>
      ask('applyChanges', { changes: changes.map(toWire) }).pipe(checkResult(ChangeResult, nameOf('applyChanges'))),
  };
};

const toWire = ({ before, after, real, movedTo, ...change }: FileChange): JsonObject => ({
  ...change,
  real: toParam(real),
  ...(before && { before: toWireContent(before) }),
  ...(after && { after: toWireContent(after) }),
  ...(movedTo !== undefined && { movedTo: toParam(movedTo) }),
});

const toWireContent = ({ bytes, mode }: FileContent): JsonObject => ({
  dataBase64: Buffer.from(bytes).toString('base64'),
  ...(mode !== 'default' && { mode }),
});

/** A URI resolves `..` by its text, not as the system does, so such a path is sent as it is; all servers except 0.169.0 accept plain paths too. */
const toParam = (path: string): string => (/\/\.\.(?:\/|$)/.test(path) ? path : toUri(path));

const nameOf = (method: string): string => `${EXEC_SERVER}'s result of fs/${method}`;

const asSystem = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error) =>
    throwError(() => (error instanceof RpcError ? (toSystemError(error.message) ?? error) : error)),
  );
