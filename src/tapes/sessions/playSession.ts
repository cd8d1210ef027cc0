/**
 * Plays the client of a recorded session against a server, and records the new session:
 *   1. `playClient` emits the recorded lines, each once what came before it has come again (`replayClient`), then what ends the server.
 *   2. `sendTo` gives these to the process of the server, and emits what the server does.
 *   3. `connectPeers` sends to each what the other emits, and emits both directions: the traffic.
 *   4. `toEntries` writes the traffic as entries of a tape. `verifySession` compares them with the recorded ones.
 */
import { constants } from 'node:os';
import {
  catchError,
  concat,
  connect,
  defer,
  delay,
  filter,
  type MonoTypeOperatorFunction,
  map,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  race,
  startWith,
  switchMap,
  type Timestamp,
  type TimestampProvider,
  take,
  takeUntil,
  throwError,
  timeout,
  timer,
  timestamp,
  toArray,
} from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Framing } from '../../streams/bytes/splitMessages';
import { connectPeers, type Traffic } from '../../streams/connectPeers';
import { byKind, ofKind } from '../../streams/ofKind';
import { inputFirst } from '../../streams/time/limits';
import { INPUT_ENDED, type NumberedEntry, type RecordedLine, type Session, SIGNAL_NOTE } from '../format/tape';
import { framingOf, toRecorded } from '../format/tapeLines';
import { type PatienceOptions, replayClient } from '../replayClient/replayClient';
import type { SessionIndex } from '../session/sessionIndex';

/** How much longer than the client's limit a server may be silent before it counts as hanging. */
const GRACE_MS = 5_000;
/** How long after the server's end other processes may keep its output open. */
const LINGER_MS = 1_000;

/** A server of lines; what `signal$` emits is sent to its process. */
export type SignalledServer = (signal$: Observable<NodeJS.Signals>) => OperatorFunction<string, ServerEvent>;

/** What a session is played against. */
type PlayDeps = {
  server: SignalledServer;
  patience: PatienceOptions;
  /** The first line of the new session. */
  meta: JsonObject;
  /** The times of its lines in ms; default the time of day, in whole ms. */
  clock?: TimestampProvider;
};

/** What ended a session: one of its sides, or the server sent more than is taken of it. */
export type EndedBy = 'client' | 'server' | 'flood';

/** A session that was played, and what began its end. */
export type PlayedSession = Session & { endedBy: EndedBy };

/** The server sent more than is taken of it. */
export class FloodError extends Error {
  override name = 'FloodError';
}

type Received = ServerEvent | { kind: 'flood' };

type Sent =
  | { kind: 'line'; line: string; status?: number }
  | { kind: 'end' }
  | { kind: 'signal'; signal: NodeJS.Signals };

/**
 * Plays until the server has ended, has been silent for too long, has sent too much, or has kept its client from going on for too long, whatever it sends.
 * Emits the new session and completes. Errors with the server, but not with its FloodError.
 *   client i---y---|
 *   server ---Q---T--|       (Q a request, T a result)
 *   out    ----------(s|)    (s the session)
 */
export const playSession = (
  { server, patience, meta, clock }: PlayDeps,
  index: SessionIndex,
): Observable<PlayedSession> =>
  connectPeers(playClient(index, patience), sendTo(server)).pipe(
    timeout({ each: patience.limitMs + GRACE_MS, scheduler: inputFirst, with: () => [] }),
    untilStalled(patience.limitMs + GRACE_MS, durationOf(index)),
    catchError((error: unknown) =>
      error instanceof FloodError ? of<Exchanged>({ from: 'far', item: { kind: 'flood' } }) : throwError(() => error),
    ),
    timestamp(clock),
    toArray(),
    map((traffic) => {
      const endedBy = toEndedBy(traffic);
      const kept = endedBy === 'flood' ? withoutFlood(traffic) : traffic;
      return { meta, entries: toEntries(kept, framingOf(index)), endedBy };
    }),
  );

type Exchanged = Traffic<Sent, Received>;

const durationOf = ({ entries }: SessionIndex): number => entries.at(-1)?.entry.t ?? 0;

/** A server that sends something again and again is never silent: after so many times the time of a silence, its client gives up. */
const STALLED_TIMES = 10;

/** Completes once the client has sent nothing for too long. Once it has ended the input, the server has the time of one silence to end. */
const untilStalled = (silenceMs: number, recordedMs: number): MonoTypeOperatorFunction<Exchanged> =>
  connect((traffic$: Observable<Exchanged>) =>
    traffic$.pipe(
      takeUntil(
        traffic$.pipe(
          filter(({ from }) => from === 'near'),
          switchMap(({ item: { kind } }) =>
            timer((kind === 'line' ? STALLED_TIMES : 1) * silenceMs + recordedMs, inputFirst),
          ),
        ),
      ),
    ),
  );

const playClient = (index: SessionIndex, patience: PatienceOptions): OperatorFunction<ServerEvent, Sent> =>
  connect((event$: Observable<ServerEvent>) =>
    concat(
      event$.pipe(
        ofKind('line'),
        map(({ line }) => line),
        replayClient(index, patience),
        map((line): Sent => ({ kind: 'line', line })),
      ),
      defer(() => endServer(index, patience, event$)),
    ),
  );

/** The server: lines, the end of its input and signals are three inputs of a process. */
const sendTo = (server: SignalledServer): OperatorFunction<Sent, ServerEvent> =>
  connect((sent$: Observable<Sent>) => {
    const [line$, end$, signal$] = byKind(sent$, 'line', 'end', 'signal');
    return line$.pipe(
      map(({ line }) => line),
      takeUntil(end$),
      server(signal$.pipe(map(({ signal }) => signal))),
      untilEnded(),
    );
  });

/** Completes soon after the server has ended, even if other processes keep its output open. */
export const untilEnded = (): MonoTypeOperatorFunction<ServerEvent> =>
  connect((event$: Observable<ServerEvent>) =>
    event$.pipe(takeUntil(event$.pipe(ofKind('ended'), delay(LINGER_MS, inputFirst)))),
  );

/** How long a client of MCP waits after the end of the input until it sends SIGTERM. Source: the SDKs for TypeScript and Python. */
const LEAVING_MS = 2_000;

/**
 * Ends the server as on the tape: by the signal that ended it, else by the signal of the client; if its end is not on the tape, as clients do.
 * After a signal it does not complete, so that the input stays open.
 */
const endServer = (
  { entries, exit, signalled, inputEnded }: Pick<SessionIndex, 'entries' | 'exit' | 'signalled' | 'inputEnded'>,
  { patienceMs, limitMs }: PatienceOptions,
  event$: Observable<ServerEvent>,
): Observable<Sent> => {
  const end: Sent = { kind: 'end' };
  const last = exit?.signal == null ? signalled : exit;
  if (last === undefined && exit !== undefined) return of(end);
  const signal = (last?.signal ?? 'SIGTERM') as NodeJS.Signals;
  const signal$ = concat(of<Sent>({ kind: 'signal', signal }), NEVER);
  if (last !== undefined && (inputEnded ?? Number.POSITIVE_INFINITY) > last.entry) return signal$;
  const timeOf = (entry = 0): number => entries[entry]?.entry.t ?? 0;
  const waitMs = Math.max(patienceMs, last === undefined ? LEAVING_MS : timeOf(last.entry) - timeOf(inputEnded));
  const silence$ = event$.pipe(
    startWith(undefined),
    switchMap(() => timer(waitMs, inputFirst)),
    take(1),
  );
  const latest$ = timer(waitMs + limitMs, inputFirst); // some servers are never silent
  return concat(of(end), race(silence$, latest$).pipe(switchMap(() => signal$)));
};

type Stamped = Timestamp<Exchanged>;

const beforeEnd = (traffic: readonly Stamped[]): Stamped['value'][] => {
  const ended = traffic.findIndex(({ value: { item } }) => item.kind === 'ended');
  return traffic.slice(0, ended === -1 ? undefined : ended).map(({ value }) => value);
};

/** What began the end of the session: the client, by a signal or by the end of its input, the server, or too much of its output. */
export const toEndedBy = (traffic: readonly Stamped[]): EndedBy => {
  if (traffic.at(-1)?.value.item.kind === 'flood') return 'flood';
  return beforeEnd(traffic).some(({ item: { kind } }) => kind === 'end' || kind === 'signal') ? 'client' : 'server';
};

/** How many messages of a flood are kept. */
const MAX_FLOOD = 1_000;

const withoutFlood = (traffic: readonly Stamped[]): Stamped[] =>
  traffic.slice(0, traffic.findLastIndex(({ value: { from } }) => from === 'near') + MAX_FLOOD);

/** The entries of a session; times count from the first of them. */
export const toEntries = (traffic: readonly Stamped[], framing: Framing): NumberedEntry[] => {
  const startMs = traffic[0]?.timestamp ?? 0;
  const open = beforeEnd(traffic);
  const [signal] = open.flatMap(({ item }) => (item.kind === 'signal' ? [item.signal] : []));
  const isLate = (value: Exchanged): boolean => value.item.kind === 'signal' && !open.includes(value);
  return traffic
    .flatMap(({ value, timestamp: atMs }) => {
      const recorded = isLate(value) ? undefined : toRecordedLine(value, { signal, framing });
      return recorded === undefined ? [] : [{ t: atMs - startMs, ...recorded }];
    })
    .map((entry, index) => ({ lineNumber: index + 2, entry }));
};

const toRecordedLine = (
  { from, item }: Exchanged,
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
      return { dir: 'note', line: SIGNAL_NOTE + item.signal };
    case 'flood':
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
