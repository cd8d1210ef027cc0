/** Plays the client of a session against a server, and records the session between them. */

import { constants } from 'node:os';
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
  type Timestamp,
  take,
  takeUntil,
  timeout,
  timer,
  timestamp,
  toArray,
} from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Framing } from '../../streams/bytes/splitMessages';
import { connectPeers, type Traffic } from '../../streams/connectPeers';
import { ofKind } from '../../streams/ofKind';
import { toTimerMs } from '../../streams/time/wait';
import { INPUT_ENDED, type NumberedEntry, type RecordedLine, type Session } from '../format/tape';
import { framingOf, toRecorded } from '../format/withLength';
import { type PatienceOptions, replayClient } from '../replayClient/replayClient';
import type { SessionIndex } from '../session/sessionIndex';

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

/** What goes to a server. */
type Sent =
  | { kind: 'line'; line: string; status?: number }
  | { kind: 'end' }
  | { kind: 'signal'; signal: NodeJS.Signals };

type Stamped = Timestamp<Traffic<Sent, ServerEvent>>;

/** What passed until the server had ended. */
const beforeEnd = (traffic: readonly Stamped[]): Stamped['value'][] => {
  const ended = traffic.findIndex(({ value: { item } }) => item.kind === 'ended');
  return traffic.slice(0, ended === -1 ? undefined : ended).map(({ value }) => value);
};

/** Which side began the end of the session: the client, by a signal or by the end of its input, or the server. */
export const toEndedBy = (traffic: readonly Stamped[]): 'client' | 'server' =>
  beforeEnd(traffic).some(({ item: { kind } }) => kind === 'end' || kind === 'signal') ? 'client' : 'server';

/** The entries of a session; times count from the first of them. */
export const toEntries = (traffic: readonly Stamped[], framing: Framing): NumberedEntry[] => {
  const startMs = traffic[0]?.timestamp ?? 0;
  const [signal] = beforeEnd(traffic).flatMap(({ item }) => (item.kind === 'signal' ? [item.signal] : []));
  return traffic
    .flatMap(({ value, timestamp: atMs }) => {
      const recorded = toRecordedLine(value, { signal, framing });
      return recorded === undefined ? [] : [{ t: atMs - startMs, ...recorded }];
    })
    .map((entry, index) => ({ lineNumber: index + 2, entry }));
};

const toRecordedLine = (
  { from, item }: Traffic<Sent, ServerEvent>,
  { signal, framing }: { signal: NodeJS.Signals | undefined; framing: Framing },
): RecordedLine | undefined => {
  switch (item.kind) {
    case 'line':
      return {
        ...toRecorded(from === 'near' ? 'in' : 'out', item.line, framing),
        ...(item.status !== undefined && { status: item.status }),
      };
    case 'end':
      return { dir: 'note', line: INPUT_ENDED };
    case 'signal':
      return undefined;
    case 'log':
      return { dir: 'err', line: item.line };
    case 'ended':
      if (item.exitCode === undefined) return { dir: 'note', line: item.trouble };
      return { dir: 'exit', line: JSON.stringify(toExit(item.exitCode, item.signal ?? signal)) };
  }
};

/** Shells and this process's peers count an end by a signal as exit code 128 and the number of the signal. */
const toExit = (code: number, signal: NodeJS.Signals | undefined) =>
  signal !== undefined && code === 128 + constants.signals[signal] ? { code: null, sig: signal } : { code, sig: null };
