/** A tape on NATS as a file to record to. */
import {
  catchError,
  defer,
  ignoreElements,
  map,
  merge,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  Subject,
  startWith,
  switchMap,
  take,
  tap,
  throwError,
  timer,
} from 'rxjs';
import { NatsError } from '../../io/nats/natsAddress';
import { reasonOf } from '../../streams/text/reasons';
import { inputFirst } from '../../streams/time/limits';
import type { TapeFile } from '../../tapes/format/tape';
import type { NatsLink, NatsStored } from '../link/natsLink';
import { makeStream } from '../operators/appendAfter';
import { retryPassing } from '../operators/retryPassing';
import {
  appendToTape,
  endOfTape,
  isWrite,
  sendWrites,
  type TapeWrite,
  tapeSubject,
  tapesStream,
  tapesSubject,
  toWriteHeaders,
} from './tapeWrites';

type NatsTapeDeps = {
  link$: Observable<NatsLink>;
  name: string;
  /** An id that no other recorder has. */
  recorder: string;
  /** How much may wait for a server that is away; beyond that the tape ends. */
  maxWaitingBytes?: number;
  /** A close waits as long as each acknowledgement comes within this time after the one before. */
  settleMs?: number;
};

const MAX_WAITING_BYTES = 67_108_864;
/** How long a server may be away while a tape begins. */
const BEGIN_MS = 10_000;
/** How long a close waits for the next acknowledgement: a cluster was seen without a leader for up to 28 s. */
const SETTLE_MS = 60_000;

/**
 * Emits the tape once it can be written to, at its end; never completes. Errors when the server cannot be reached, or denies it. What happens
 * later is no error: the tape keeps its lines until the server is back, and if it refuses them, the next `append` throws the reason.
 * Unsubscribing closes the connection, so wait for `settled$` after `close`.
 */
export const openNatsTape = (deps: NatsTapeDeps): Observable<TapeFile> =>
  defer(() => {
    let fail: ((error: unknown) => void) | undefined; // of the open tape: from then on an error ends the tape, not this stream
    return deps.link$.pipe(
      switchMap((link) =>
        ensureTapes(link).pipe(
          switchMap(() => lastOf(link, deps.name)),
          switchMap((last) => begin(link, deps, last)),
        ),
      ),
      switchMap((begun) => {
        const tape = natsTape(deps, begun);
        fail = tape.fail;
        return merge(tape.sending$, of(tape.file)); // sending comes first: the file may be written to at once
      }),
      catchError((error) => {
        if (fail === undefined) return throwError(() => error);
        fail(error);
        return NEVER;
      }),
    );
  });

const lastOf = (link: NatsLink, name: string): Observable<NatsStored | undefined> =>
  link.lastOf(tapesStream(link), tapeSubject(link, name)).pipe(
    tap((last) => {
      if (last !== undefined && !isWrite(last)) throw new NatsError('conflict', NOT_OURS);
    }),
  );

const NOT_OURS =
  'the last message of this tape was not written by a recorder: save the tape with codex-rx tapes cp, check who may write there, and name another tape';

/** A tape that its recorder may write to: `last` is its last message so far, `seq` the sequence of the empty write that proved it. */
type Begun = { link: NatsLink; last: NatsStored | undefined; seq: number };

/** Writes nothing, so that a server which refuses writes is an error at the start. */
const begin = (link: NatsLink, { name, recorder }: NatsTapeDeps, last: NatsStored | undefined): Observable<Begun> => {
  const { size } = endOfTape(last);
  const headers = toWriteHeaders({ at: size, bytes: new Uint8Array() }, size);
  const begun$ = appendToTape(link)({
    subject: tapeSubject(link, name),
    data: new Uint8Array(),
    headers,
    id: `${recorder}-begin`,
    expectSubjectSeq: last?.seq ?? 0,
  });
  return begun$.pipe(
    retryPassing(BEGIN_MS),
    map(({ seq }) => ({ link, last, seq })),
  );
};

/** The writes that are on their way. Variables instead of a scan: a recorder calls `append`, which returns or throws in the same instant. */
const natsTape = (deps: NatsTapeDeps, { link, last, seq }: Begun) => {
  const { name, recorder, maxWaitingBytes = MAX_WAITING_BYTES, settleMs = SETTLE_MS } = deps;
  const write$ = new Subject<TapeWrite>(); // from the recorder to the server
  const end$ = new ReplaySubject<string | undefined>(1); // from the sender to whoever waits for the close
  const unacked = unacknowledged(link.address, settleMs);
  let failure: string | undefined;
  const fail = (error: unknown) => {
    failure ??= reasonOf(error);
    end$.next(failure);
  };
  const add = (write: TapeWrite) => {
    if (unacked.bytes() > maxWaitingBytes) fail(unacked.tooMany());
    if (failure !== undefined) throw new Error(failure);
    unacked.add(write.bytes.length);
    write$.next(write);
  };
  const sending$ = write$.pipe(
    sendWrites({ link, name, recorder, lastSeq: seq, size: endOfTape(last).size, inDoubt: unacked.inDoubt }),
    tap({ next: unacked.acknowledge, error: fail, complete: () => end$.next(failure) }),
    ignoreElements(),
    catchError(() => NEVER), // `fail` has it
  );
  const settled$ = merge(end$, unacked.late$).pipe(take(1));
  return { file: { ...toFile(last, add), close: () => write$.complete(), settled$ }, sending$, fail };
};

const toFile = (
  last: NatsStored | undefined,
  add: (write: TapeWrite) => void,
): Omit<TapeFile, 'close' | 'settled$'> => {
  let { size } = endOfTape(last);
  const append = (bytes: Uint8Array) => {
    add({ at: size, bytes: new Uint8Array(bytes) }); // the recorder uses its buffer again
    size += bytes.length;
  };
  return {
    isFile: true,
    append,
    size: () => size,
    sync: () => {},
    endLine: () => endOfTape(last).isCutOff && append(Buffer.from('\n')),
    overwrite: (at, bytes) => add({ at, bytes }),
  };
};

const ensureTapes = (link: Pick<NatsLink, 'prefix' | 'ensureStream'>): Observable<unknown> =>
  makeStream(link)({ name: tapesStream(link), subject: tapesSubject(link), description: 'tapes of codex-rx' });

type Unacknowledged = {
  bytes: () => number;
  /** Counts bytes that are sent. */
  add: (bytes: number) => void;
  /** Counts bytes that have arrived. */
  acknowledge: (bytes: number) => void;
  /** Takes why the first of them are sent again. */
  inDoubt: (error: unknown) => void;
  /** The error of a recorder that waits no longer. */
  tooMany: () => Error;
  /** Emits the error when nothing was acknowledged for `settleMs` after its subscription; does not complete. */
  late$: Observable<string>;
};

/** Makes the counter. It counts in place, as every write is counted. */
export const unacknowledged = (address: string, settleMs: number): Unacknowledged => {
  const acknowledged$ = new Subject<void>(); // each restarts the time that a close waits
  let waiting = 0;
  let doubt = '';
  return {
    bytes: () => waiting,
    add: (bytes) => {
      waiting += bytes;
    },
    acknowledge: (bytes) => {
      waiting -= bytes;
      doubt = '';
      acknowledged$.next();
    },
    inDoubt: (error) => {
      doubt = `: ${reasonOf(error)}`;
    },
    tooMany: () => new Error(`${waiting} bytes wait for ${address}, which is away or too slow`),
    late$: acknowledged$.pipe(
      startWith(undefined),
      switchMap(() => timer(settleMs, inputFirst)),
      map(() => `${waiting} bytes were not acknowledged by ${address}${doubt}`),
    ),
  };
};
