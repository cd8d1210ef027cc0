/** Owns input on its way to a process, and that a write asked twice is written once. */
import { concatMap, EMPTY, type OperatorFunction, of } from 'rxjs';
import { INVALID_PARAMS, INVALID_REQUEST, RpcError } from '../../../protocol';
import { type BatchLimit, inBatches } from '../../../streams';
import type { Process } from '../../backend';
import { bytes, fieldsOf, optionalText, text } from '../params';
import { answer, answerTo, type Method, type Said } from '../said';
import type { ProcessLimits } from './processLimits';
import type { Slot, Slots, Write } from './slots';

/** What a pipe takes without its reader, about. */
const BATCH: BatchLimit<Write> = { sizeOf: ({ chunk }) => chunk.length, limit: 65_536 };
const NOTHING = new Uint8Array();

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
    slot.write$.next({ ask, ...admit(limits, slot, chunk, writeId) });
    return EMPTY;
  };

/** What is to be written: nothing where that was asked before. */
const admit = (
  { maxPendingBytes }: Pick<ProcessLimits, 'maxPendingBytes'>,
  slot: Slot,
  chunk: Uint8Array,
  writeId: string | undefined,
): Omit<Write, 'ask'> => {
  const first = writeId === undefined ? undefined : slot.written.get(writeId);
  if (first) return { chunk: NOTHING, outcome: first };
  if (slot.pendingBytes + chunk.length > maxPendingBytes) {
    throw new RpcError(INVALID_REQUEST, `stdin is full: ${slot.pendingBytes} bytes wait for the process to read them`);
  }
  slot.pendingBytes += chunk.length;
  const outcome = {};
  if (writeId !== undefined) slot.written.set(writeId, outcome);
  return { chunk, outcome };
};

/**
 * Writes in their order, and answers each; those that come while the process takes others are written at once. A write
 * asked again writes nothing, behind the first, and is told the same.
 *   write$ a-b-b-
 *   out    -A--BB
 */
export const takeWrites = (slot: Slot): OperatorFunction<Write, Said> =>
  inBatches(BATCH, (writes) =>
    (slot.process as Process).write(Buffer.concat(writes.map(({ chunk }) => chunk))).pipe(
      concatMap((status) =>
        writes.map(({ ask, chunk, outcome }) => {
          slot.pendingBytes -= chunk.length;
          outcome.status ??= status;
          return answerTo(ask, { status: outcome.status });
        }),
      ),
    ),
  );
