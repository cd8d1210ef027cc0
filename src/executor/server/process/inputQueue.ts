/** Owns input on its way to a process, and that a write asked twice is written once. */
import { concat, concatMap, EMPTY, type Observable, type OperatorFunction, of } from 'rxjs';
import type { WriteStatus } from '../../../protocol/exec';
import { INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc';
import { type BatchLimit, inBatches } from '../../../streams';
import type { Process } from '../../backend';
import { answer, answerTo, type Method, type Said } from '../execMethod';
import { bytes, fieldsOf, optionalText, text } from '../params';
import type { ProcessLimits } from './processLimits';
import type { Slot, Slots, Write } from './processTable';

/** What a pipe takes without its reader, about. */
const BATCH: BatchLimit<Write> = {
  sizeOf: ({ chunk, isLast }) => (isLast ? Number.POSITIVE_INFINITY : chunk.length),
  limit: 65_536,
};

/** process/write: answered once the process, or the pipe to it, has taken the bytes; see `takeWrites`. */
export const writeInput =
  (limits: Pick<ProcessLimits, 'maxPendingBytes'>, slots: Slots): Method =>
  (params, ask) => {
    const fields = fieldsOf(params);
    const slot = slots.find(text(fields, 'processId'));
    const chunk = bytes(fields, 'chunk');
    const writeId = (slot?.needsWriteId ? text : optionalText)(fields, 'writeId');
    if (writeId === '') throw new RpcError(INVALID_PARAMS, 'writeId must not be empty');
    if (slot?.process === undefined) return of(answer({ status: slot ? 'starting' : 'unknownProcess' }));
    const first = writeId === undefined ? undefined : slot.written.get(writeId);
    if (first?.status) return of(answer({ status: first.status }));
    if (first) first.asks.push(ask);
    else slot.write$.next(admit(limits, slot, { chunk, outcome: { asks: [ask] } }, writeId));
    return EMPTY;
  };

const NOTHING = new Uint8Array();

/** process/closeStdin: the input is closed behind what waits to be written. */
export const closeStdin =
  (slots: Slots): Method =>
  (params, ask) => {
    const slot = slots.find(text(fieldsOf(params), 'processId'));
    if (slot?.process === undefined) return of(answer({ status: slot ? 'starting' : 'unknownProcess' }));
    slot.write$.next({ chunk: NOTHING, outcome: { asks: [ask] }, isLast: true });
    return EMPTY;
  };

const admit = (
  { maxPendingBytes }: Pick<ProcessLimits, 'maxPendingBytes'>,
  slot: Slot,
  write: Write,
  writeId: string | undefined,
): Write => {
  const { length } = write.chunk;
  if (slot.pendingBytes + length > maxPendingBytes) {
    throw new RpcError(INVALID_REQUEST, `stdin is full: ${slot.pendingBytes} bytes wait for the process to read them`);
  }
  slot.pendingBytes += length;
  if (writeId !== undefined) slot.written.set(writeId, write.outcome);
  return write;
};

/**
 * Writes in their order, and answers each; those that come while the process takes others leave together.
 *   write$ abc----
 *   out    -A--BC-
 */
export const takeWrites = (slot: Slot): OperatorFunction<Write, Said> =>
  inBatches(BATCH, (batch) => {
    const last = batch.at(-1); // nothing is behind one that closes
    if (!last?.isLast) return write(slot, batch);
    return batch.length === 1 ? close(slot, last) : concat(write(slot, batch.slice(0, -1)), close(slot, last));
  });

const write = (slot: Slot, writes: readonly Write[]): Observable<Said> =>
  (slot.process as Process)
    .write(Buffer.concat(writes.map(({ chunk }) => chunk)))
    .pipe(concatMap((status) => settle(slot, writes, status)));

const close = (slot: Slot, last: Write): Observable<Said> =>
  (slot.process as Process).closeStdin().pipe(concatMap((status) => settle(slot, [last], status)));

const settle = (slot: Slot, writes: readonly Write[], status: WriteStatus): Said[] =>
  writes.flatMap(({ chunk, outcome }) => {
    slot.pendingBytes -= chunk.length;
    outcome.status = status;
    return outcome.asks.splice(0).map((ask) => answerTo(ask, { status }));
  });
