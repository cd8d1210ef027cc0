/** Plays the client of a session against a server, and records the session between them. */
import {
  concat,
  connect,
  defer,
  delay,
  type MonoTypeOperatorFunction,
  map,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  startWith,
  switchMap,
  take,
  takeUntil,
  timeout,
  timer,
  timestamp,
  toArray,
} from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { connectPeers } from '../../streams/connectPeers';
import { ofKind } from '../../streams/ofKind';
import { toTimerMs } from '../../streams/time/timerMs';
import type { Session } from '../format/tape';
import { framingOf } from '../format/withLength';
import { type PatienceOptions, replayClient } from '../replayClient/replayClient';
import type { SessionIndex } from '../session/sessionIndex';
import { type Sent, toEndedBy, toEntries } from './toPlayedEntries';

/** How much longer than the client's limit a server may be silent before it counts as hanging. */
const GRACE_MS = 5_000;
/** How long after the server's end other processes may keep its output open. */
const LINGER_MS = 1_000;

/** A server of lines that gets signals too. */
export type SignalledServer = (signal$: Observable<NodeJS.Signals>) => OperatorFunction<string, ServerEvent>;

/** `server` is the process; `meta` is that of the new session. */
export type PlayDeps = {
  server: SignalledServer;
  patience: PatienceOptions;
  meta: JsonObject;
};

/** A session that was played, and which side began its end. */
export type PlayedSession = Session & { endedBy: 'client' | 'server' };

/**
 * Plays until the server has ended, or has been silent for too long. A server that a signal ended on the tape gets that signal
 * again. Emits the new session, with `meta`, and completes.
 *   client i---y---|
 *   server ---Q---T--|     (Q a request, T a result)
 *   out    ----------(s|)    (s the session)
 */
export const playClientHalf = ({ server, patience, meta }: PlayDeps, index: SessionIndex): Observable<PlayedSession> =>
  connectPeers(playing(index, patience), signalled(server)).pipe(
    timeout({ each: patience.limitMs + GRACE_MS, with: () => [] }),
    timestamp(),
    toArray(),
    map((traffic) => ({ meta, entries: toEntries(traffic, framingOf(index)), endedBy: toEndedBy(traffic) })),
  );

/** The client of the session, and what it does at its end. */
const playing =
  (index: SessionIndex, patience: PatienceOptions): OperatorFunction<ServerEvent, Sent> =>
  (event$) =>
    event$.pipe(
      connect((shared$) =>
        concat(
          shared$.pipe(
            ofKind('line'),
            map(({ line }) => line),
            replayClient(index, patience),
            map((line): Sent => ({ kind: 'line', line })),
          ),
          defer(() => endingOf(index, patience, shared$)),
        ),
      ),
    );

/** The server as what lines, the end of input and signals go to. */
const signalled =
  (server: SignalledServer): OperatorFunction<Sent, ServerEvent> =>
  (sent$) =>
    sent$.pipe(
      connect((shared$) =>
        shared$.pipe(
          ofKind('line'),
          map(({ line }) => line),
          takeUntil(shared$.pipe(ofKind('end'))),
          server(
            shared$.pipe(
              ofKind('signal'),
              map(({ signal }) => signal),
            ),
          ),
        ),
      ),
      untilEnded(),
    );

type Ending = Pick<SessionIndex, 'entries' | 'exit' | 'inputEnded'>;

/** What ends the server: the end of its input, the signal that ended it on the tape, or one after the other. */
const endingOf = (
  { entries, exit, inputEnded }: Ending,
  { patienceMs }: PatienceOptions,
  event$: Observable<ServerEvent>,
): Observable<Sent> => {
  const end: Sent = { kind: 'end' };
  if (exit?.signal == null) return of(end);
  const signal$ = concat(of<Sent>({ kind: 'signal', signal: exit.signal as NodeJS.Signals }), NEVER);
  if (inputEnded === undefined || inputEnded > exit.entry) return signal$;
  const timeOf = (entry: number): number => entries[entry]?.entry.t ?? 0;
  const waitMs = Math.max(patienceMs, timeOf(exit.entry) - timeOf(inputEnded));
  const silence$ = event$.pipe(
    startWith(undefined),
    switchMap(() => timer(toTimerMs(waitMs))),
    take(1),
  );
  return concat(of(end), silence$.pipe(switchMap(() => signal$)));
};

/** Completes soon after the server has ended, even where other processes keep its output open. */
export const untilEnded = (): MonoTypeOperatorFunction<ServerEvent> => (event$) =>
  event$.pipe(connect((shared$) => shared$.pipe(takeUntil(shared$.pipe(ofKind('ended'), delay(LINGER_MS))))));
