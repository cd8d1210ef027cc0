/** The file system of an executor elsewhere, behind the port of this machine's. */
import { catchError, type MonoTypeOperatorFunction, map, type Observable, throwError } from 'rxjs';
import { BytesResult, ChangeResult, EntriesResult, type ExecSandbox, FactsResult, PathResult } from '../../protocol/exec';
import { type JsonObject, RpcError } from '../../protocol/jsonrpc';
import { checkResult } from '../../rpc';
import type { Executor } from '../backend';
import type { FileChange, FileContent, Files } from '../files';
import { toPath } from '../server/members';
import { toSystemError } from '../systemErrors';
import { toUri } from '../toUri';
import { EXEC_SERVER } from './openConnection';

/** Whole files: handles keep a file open in one server, which a thread does not. */
export type WholeFiles = Omit<Files, 'open'>;

/** @param sandbox what the methods are restricted to; without it what the ceiling of the executor lets them */
export type RemoteFilesDeps = Pick<Executor, 'request'> & { sandbox?: ExecSandbox };

/**
 * The methods fs/ of an exec-server. Errors are those of its operating system (`code`, `errno`), RpcError for what else it refuses, and the loss of
 * the session. What changes files is not repeated when a connection is lost.
 */
export const remoteFiles = ({ request, sandbox }: RemoteFilesDeps): WholeFiles => {
  const restrictions = { ...(sandbox && { sandbox }) };
  const look = (method: string, path: string) =>
    request(`fs/${method}`, { path: toUri(path), ...restrictions }, 'repeat').pipe(asSystem());
  const act = (method: string, params: JsonObject): Observable<void> =>
    request(`fs/${method}`, { ...params, ...restrictions }, 'fail').pipe(
      asSystem(),
      map(() => undefined),
    );
  return {
    facts: (path) => look('getMetadata', path).pipe(checkResult(FactsResult, nameOf('getMetadata'))),
    read: (path, maxBytes) =>
      look('readFile', path).pipe(
        checkResult(BytesResult, nameOf('readFile')),
        map(({ dataBase64 }) => Buffer.from(dataBase64, 'base64').subarray(0, maxBytes)),
      ),
    list: (path) =>
      look('readDirectory', path).pipe(
        checkResult(EntriesResult, nameOf('readDirectory')),
        map(({ entries }) => entries),
      ),
    canonical: (path) =>
      look('canonicalize', path).pipe(
        checkResult(PathResult, nameOf('canonicalize')),
        map((found) => toPath(found.path, 'path')),
      ),
    write: (path, bytes) => act('writeFile', { path: toUri(path), dataBase64: Buffer.from(bytes).toString('base64') }),
    makeDirectory: (path, how) => act('createDirectory', { path: toUri(path), ...how }),
    remove: (path, how) => act('remove', { path: toUri(path), ...how }),
    change: (changes) =>
      request('fs/applyChanges', { changes: changes.map(toWire), ...restrictions }, 'fail').pipe(
        asSystem(),
        checkResult(ChangeResult, nameOf('applyChanges')),
      ),
    copy: (from, to) => act('copy', { sourcePath: toUri(from), destinationPath: toUri(to), recursive: true }),
  };
};

const toWire = ({ before, after, real, movedTo, ...change }: FileChange): JsonObject => ({
  ...change,
  real: toUri(real),
  ...(before && { before: toWireContent(before) }),
  ...(after && { after: toWireContent(after) }),
  ...(movedTo !== undefined && { movedTo: toUri(movedTo) }),
});

const toWireContent = ({ bytes, mode }: FileContent): JsonObject => ({
  dataBase64: Buffer.from(bytes).toString('base64'),
  ...(mode !== 'default' && { mode }),
});

const nameOf = (method: string): string => `${EXEC_SERVER}'s result of fs/${method}`;

const asSystem = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error) =>
    throwError(() => (error instanceof RpcError ? (toSystemError(error.message) ?? error) : error)),
  );
