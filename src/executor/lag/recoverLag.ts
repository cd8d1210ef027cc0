/** Fills the gaps of a slow or reconnecting reader from what the executor retains. */
import {
  catchError,
  defer,
  map,
  type Observable,
  type OperatorFunction,
  of,
  take,
  takeWhile,
  throwIfEmpty,
} from 'rxjs';
import type { OutputPage, ProcessEvent, ReadRequest } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import { mapMulti } from '../../streams/mapMulti';
import { scanInTurn } from '../../streams/scanInTurn';
import { dropSeen } from './dropSeen';
import { isLagged, type Lagged } from './lagged';
import { type Reader, toEvents } from './toEvents';

/** @param read emits what is retained after a seq */
export type RecoverDeps = { read: (from: ReadRequest) => Observable<OutputPage>; log: Log };

/**
 * After a `lagged`, and where a number is missing, reads once what is retained after the last seq, without waiting.
 * What arrives meanwhile waits, and is dropped where the page had it. Evicted output is a `gap` with its size.
 * Emits each seq once, ascending. Completes with the source, after `closed` (`exited` is not the end), and after `failed`:
 * the process's own, the page's, or that of a read.
 *   in   1-L-----4---5     (L lagged; the read takes 2 frames and has 2, 3, 4)
 *   out  1---(234)---5
 * Source: codex 0.130.0 executor process transport.
 */
export const recoverLag =
  ({ read, log }: RecoverDeps): OperatorFunction<ProcessEvent | Lagged, ProcessEvent> =>
  (item$) => {
    const recover = (at: State, item: ProcessEvent | Lagged): Observable<State> => {
      log('debug', 'events of a process are missing', { afterSeq: at.seq });
      return defer(() => read({ afterSeq: at.seq, waitMs: 0 })).pipe(
        take(1),
        throwIfEmpty(() => new Error('the executor sent no result')),
        map((page) => follow(at, page, item)),
        catchError((error: Error) => of(fail(at, `missed output could not be read: ${error.message}`))),
      );
    };
    return item$.pipe(
      scanInTurn((at: State, item) => (isKnown(at, item) ? pass(at, item) : recover(at, item)), START),
      mapMulti<State, ProcessEvent>(({ out }, emit) => {
        for (const event of out) emit(event);
      }),
      dropSeen(),
      takeWhile(({ kind }) => kind !== 'closed' && kind !== 'failed', true),
    );
  };

type State = Reader & { out: ProcessEvent[] };
const START: State = { seq: 0, exited: false, bytes: 0, out: [] };

/** Nothing is missing before it. */
const isKnown = (at: State, item: ProcessEvent | Lagged): item is ProcessEvent => {
  if (isLagged(item)) return false;
  if (item.kind === 'failed') return true;
  return item.seq - (item.kind === 'gap' ? item.missing : 1) <= at.seq;
};

const pass = (at: State, item: ProcessEvent): State =>
  item.kind === 'failed' ? fail(at, item.reason) : { ...(item.seq > at.seq ? passed(at, item) : at), out: [item] };

/** How far the reader is after these events; those it has already change nothing. */
const advance = (at: Reader, events: readonly ProcessEvent[]): Reader =>
  events.filter(({ seq }) => seq > at.seq).reduce(passed, at);

const passed = ({ exited, bytes }: Reader, event: ProcessEvent): Reader => ({
  seq: event.seq,
  exited: exited || event.kind === 'exited',
  bytes: bytes === undefined ? undefined : bytesAfter(bytes, event),
});

const bytesAfter = (bytes: number, event: ProcessEvent): number | undefined => {
  if (event.kind === 'output') return bytes + event.chunk.length;
  return event.kind !== 'gap' ? bytes : event.missingBytes === undefined ? undefined : bytes + event.missingBytes;
};

const fail = (at: State, reason: string): State => ({
  ...at,
  out: [{ kind: 'failed', seq: at.seq + 1, reason }],
});

/** The events of the page, then the item; what the page does not account for is lost. */
const follow = (at: State, page: OutputPage, item: ProcessEvent | Lagged): State => {
  if (page.failure !== null) return fail(at, page.failure);
  const read = toEvents(at, page);
  const now = advance(at, read);
  if (isLagged(item) || item.seq <= now.seq) return { ...now, out: read };
  const missing = item.seq - now.seq - 1;
  const rest: ProcessEvent[] = [...(missing > 0 ? [{ kind: 'gap' as const, seq: item.seq - 1, missing }] : []), item];
  return { ...advance(now, rest), out: [...read, ...rest] };
};
