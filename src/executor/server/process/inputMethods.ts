/** The methods process/write and process/closeStdin. */
import { type Observable, of } from 'rxjs';
import { ProcessParams, WriteParams } from '../../../protocol/exec/params';
import { INVALID_PARAMS, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { toBytes } from '../members';
import { type Method, method, type Output, results } from '../method';
import { type Entry, type ProcessTable, processOf } from './processTable';

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

/** Source: codex exec-server 0.142.0, whose texts are those of serde. */
const noWriteId = (writeId: null | undefined): RpcError =>
  new RpcError(INVALID_PARAMS, writeId === null ? 'invalid type: null, expected a string' : 'missing field `writeId`');
