/** The input of one process on its way to it. A repeated write is written once. */
import { AsyncSubject, concat, ignoreElements, map, type Observable, Subject, tap } from 'rxjs';
import type { WriteStatus } from '../../../protocol/exec/process';
import { INVALID_REQUEST, RpcError } from '../../../protocol/jsonrpc/messages';
import { type BatchLimit, inBatches } from '../../../streams/batches';
import { recentMap } from '../../../streams/recentMap';
import type { Process } from '../../backend';
import type { ProcessLimits } from '../processLimits';

/** Bytes for a process. */
export type Write = {
  process: Process;
  chunk: Uint8Array;
  /** Names the write, so that a repeated write is recognised after a lost connection. */
  writeId?: string;
};

type Pending = {
  /** `close` closes the input, and has no bytes. */
  kind: 'write' | 'close';
  process: Process;
  chunk: Uint8Array;
  /** Emits once the process, or the pipe to it, has accepted it. */
  status$: AsyncSubject<WriteStatus>;
};

/** The input of one process. `write` and `close` act when they are called; what they return emits the status once, also to later subscribers. */
export type InputQueue = {
  /** Throws RpcError if too many bytes are pending. */
  write: (write: Write) => Observable<WriteStatus>;
  close: (process: Process) => Observable<WriteStatus>;
  /** Writes the input to the process, and completes after `end`. */
  run$: Observable<never>;
  end: () => void;
};

const NOTHING = new Uint8Array();

export const inputQueue = ({
  maxPendingBytes,
  writeIds,
}: Pick<ProcessLimits, 'maxPendingBytes' | 'writeIds'>): InputQueue => {
  const pending$ = new Subject<Pending>(); // the wire from requests to the process
  const written = recentMap<Observable<WriteStatus>>(writeIds);
  let pendingBytes = 0;
  const add = (kind: Pending['kind'], process: Process, chunk: Uint8Array): Observable<WriteStatus> => {
    const status$ = new AsyncSubject<WriteStatus>(); // the wire from the process to whoever wrote
    pendingBytes += chunk.length;
    pending$.next({ kind, process, chunk, status$ });
    return status$;
  };
  const write: InputQueue['write'] = ({ process, chunk, writeId }) => {
    const repeated = writeId === undefined ? undefined : written.get(writeId);
    if (repeated) return repeated;
    if (pendingBytes + chunk.length > maxPendingBytes)
      throw new RpcError(INVALID_REQUEST, `stdin is full: ${pendingBytes} bytes wait for the process to read them`);
    const status$ = add('write', process, chunk);
    if (writeId !== undefined) written.set(writeId, status$);
    return status$;
  };
  const taken = (bytes: number) => {
    pendingBytes -= bytes;
  };
  const run$ = pending$.pipe(inBatches(BATCH, takeBatch), tap(taken), ignoreElements());
  return { write, close: (process: Process) => add('close', process, NOTHING), run$, end: () => pending$.complete() };
};

/** About as much as a pipe accepts without its reader. A close ends its batch. */
const BATCH: BatchLimit<Pending> = {
  sizeOf: ({ kind, chunk }) => (kind === 'close' ? Number.POSITIVE_INFINITY : chunk.length),
  limit: 65_536,
};

/**
 * Writes the input that arrived while the process accepted other input, then settles each write. Emits how many bytes were accepted.
 *   pending$  abc----
 *   settled   -a--bc-
 */
const takeBatch = (batch: readonly Pending[]): Observable<number> => {
  const writes = batch.filter(({ kind }) => kind === 'write');
  const last = batch.at(-1) as Pending;
  const written$ = last.process.write(Buffer.concat(writes.map(({ chunk }) => chunk)));
  if (last.kind === 'write') return settled(writes, written$);
  const closed$ = settled([last], last.process.closeStdin());
  return writes.length === 0 ? closed$ : concat(settled(writes, written$), closed$);
};

const settled = (batch: readonly Pending[], status$: Observable<WriteStatus>): Observable<number> =>
  status$.pipe(
    tap((status) => {
      for (const pending of batch) settle(pending, status);
    }),
    map(() => batch.reduce((bytes, { chunk }) => bytes + chunk.length, 0)),
  );

const settle = ({ status$ }: Pending, status: WriteStatus): void => {
  status$.next(status);
  status$.complete();
};
