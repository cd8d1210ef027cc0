/** Records a server behind a URL: relays HTTP between its clients and it, and writes a tape for each session. */
import {
  concat,
  concatMap,
  defer,
  filter,
  groupBy,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';
import { type OpenTapeFile, openTapeFile, type TapeFileDeps } from '../../app/tapes/openTapeFile';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { type HttpRelayEvent, relayHttp } from '../../io/http/relayHttp';
import { toHttpListen, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { isNatsAddress } from '../../io/nats/natsAddress';
import type { ListenAddress } from '../../io/sockets/listenUnix';
import { ofKind } from '../../streams/ofKind';
import { withResource } from '../../streams/withResource';
import { type CountedDeps, countedTape } from '../../tapes/files/countedTape';
import { writeSession } from '../../tapes/files/writeSession';
import { INPUT_ENDED, type RecordedLine } from '../../tapes/format/tape';
import { assignSessions } from '../../tapes/http/assignSessions';
import { NO_SESSIONS } from '../../tapes/http/httpSessions';
import { readExchange } from '../../tapes/http/readExchange';
import type { SessionOutput, SessionStep } from '../../tapes/http/sessionOutput';

/** `date` is now; `stop$` emits when recording is to end; `env` names proxies; `folder` is made where it is missing. */
export type HttpRecordingDeps = Omit<CountedDeps, 'started'> &
  TapeFileDeps & {
    date: () => Date;
    stop$: Observable<unknown>;
    env: Readonly<Record<string, string | undefined>>;
    folder?: string;
  };

/** `path` is that of the first tape; `hosts` are names that clients may address beside those of this machine. */
export type HttpRecording = { path: string; address: ListenAddress; hosts: readonly string[]; target: URL };

/**
 * Relays until `stop$` emits. Each session becomes a tape of its own, as sessions of several clients go on at the same time. Completes when all
 * tapes are where they belong; errors when it cannot listen, and when a tape cannot be opened. Emits nothing.
 */
export const startRecordingHttp = (deps: HttpRecordingDeps, recording: HttpRecording): Observable<never> =>
  defer(() => {
    const { path, address, hosts, target } = recording;
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    const relayed$ = relayHttp({ ...toHttpListen(address, hosts), target, env: deps.env }).pipe(
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

/** The lines of sessions in relayed requests. */
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

/** The lines up to the end of a session; one that the recorder ends gets the note of it. */
const linesOfSession = (): OperatorFunction<SessionOutput, RecordedLine> => (output$) =>
  concat(output$, of(INPUT_OVER)).pipe(
    takeWhile(({ kind }) => kind !== 'over'),
    ofKind('line'),
    map(({ recorded }) => recorded),
  );

const INPUT_OVER: SessionOutput = { kind: 'line', session: 0, recorded: { dir: 'note', line: INPUT_ENDED } };

/** Opens the file of a session. */
type OpenFile = (session: number) => Observable<OpenTapeFile>;

const openTape = (deps: HttpRecordingDeps, { target, open }: HttpRecording & { open: OpenFile }, session: number) =>
  defer(() => {
    const started = deps.date();
    const command = [toPublicUrl(target)];
    return open(session).pipe(
      tap((file) => deps.remark(`session ${session + 1} is recorded to ${file.path}`)),
      map((file) => countedTape({ ...deps, started }, { path: file.path, file }, { command })),
    );
  });
