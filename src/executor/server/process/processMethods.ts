/** The methods of family process/ over the port Backend. */
import { type Observable, of } from 'rxjs';
import { AcknowledgeParams, ProcessParams, ReadParams, SignalParams, WriteParams } from '../../../protocol/exec/params';
import { INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { toBytes, toWaitMs } from '../members';
import { type Method, method, type Output, results } from '../method';
import { type Entry, type ProcessTable, processOf, processTable } from './processTable';
import { type StartProcessDeps, startProcess } from './startProcess';
import { toPage } from './toPage';

export type ProcessMethodsDeps = StartProcessDeps;

/** The methods of one session. Unsubscribing from process/start ends the process. */
export const processMethods = (deps: ProcessMethodsDeps): Record<string, Method> => {
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

/** A process that is still starting is ended as soon as it is there. */
const terminate = (table: ProcessTable): Method =>
  method(ProcessParams, ({ processId }) => {
    const entry = table.find(processId);
    const process = entry && processOf(entry);
    if (process) return results(process.terminate(), (running) => ({ running }));
    table.setPhase(processId, { kind: 'cancelled' });
    return of(toResult({ running: entry !== undefined }));
  });

/** process/write: its result comes once the process, or the pipe to it, has taken the bytes. */
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

/** process/closeStdin: the input is closed after what waits to be written. */
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
