/**
 * Fills the gaps in the events of a process from what its executor retains.
 *
 * Events have sequence numbers without gaps. A reader misses some if it was slow or disconnected: then the stream has a `lagged`, or a number is missing. The
 * operator reads the executor's page of retained output once, turns it into events (`toEvents`), and goes on with the stream.
 */
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
import type { OutputPage, ProcessEvent } from '../../protocol/exec/process';
import type { Log } from '../../protocol/log';
import { mapAccum, mapMany } from '../../streams/gather';
import { scanInTurn } from '../../streams/scanInTurn';
import type { Process } from '../backend';

/** Some events did not reach the reader; how many may be unknown. */
export type Lagged = { kind: 'lagged' };

/** Stands in a stream for the events that were missed. */
export const LAGGED: Lagged = { kind: 'lagged' };

/** True for a `lagged`. */
export const isLagged = <T extends { kind: string }>(item: T | Lagged): item is Lagged => item.kind === 'lagged';

/** Sequence numbers that a reader did not get, both ends included. */
export type Hole = { from: number; to: number };

/** True if the number is in the hole. */
export const isInHole = (hole: Hole | undefined, seq: number): boolean =>
  hole !== undefined && seq >= hole.from && seq <= hole.to;

type RecoverDeps = Pick<Process, 'read'> & { log: Log };

/**
 * After a `lagged`, or if a number is missing, reads the output retained after the last seq once, without waiting.
 * Events that arrive during the read are buffered, and dropped if the page had them. Evicted output is a `gap` with its size.
 * Emits each seq once, ascending. Completes with the source, after `closed` (`exited` is not the end), and after `failed`, whether the process failed, the
 * page reports it, or the read failed.
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
      mapMany(({ out }) => out),
      dropSeen(),
      takeWhile(({ kind }) => kind !== 'closed' && kind !== 'failed', true),
    );
  };

type Reader = {
  /** The last seq that it has. */
  seq: number;
  /** It has the exit. */
  exited: boolean;
  /** How many bytes of output there were up to `seq`; undefined if that is unknown. */
  bytes: number | undefined;
};

type State = Reader & { out: readonly ProcessEvent[] };
const START: State = { seq: 0, exited: false, bytes: 0, out: [] };

/** True if no event is missing before this one. */
const isKnown = (at: State, item: ProcessEvent | Lagged): item is ProcessEvent => {
  if (isLagged(item)) return false;
  if (item.kind === 'failed') return true;
  return item.seq - (item.kind === 'gap' ? item.missing : 1) <= at.seq;
};

const pass = (at: State, item: ProcessEvent): State =>
  item.kind === 'failed' ? fail(at, item.reason) : { ...(item.seq > at.seq ? passed(at, item) : at), out: [item] };

/** How far the reader is after these events; an event that it already has changes nothing. */
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

/** The events of the page, then the item; a number that neither has is lost. */
const follow = (at: State, page: OutputPage, item: ProcessEvent | Lagged): State => {
  if (page.failure !== null) return fail(at, page.failure);
  const read = toEvents(at, page);
  const now = advance(at, read);
  if (isLagged(item) || item.seq <= now.seq) return { ...now, out: read };
  const missing = item.seq - now.seq - 1;
  const rest: ProcessEvent[] = [...(missing > 0 ? [{ kind: 'gap' as const, seq: item.seq - 1, missing }] : []), item];
  return { ...advance(now, rest), out: [...read, ...rest] };
};

/** Passes an event if its `seq` is greater than all before. */
const dropSeen = <T extends { seq: number }>(): MonoTypeOperatorFunction<T> =>
  mapAccum((seq, item) => (item.seq > seq ? { state: item.seq, output: item } : { state: seq }), 0);

/**
 * The events after `seq` that a page stands for, ascending, without holes. Output that is no longer retained is a `gap`. If the executor reports how many
 * bytes it has evicted, the gap has its size: the evicted bytes, less the bytes that the reader has.
 * A page has no seq for exit and close, so they are deduced: the close has the highest number, the exit the highest number
 * that no chunk has, because only the oldest chunks are ever missing.
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

/** The oldest output is evicted first, so all evicted output is in one hole. */
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
