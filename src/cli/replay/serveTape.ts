/** `codex-rx replay FILE`: serves a tape on stdin and stdout, or over HTTP. */
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { concatMap, connect, filter, identity, map, merge, type Observable, share, takeUntil, takeWhile } from 'rxjs';
import { checkWhole, type LoadDeps, loadSessions } from '../../app/tapes/loadTape';
import { type HttpInput, type HttpOutput, listenHttp } from '../../io/http/listenHttp';
import { readHttpAddress, toHttpListen } from '../../io/mcpServer/httpAddress';
import { serveSessions } from '../../io/mcpServer/serveSessions';
import type { ListenAddress } from '../../io/sockets/listenUnix';
import { fromReadable } from '../../io/stdio/fromInput';
import { backpressureOf, writeLines } from '../../io/stdio/writeLines';
import { splitMessages, toFramed } from '../../streams/bytes/splitMessages';
import { connectPeers } from '../../streams/connectPeers';
import { ofKind } from '../../streams/ofKind';
import { type Faults, readFaults, serverLineName } from '../../tapes/faults/faults';
import { injectFaults } from '../../tapes/faults/injectFaults';
import { framingOf } from '../../tapes/format/tapeLines';
import { opensSession } from '../../tapes/matching/matchKey';
import type { PlaybackEvent, Remark } from '../../tapes/replayServer/playbackSession';
import { type ReplayOptions, replaySessions } from '../../tapes/replayServer/replayServer';
import type { SessionIndex } from '../../tapes/session/sessionIndex';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { openSteps, releaseBySteps } from '../../tapes/sessions/steps';
import { failAs, remarkAs, remarkInput } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';
import { tapeDeps } from '../tapeCommand';
import type { Replay } from './options';

const remark = remarkAs('replay');

/** Serves the tape to the client on stdin, and ends with it; over HTTP until a signal comes. Exit code 1 if a request was not recorded, and at a crash. */
export const serveTape = (given: Replay, choice: TapeChoice): void => {
  served(given, choice)
    .subscribe({
      next: ({ kind, text }) => {
        remark(text);
        if (kind === 'unrecorded' || kind === 'crash') process.exitCode = exitCode.failed;
      },
      error: failAs('replay'),
    })
    .add(() => process.exit());
};

const served = (given: Replay, choice: TapeChoice): Observable<Remark> => {
  const { stdout } = process;
  const { speed, loop, lenient, step, 'step-fd': fd, seed, http, 'allow-host': hosts } = given;
  const faults = readFaults(given.faults ?? '');
  const options: ReplayOptions = {
    speed: speed === undefined || speed === 'max' ? 'max' : Number(speed),
    repeat: loop ? 'again' : 'once',
    match: lenient ? 'nearest' : 'strict',
  };
  const deps = { ...tapeDeps('replay'), stop$: stopSignal().pipe(share()), remark, faults: faults && { faults, seed } };
  const address = readHttpAddress(http ?? '');
  if (address !== undefined)
    return startServingHttp({ ...deps, newKey: randomUUID }, choice, { ...options, address, hosts });
  remarkInput('replay', 'what a client sends');
  const step$ = step || fd !== undefined ? openSteps(fd) : undefined;
  return startServing({ ...deps, stdout, step$ }, choice, options);
};

type Injected = { faults: Faults; seed: number };

const withFaults = ({ faults, seed }: Injected) =>
  injectFaults<PlaybackEvent>(faults, seed, (event, number) =>
    serverLineName('line' in event ? event.line : '', number),
  );

type ServingDeps = LoadDeps & {
  /** The client. */
  stdin: Readable;
  stdout: Writable;
  /** Emits when the process is to end. */
  stop$: Observable<unknown>;
  /** Emits how many lines may leave. */
  step$?: Observable<number>;
  faults?: Injected;
};

/** Which tape, and how it is played. */
export type TapeChoice = { path: string; session?: number; allow: 'whole' | 'redacted' };

const loadIndexes = (deps: LoadDeps, { path, session, allow }: TapeChoice): Observable<SessionIndex[]> =>
  loadSessions(deps, { path, number: session }).pipe(
    map((sessions) => sessions.map((loaded) => toSessionIndex(checkWhole(loaded.session, allow)))),
  );

/** A language client ends its server by a message. Source: Language Server Protocol 3.17, exit. */
const isExit = (line: string): boolean => line.length < 80 && /"method": *"exit"/.test(line);

const MAX_QUEUE_BYTES = 262_144;

/** Serves a tape. Emits the remarks of the playback; completes once the input has ended and all lines are written. */
const startServing = (deps: ServingDeps, choice: TapeChoice, options: ReplayOptions): Observable<Remark> =>
  loadIndexes(deps, choice).pipe(
    concatMap((sessions) => {
      const toText = toFramed(sessions.some((one) => framingOf(one) === 'contentLength') ? 'contentLength' : 'lines');
      return fromReadable<Uint8Array>(deps.stdin, backpressureOf(deps.stdout, MAX_QUEUE_BYTES)).pipe(
        takeUntil(deps.stop$),
        splitMessages(),
        takeWhile((line) => !isExit(line), true),
        replaySessions(sessions, deps.faults ? { ...options, cancels: 'any' } : options),
        deps.faults ? withFaults(deps.faults) : identity,
        deps.step$ ? releaseBySteps(deps.step$.pipe(takeUntil(deps.stop$))) : identity,
        connect((event$) =>
          merge(
            event$.pipe(
              ofKind('line'),
              map(({ line }) => toText(line)),
              writeLines(deps.stdout),
            ),
            event$.pipe(filter((event): event is Remark => event.kind !== 'line')),
          ),
        ),
      );
    }),
  );

type HttpServingDeps = LoadDeps & {
  /** Emits when serving is to end. */
  stop$: Observable<unknown>;
  /** Makes ids of sessions. */
  newKey: () => string;
  faults?: Injected;
};

/** Where to listen, and under which names besides the names of this machine. */
type HttpServing = { address: ListenAddress; hosts: readonly string[] };

type Near = HttpOutput | Remark;

const isOutput = (item: Near): item is HttpOutput => ['head', 'text', 'end'].includes(item.kind);

/** Serves a tape until `stop$` emits, or faults cause a crash: a playback for each session. Emits remarks. Errors if it cannot listen. */
const startServingHttp = (
  deps: HttpServingDeps,
  choice: TapeChoice,
  { address, hosts, ...options }: HttpServing & ReplayOptions,
): Observable<Remark> =>
  loadIndexes(deps, choice).pipe(
    concatMap((sessions) => {
      const { faults, newKey, stop$ } = deps;
      const play = () => (line$: Observable<string>) =>
        line$.pipe(
          replaySessions(sessions, faults ? { ...options, cancels: 'any' } : options),
          faults ? withFaults(faults) : identity,
        );
      const serve = serveSessions<Remark>({ newKey, opens: opensSession(sessions), play });
      return connectPeers<Near, HttpInput>(
        (input$) => input$.pipe(takeUntil(stop$), serve),
        (near$) => near$.pipe(filter(isOutput), listenHttp(toHttpListen(address, hosts))),
      ).pipe(
        map(({ from, item }) => {
          if (from === 'far') remarkBound(deps, choice, item);
          return from === 'near' && !isOutput(item) ? item : undefined;
        }),
        filter((item): item is Remark => item !== undefined),
        takeWhile(({ kind }) => kind !== 'crash', true),
      );
    }),
  );

const remarkBound = ({ remark }: LoadDeps, { path }: TapeChoice, input: HttpInput): void => {
  if (input.kind === 'bound') remark(`serving ${path} at ${input.url}/mcp, and at ${input.url}/sse for older clients`);
};
