/** Fills the gaps of a slow or reconnecting reader from what the executor retains. */
import {
  catchError,
  defer,
  type MonoTypeOperatorFunction,
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
import { mapAccum, mapMulti } from '../../streams/gather';
import { scanInTurn } from '../../streams/scanInTurn';
import type { Hole } from './hole';
import { isLagged, type Lagged } from './lagged';

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

/**
 * Passes what has a greater `seq` than all before it.
 *   in  1-2-2-1-3-|
 *   out 1-2-----3-|
 */
export const dropSeen = <T extends { seq: number }>(): MonoTypeOperatorFunction<T> =>
  mapAccum((seq, item) => (item.seq > seq ? { state: item.seq, output: item } : { state: seq }), 0);

/** How far a reader is: the last seq it has, whether it knows of the exit, and how many bytes of output came up to there, if known. */
type Reader = { seq: number; exited: boolean; bytes: number | undefined };

/**
 * The events after `seq` that a page stands for, ascending, without holes: what is no longer retained is a `gap`. It has its
 * bytes if the executor reports how many were evicted: those, less what the reader has.
 * A page has no seq for exit and close, so they are found: the close is the highest number, the exit the highest
 * that no chunk has, for only the oldest chunks are ever missing.
 * Source: codex exec-server 0.142.0, process/read; in 0.130.0 `nextSeq` does not count exit and close.
 */
export const toEvents = ({ seq, exited, bytes }: Reader, page: OutputPage): ProcessEvent[] => {
  const chunks = page.chunks.filter((chunk) => chunk.seq > seq);
  const lastChunk = chunks.at(-1)?.seq ?? seq;
  const holes = holesOf(seq, chunks, page.nextSeq - 1);
  const top = holes.at(-1)?.to ?? lastChunk;
  const closedAt = page.closed && top > lastChunk ? pop(holes) : undefined;
  const exitedAt = page.exited && !exited ? pop(holes) : undefined;
  const events: ProcessEvent[] = [
    ...holes.map((hole) => toGap(hole, bytes, page)),
    ...chunks.map((chunk) => ({ kind: 'output' as const, ...chunk })),
    ...(exitedAt === undefined ? [] : [toExited(exitedAt, page)]),
  ].sort((a, b) => a.seq - b.seq);
  const nextSeq = () => (events.at(-1)?.seq ?? seq) + 1;
  if (page.exited && !exited && exitedAt === undefined) events.push(toExited(nextSeq(), page));
  if (page.closed) events.push({ kind: 'closed', seq: closedAt ?? nextSeq() });
  return events;
};

/** The oldest output goes first, so all that was evicted is in one hole. */
const toGap = ({ from, to }: Hole, bytes: number | undefined, { evicted }: OutputPage): ProcessEvent => ({
  kind: 'gap',
  seq: to,
  missing: to - from + 1,
  ...(evicted && bytes !== undefined && from <= evicted.throughSeq && { missingBytes: evicted.bytes - bytes }),
});

const toExited = (seq: number, { exitCode }: OutputPage): ProcessEvent => ({
  kind: 'exited',
  seq,
  exitCode: exitCode ?? -1,
});

/** The numbers up to `top` that no chunk of the page has. */
const holesOf = (seq: number, chunks: readonly { seq: number }[], top: number): Hole[] =>
  [...chunks.map((chunk) => chunk.seq), top + 1].flatMap((at, i) => {
    const from = (i === 0 ? seq : (chunks[i - 1] as { seq: number }).seq) + 1;
    return at > from ? [{ from, to: at - 1 }] : [];
  });

/** Takes the highest number out of the holes. */
const pop = (holes: Hole[]): number | undefined => {
  const last = holes.pop();
  if (last && last.to > last.from) holes.push({ from: last.from, to: last.to - 1 });
  return last?.to;
};
