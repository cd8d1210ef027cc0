/** The table of an exec-server's methods. */
import { type Observable, of } from 'rxjs';
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import {
  AcknowledgeParams,
  ProcessParams,
  ReadParams,
  RestrictionsParams,
  SignalParams,
  WriteParams,
} from '../../protocol/exec/params';
import { isObject } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc/messages';
import { toResult } from '../../protocol/rpc/answerOnce';
import type { Permissions } from '../sandbox/permissions';
import { toUri } from '../toPath';
import { type FileMethodsDeps, fileMethods } from './file/fileMethods';
import { type ForwardFilesDeps, forward, forwardFiles } from './forwardFiles';
import { type HttpMethodsDeps, httpMethods } from './http/httpMethods';
import { limitMethods, type MethodLimits } from './limitMethods';
import { type Method, method, type Output, results, toBytes, toWaitMs } from './method';
import { type Entry, type ProcessTable, processOf, processTable, toPage } from './process/processTable';
import { type StartProcessDeps, startProcess } from './process/startProcess';
import { type PermissionsDeps, toPermissions } from './toPermissions';

type ExecMethodsDeps = StartProcessDeps &
  FileMethodsDeps &
  HttpMethodsDeps &
  Pick<ConfineFilesDeps, 'insideOf'> & {
    methodLimits: MethodLimits;
    serverEnvironment: ServerEnvironment;
    /** Carries out the methods of files if the ceiling limits them. Default: this process. */
    inside?: ForwardFilesDeps;
  };

/** The methods of one session. Unsubscribing from a request ends the process or closes the file that it opened. */
export const execMethods = (deps: ExecMethodsDeps): Record<string, Method> => {
  const ofFiles = fileMethods(deps);
  return limitMethods(deps.methodLimits)({
    ...processMethods(deps),
    ...confineFiles(
      { ...deps, tmpdir: deps.environment.TMPDIR },
      deps.inside === undefined ? ofFiles : forwardFiles(deps.inside, Object.keys(ofFiles)),
    ),
    ...httpMethods(deps),
    ...environmentMethods(deps.serverEnvironment),
  });
};

type ConfineFilesDeps = PermissionsDeps & {
  /** The server in a sandbox with these permissions. */
  insideOf: (permissions: Permissions) => ForwardFilesDeps;
};

/** These methods name a file by its handle, which stays open in one server. */
const BY_HANDLE = ['fs/open', 'fs/readBlock', 'fs/writeBlock', 'fs/close'];

/** The methods; one with a restricting `sandbox` runs inside. Throws RpcError if the restrictions cannot be enforced. */
export const confineFiles = (deps: ConfineFilesDeps, methods: Record<string, Method>): Record<string, Method> =>
  Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, confined(deps, name, method)]));

const confined =
  (deps: ConfineFilesDeps, name: string, method: Method): Method =>
  (params) => {
    if (!isObject(params)) return method(params);
    const permissions = toPermissions(deps, checkExecParams(RestrictionsParams(), params));
    const { sandbox: _, ...rest } = params;
    if (permissions === undefined) return method(rest);
    if (BY_HANDLE.includes(name)) {
      throw new RpcError(INTERNAL_ERROR, `this exec-server does not support ${name} in a sandbox; read whole files`);
    }
    return forward(deps.insideOf(permissions), name)(rest);
  };

/** The methods process/ of one session. Unsubscribing from process/start ends the process. */
export const processMethods = (deps: StartProcessDeps): Record<string, Method> => {
  const table = processTable(deps.limits);
  return {
    'process/start': startProcess(deps, table),
    'process/read': readOutput(table),
    'process/write': writeInput(table),
    'process/acknowledge': acknowledge(table),
    'process/closeStdin': closeStdin(table),
    'process/signal': signal(table),
    'process/terminate': terminate(table),
  };
};

const readOutput = (table: ProcessTable): Method =>
  method(ReadParams, ({ processId, afterSeq, maxBytes, waitMs }) => {
    const entry = table.find(processId);
    if (entry === undefined) throw new RpcError(INVALID_REQUEST, `unknown process id ${processId}`);
    const process = processOf(entry);
    if (process === undefined) throw new RpcError(INVALID_REQUEST, `process id ${processId} is starting`);
    const page$ = process.read({
      afterSeq: afterSeq ?? 0,
      waitMs: toWaitMs(waitMs ?? 0),
      ...(typeof maxBytes === 'number' && { maxBytes }),
    });
    return results(page$, (page) => toPage(page, table.find(processId) ?? entry));
  });

const acknowledge = (table: ProcessTable): Method =>
  method(AcknowledgeParams, ({ processId, seq }) => {
    const entry = table.find(processId);
    const process = entry && processOf(entry);
    return process ? results(process.acknowledge(seq), () => ({})) : of(toResult({}));
  });

const signal = (table: ProcessTable): Method =>
  method(SignalParams, ({ processId, signal: name }) => {
    const entry = table.find(processId);
    const process = entry && processOf(entry);
    return process ? results(process.signal(name), () => ({})) : of(toResult({}));
  });

/** A process that is still starting is ended once it has started. */
const terminate = (table: ProcessTable): Method =>
  method(ProcessParams, ({ processId }) => {
    const entry = table.find(processId);
    const process = entry && processOf(entry);
    if (process) return results(process.terminate(), (running) => ({ running }));
    table.setPhase(processId, { kind: 'cancelled' });
    return of(toResult({ running: entry !== undefined }));
  });

/** process/write: emits its result once the process, or the pipe to it, has accepted the bytes. */
export const writeInput = (table: ProcessTable): Method =>
  method(WriteParams, ({ processId, chunk, writeId }) => {
    const entry = table.find(processId);
    const bytes = toBytes(chunk);
    if (entry?.needsWriteId && typeof writeId !== 'string') throw noWriteId(writeId);
    if (writeId === '') throw new RpcError(INVALID_PARAMS, 'writeId must not be empty');
    const process = entry && processOf(entry);
    if (entry === undefined || process === undefined) return notRunning(entry);
    return results(entry.input.write({ process, chunk: bytes, ...(writeId && { writeId }) }), toStatus);
  });

/** process/closeStdin: closes the input after all pending writes. */
export const closeStdin = (table: ProcessTable): Method =>
  method(ProcessParams, ({ processId }) => {
    const entry = table.find(processId);
    const process = entry && processOf(entry);
    return process ? results(entry.input.close(process), toStatus) : notRunning(entry);
  });

const toStatus = (status: string) => ({ status });

const notRunning = (entry: Entry | undefined): Observable<Output> =>
  of(toResult({ status: entry ? 'starting' : 'unknownProcess' }));

/** Source: codex exec-server 0.142.0, which uses the texts of serde. */
const noWriteId = (writeId: null | undefined): RpcError =>
  new RpcError(INVALID_PARAMS, writeId === null ? 'invalid type: null, expected a string' : 'missing field `writeId`');

/** The machine of the server. Absolute paths. */
export type ServerEnvironment = {
  shell: { name: string; path: string };
  version: string;
  cwd: string;
  /** Undefined if the user of the server has none. */
  home?: string;
  tempDir: string;
  /** linux, macos or windows. */
  platform: string;
};

/** The methods environment/: where processes would run. Source: codex exec-server 0.142.0 for `shell`, 0.169.0 for the rest and for environment/status. */
export const environmentMethods = (machine: ServerEnvironment): Record<string, Method> => {
  const { shell, version, cwd, home, tempDir, platform } = machine;
  const info = {
    shell,
    executorVersion: version,
    cwd: toUri(cwd),
    ...(home !== undefined && { userHomeDir: toUri(home) }),
    platformOs: platform,
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: toUri(tempDir),
    capabilities: { fileWriteStreaming: true },
  };
  return {
    'environment/info': () => of(toResult(info)),
    'environment/status': () => of(toResult({ status: 'ready' })),
  };
};
