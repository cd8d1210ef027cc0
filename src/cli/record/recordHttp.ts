/** `codex-rx record --http`: records a server behind a URL. */
import {
  concat,
  concatMap,
  defer,
  filter,
  groupBy,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  shareReplay,
  take,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';
import { type OpenTapeFile, openTapeFile, type TapeFileDeps } from '../../app/tapes/openTapeFile';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { type HttpRelayEvent, relayHttp } from '../../io/http/relayHttp';
import { readHttpAddress, toHttpListen, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { isNatsAddress } from '../../io/nats/natsAddress';
import type { ListenAddress } from '../../io/sockets/listenUnix';
import { closedBy } from '../../streams/ends';
import { ofKind } from '../../streams/ofKind';
import { withResource } from '../../streams/withResource';
import { faultRow, readFaults } from '../../tapes/faults/faults';
import { faultyBody } from '../../tapes/faults/faultyBody';
import { type CountedDeps, type CountedTape, countedTape } from '../../tapes/files/countedTape';
import { INPUT_ENDED, type RecordedLine } from '../../tapes/format/tape';
import { assignSessions, NO_SESSIONS, type SessionOutput, type SessionStep } from '../../tapes/http/assignSessions';
import { readExchange } from '../../tapes/http/readExchange';
import { remarkAs } from '../ending';
import { exitCode } from '../exitCode';
import { stopSignal } from '../signals';

/** What of the command line counts. */
type RecordHttp = {
  http: string;
  'allow-host': readonly string[];
  command: readonly string[];
  /** Path of the first tape. */
  path: string;
};

/** Records until a signal comes. Exit code 2 if it cannot listen, or a tape cannot be written. */
export const recordHttp = (recording: Omit<HttpRecordingDeps, 'date' | 'stop$' | 'env'>, given: RecordHttp): void => {
  const { http, 'allow-host': hosts, command, path } = given;
  const address = readHttpAddress(http);
  if (address === undefined) return;
  const deps = { ...recording, date: () => new Date(), stop$: stopSignal(), env: process.env };
  startRecordingHttp(deps, { path, address, hosts, target: new URL(command[0] as string) })
    .subscribe({
      error: ({ message }: Error) => {
        remarkAs('record')(`it cannot be recorded: ${message}`);
        process.exitCode = exitCode.unusable;
      },
    })
    .add(() => process.exit());
};

type HttpRecordingDeps = Omit<CountedDeps, 'started'> &
  TapeFileDeps & {
    date: () => Date;
    /** Emits when recording is to end. */
    stop$: Observable<unknown>;
    /** Names proxies. */
    env: Readonly<Record<string, string | undefined>>;
    /** Made if it is missing. */
    folder?: string;
    /** What happens to the messages of the server. */
    faults?: { server?: string; seed: number };
  };

type HttpRecording = {
  /** Path of the first tape. */
  path: string;
  address: ListenAddress;
  /** Names that clients may address, besides the names of this machine. */
  hosts: readonly string[];
  target: URL;
};

/**
 * Relays until `stop$` emits. Each session becomes a tape of its own, as sessions of several clients go on at the same time. Completes when all
 * tapes are where they belong; errors when it cannot listen, and when a tape cannot be opened. Emits nothing.
 */
const startRecordingHttp = (deps: HttpRecordingDeps, recording: HttpRecording): Observable<never> =>
  defer(() => {
    const { path, address, hosts, target } = recording;
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    const join = deps.faults && bodyJoin(deps.faults, deps.remark);
    const relayed$ = relayHttp({ ...toHttpListen(address, hosts), target, env: deps.env, join }).pipe(
      takeUntil(deps.stop$),
      tap((event) => {
        if (event.kind !== 'bound') return;
        deps.remark(
          `recording ${toPublicUrl(target)} to ${path}; the address for clients is ${event.url}${target.pathname}`,
        );
      }),
      filter((event): event is HttpRelayEvent => event.kind !== 'bound'),
      readSessions(target.pathname),
    );
    return filesAt(deps, path).pipe(withResource((open) => relayed$.pipe(writeSessions(deps, recording, open))));
  });

/** One row of faults for the messages of all responses. */
const bodyJoin = ({ server = '', seed }: { server?: string; seed: number }, remark: (text: string) => void) => {
  const faults = readFaults(server);
  return faults && faultyBody({ next: faultRow(faults, seed), remark });
};

/** Emits what opens the files. NATS is connected to first, so that an unreachable server is an error before any client comes. */
const filesAt = ({ nats }: HttpRecordingDeps, path: string): Observable<OpenFile> =>
  isNatsAddress(path)
    ? nats(path).pipe(
        map(
          (link): OpenFile =>
            (session) =>
              openTapeFile({ nats: () => of(link) }, path, session),
        ),
      )
    : of((session) => openTapeFile({ nats }, path, session));

const readSessions = (mcpPath: string) => (event$: Observable<HttpRelayEvent>) =>
  defer(() => {
    const assign = assignSessions(mcpPath);
    return event$.pipe(
      groupBy(({ id }) => id, { duration: (exchange$) => exchange$.pipe(ofKind('closed')) }),
      mergeMap((exchange$) => exchange$.pipe(readExchange(exchange$.key))),
      scan(({ state }, event) => assign(state, event), { state: NO_SESSIONS, output: [] } as SessionStep),
      concatMap(({ output }) => output),
    );
  });

/** Writes each session to a tape of its own, until it is over or the source completes; what comes after the end of a session is of no tape. */
const writeSessions =
  (deps: HttpRecordingDeps, recording: HttpRecording, open: OpenFile): OperatorFunction<SessionOutput, never> =>
  (output$) =>
    output$.pipe(
      groupBy((output) => (output.kind === 'rejected' ? -1 : output.session)),
      mergeMap((session$) =>
        session$.key < 0
          ? session$.pipe(
              ofKind('rejected'),
              tap(({ text }) => deps.remark(text)),
              ignoreElements(),
            )
          : session$.pipe(linesOfSession(), writeSession(openTape(deps, { ...recording, open }, session$.key))),
      ),
    );

/** The lines up to the end of a session. If the recorder ends it, a note says so. */
const linesOfSession = (): OperatorFunction<SessionOutput, RecordedLine> => (output$) =>
  concat(output$, of(INPUT_OVER)).pipe(
    takeWhile(({ kind }) => kind !== 'over'),
    ofKind('line'),
    map(({ recorded }) => recorded),
  );

const INPUT_OVER: SessionOutput = { kind: 'line', session: 0, recorded: { dir: 'note', line: INPUT_ENDED } };

type OpenFile = (session: number) => Observable<OpenTapeFile>;

const openTape = (deps: HttpRecordingDeps, { target, open }: HttpRecording & { open: OpenFile }, session: number) =>
  defer(() => {
    const started = deps.date();
    const command = [toPublicUrl(target)];
    const { faults } = deps;
    return open(session).pipe(
      tap((file) => deps.remark(`session ${session + 1} is recorded to ${file.path}`)),
      map((file) =>
        countedTape({ ...deps, started }, { path: file.path, file }, { command, ...(faults && { faults }) }),
      ),
    );
  });

/**
 * Opens the tape at once. Lines that come before that wait for it. Completes when the source has completed and the tape is closed, and
 * unsubscribes from `tape$` only then. Errors with either, and emits nothing.
 *   tape$   ---t------
 *   source  a-b--c-|
 *   tape       (ab)
 *              --c
 *   close          --|
 *   out     ---------|
 */
export const writeSession =
  (tape$: Observable<CountedTape>): OperatorFunction<RecordedLine, never> =>
  (line$) =>
    defer(() => {
      const open$ = tape$.pipe(shareReplay({ bufferSize: 1, refCount: true }));
      const written$ = line$.pipe(
        concatMap((line) =>
          open$.pipe(
            take(1),
            tap(({ tape }) => tape(line)),
            ignoreElements(),
          ),
        ),
        closedBy(() =>
          open$.pipe(
            take(1),
            concatMap(({ close }) => close()),
          ),
        ),
      );
      return merge(open$.pipe(map(() => 'open')), concat(written$, of('closed')));
    }).pipe(
      takeWhile((state) => state !== 'closed'),
      ignoreElements(),
    );
