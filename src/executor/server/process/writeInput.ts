/** Owns input on its way to a process, and that a write asked twice is written once. */
import { finalize, type Observable, of, shareReplay, tap } from 'rxjs';
import { INVALID_PARAMS, INVALID_REQUEST, RpcError, type WriteStatus } from '../../../protocol';
import type { Process } from '../../backend';
import { bytes, fieldsOf, optionalText, text } from '../params';
import { answers, type Method } from '../said';
import type { ProcessLimits } from './processLimits';
import type { Slot, Slots } from './slots';

type WriteLimits = Pick<ProcessLimits, 'maxPendingBytes' | 'writeIds'>;

/** process/write: answered once the process, or the pipe to it, has taken the bytes. A repeated id is told the same again. */
export const writeInput =
  (limits: WriteLimits, slots: Slots): Method =>
  (params) => {
    const fields = fieldsOf(params);
    const slot = slots.find(text(fields, 'processId'));
    const chunk = bytes(fields, 'chunk');
    const writeId = (slot?.needsWriteId ? text : optionalText)(fields, 'writeId');
    if (writeId === '') throw new RpcError(INVALID_PARAMS, 'writeId must not be empty');
    return answers(statusOf(limits, slot, chunk, writeId), (status) => ({ status }));
  };

const statusOf = (
  limits: WriteLimits,
  slot: Slot | undefined,
  chunk: Uint8Array,
  writeId: string | undefined,
): Observable<WriteStatus> => {
  if (slot === undefined) return of('unknownProcess');
  if (slot.process === undefined) return of('starting');
  const told = writeId === undefined ? undefined : slot.written.get(writeId);
  if (told) return told;
  const status$ = write(limits, slot, slot.process, chunk);
  return writeId === undefined ? status$ : remembered(limits, slot, writeId, status$);
};

const write = (
  { maxPendingBytes }: WriteLimits,
  slot: Slot,
  process: Process,
  chunk: Uint8Array,
): Observable<WriteStatus> => {
  if (slot.pendingBytes + chunk.length > maxPendingBytes) {
    throw new RpcError(INVALID_REQUEST, `stdin is full: ${slot.pendingBytes} bytes wait for the process to read them`);
  }
  slot.pendingBytes += chunk.length;
  return process.write(chunk).pipe(
    finalize(() => {
      slot.pendingBytes -= chunk.length;
    }),
  );
};

/** Who asks again waits for the same status; once that is known, the bytes are let go of. */
const remembered = (
  { writeIds }: WriteLimits,
  { written }: Slot,
  writeId: string,
  status$: Observable<WriteStatus>,
): Observable<WriteStatus> => {
  const once$ = status$.pipe(
    tap((status) => written.has(writeId) && written.set(writeId, of(status))),
    shareReplay(1),
  );
  written.set(writeId, once$);
  if (written.size > writeIds) written.delete(written.keys().next().value as string);
  return once$;
};
