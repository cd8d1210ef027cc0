/** Plays the client of a tape up to a line against a server, and hands that server over to a live client. */
import type { Readable } from 'node:stream';
import {
  concat,
  concatMap,
  connect,
  defer,
  endWith,
  filter,
  map,
  merge,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  take,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { checkWhole, type LoadDeps, loadSession } from '../../app/tapes/loadTape';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { fromReadable } from '../../io/stdio/fromInput';
import { noBackpressure } from '../../streams/backpressure';
import type { Framing } from '../../streams/bytes/splitMessages';
import { splitMessages, toFramed } from '../../streams/bytes/splitMessages';
import { connectPeers } from '../../streams/connectPeers';
import { ofKind } from '../../streams/ofKind';
import { compare, type LaneResult } from '../../tapes/diff/compare';
import { loadMasks } from '../../tapes/files/loadMasks';
import type { RecordedLine, Session } from '../../tapes/format/tape';
import { framingOf } from '../../tapes/format/withLength';
import type { MaskWords } from '../../tapes/matching/maskWords';
import type { Pace } from '../../tapes/replayClient/pauses';
import { replayClient } from '../../tapes/replayClient/replayClient';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { answerHandshake } from '../../tapes/sessions/answerHandshake';
import { type ForkItem, type ForkOutput, type ForkStep, forkLine, IDLE_FORK } from '../../tapes/sessions/forkLine';
import { untilEnded } from '../../tapes/sessions/playClientHalf';
import { sessionUpTo } from '../../tapes/sessions/sessionUpTo';
import { type ServerDeps, toServer } from '../../tapes/sessions/verifySession';
import type { TapeChoice } from './startServing';

/** The live client is on stdin; `stop$` emits when the process is to end. */
export type ForkDeps = LoadDeps & ServerDeps & { stdin: Readable; stop$: Observable<unknown> };

/** `at` is the line of the tape up to which the client is played; `onDifference` is what happens if the server answers differently. */
export type ForkOptions = {
  command: readonly string[];
  at: number;
  words: MaskWords;
  limitMs: number;
  pace: Pace;
  onDifference: 'stop' | 'continue';
};

const PATIENCE_MS = 1_000;
const START: ForkStep = { state: IDLE_FORK, output: [] };

/** Emits lines for the live client, remarks, and how the beginning compares; completes when the server has ended, or where it is not handed over. */
export const startForking = (deps: ForkDeps, choice: TapeChoice, options: ForkOptions): Observable<ForkOutput> =>
  loadSession(deps, choice.path, choice.session).pipe(
    concatMap((loaded) => {
      const session = sessionUpTo(checkWhole(loaded, choice.allow), options.at);
      const framing = framingOf(session);
      const masks = loadMasks(deps.remark, choice.path, options.words);
      const check = (now: Session): readonly LaneResult[] =>
        compare(toSessionIndex(session), toSessionIndex(now), masks);
      return connectPeers(playThenLive(deps, { session, check }, options), toFar(deps, options, framing)).pipe(
        scan(({ state }, traffic) => forkLine(state, traffic), START),
        concatMap(({ output }) => output),
        map((output) => (output.kind === 'line' ? { ...output, line: toFramed(framing)(output.line) } : output)),
        takeWhile((output) => output.kind !== 'compared' || output.handedOver, true),
        takeUntil(deps.stop$),
      );
    }),
  );

type Beginning = { session: Session; check: (now: Session) => readonly LaneResult[] };

const playThenLive =
  (deps: ForkDeps, { session, check }: Beginning, options: ForkOptions): OperatorFunction<ServerEvent, ForkItem> =>
  (event$) =>
    defer(() => {
      const { limitMs, pace } = options;
      const played: RecordedLine[] = []; // filled until the server is handed over
      const patience = { patienceMs: Math.min(PATIENCE_MS, limitMs), limitMs, pace };
      const keep = (event: ServerEvent) => event.kind === 'line' && played.push({ dir: 'out', line: event.line });
      const handOver = () => {
        const now = toSession(session, played);
        const results = check(now);
        const differs = results.some(({ difference }) => difference);
        if (differs && options.onDifference === 'stop') return of<ForkItem>({ kind: 'differs', results });
        return concat(of<ForkItem>({ kind: 'live', results, now }), liveItems(deps, now));
      };
      return concat(
        event$.pipe(
          tap(keep),
          ofKind('line'),
          map(({ line }) => line),
          replayClient(toSessionIndex(session), patience),
          tap((line) => played.push({ dir: 'in', line })),
          map((line): ForkItem => ({ kind: 'line', line })),
        ),
        defer(() => (played.some(({ dir }) => dir === 'out') ? of(undefined) : startOf(event$.pipe(tap(keep))))).pipe(
          concatMap(handOver),
        ),
      );
    });

/** Emits once the server is known to run: a program that cannot be started is reported within this turn of Node. */
const startOf = (event$: Observable<ServerEvent>): Observable<unknown> =>
  merge(event$, timer(0)).pipe(
    take(1),
    filter((event) => event === 0 || event.kind !== 'ended' || event.exitCode !== undefined),
  );

const END: ForkItem = { kind: 'end' };

const toSession = ({ meta }: Session, played: readonly RecordedLine[]): Session => ({
  meta,
  entries: played.map((line, i) => ({ lineNumber: i + 1, entry: { t: i, ...line } })),
});

/** What the live client sends; its handshake is answered here, as the server has had one. */
const liveItems = ({ stdin }: ForkDeps, now: Session): Observable<ForkItem> =>
  fromReadable<Uint8Array>(stdin, noBackpressure).pipe(splitMessages(), map(answerHandshake(now)), endWith(END));

const toFar =
  (deps: ForkDeps, { command }: ForkOptions, framing: Framing): OperatorFunction<ForkItem, ServerEvent> =>
  (item$) =>
    item$.pipe(
      connect((shared$) =>
        shared$.pipe(
          ofKind('line'),
          takeUntil(shared$.pipe(ofKind('end'))),
          map(({ line }) => line),
          toServer(deps, command, framing)(NEVER),
        ),
      ),
      untilEnded(),
    );
