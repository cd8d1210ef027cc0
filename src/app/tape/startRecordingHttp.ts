/** Records a server behind a URL: relays HTTP between its clients and it, and writes a tape for each session. */
import { concatMap, defer, EMPTY, filter, groupBy, merge, mergeMap, type Observable, scan, takeUntil, tap } from 'rxjs';
import { assignSessions, NO_SESSIONS, readExchange, type SessionOutput, type SessionStep } from '../../mcpHttp';
import { closedBy, ofKind } from '../../streams';
import { INPUT_ENDED } from '../../tape';
import { type HttpRelayEvent, relayHttp } from '../../transport';
import type { ListenAddress } from '../exec/listenAddress';
import { makeNamedFolder } from '../files';
import { type CountedDeps, type CountedTape, countedTape } from './countedTape';
import { toHttpListen, toPublicUrl } from './httpAddress';
import { onDisk } from './openTapeFile';

/** `date` is now; `stop$` emits when recording is to end; `env` names proxies; `folder` is made where it is missing. */
export type HttpRecordingDeps = Omit<CountedDeps, 'started'> & {
  date: () => Date;
  stop$: Observable<unknown>;
  env: Readonly<Record<string, string | undefined>>;
  folder?: string;
};

/** `path` is that of the first tape; `hosts` are names that clients may address beside those of this machine. */
export type HttpRecording = { path: string; address: ListenAddress; hosts: readonly string[]; target: URL };

/**
 * Relays until `stop$` emits. Each session becomes a tape of its own, as sessions of several clients go on at the same time. Completes when all
 * tapes are on the disk; errors when it cannot listen, and when a tape cannot be opened. Emits nothing.
 */
export const startRecordingHttp = (deps: HttpRecordingDeps, recording: HttpRecording): Observable<never> =>
  defer(() => {
    const { path, address, hosts, target } = recording;
    if (deps.folder !== undefined) makeNamedFolder(deps.folder);
    const tapes = openTapes(deps, recording);
    return relayHttp({ ...toHttpListen(address, hosts), target, env: deps.env }).pipe(
      takeUntil(deps.stop$),
      tap((event) => {
        if (event.kind !== 'bound') return;
        deps.remark(
          `recording ${toPublicUrl(target)} to ${path}; the address for clients is ${event.url}${target.pathname}`,
        );
      }),
      filter((event): event is HttpRelayEvent => event.kind !== 'bound'),
      readSessions(target.pathname),
      concatMap(tapes.write),
      closedBy(tapes.close),
    );
  });

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

/** Opens a tape when its session begins, and closes it with the session, or at the end. */
const openTapes = (deps: HttpRecordingDeps, recording: HttpRecording) => {
  const open = new Map<number, CountedTape>(); // by session
  const over = new Set<number>(); // what comes behind the end of a session is of no tape
  const tapeOf = (session: number): CountedTape => {
    const tape = open.get(session) ?? openTape(deps, recording, session);
    open.set(session, tape);
    return tape;
  };
  const end = (session: number): Observable<never> => {
    const closed$ = open.get(session)?.close() ?? EMPTY;
    open.delete(session);
    over.add(session);
    return closed$;
  };
  return {
    write: (output: SessionOutput): Observable<never> => {
      if (output.kind === 'rejected') deps.remark(output.text);
      else if (over.has(output.session)) return EMPTY;
      else if (output.kind === 'line') tapeOf(output.session).tape(output.recorded);
      else return end(output.session);
      return EMPTY;
    },
    close: (): Observable<never> => merge(...[...open.values()].map(closeAtEnd)),
  };
};

const closeAtEnd = ({ tape, close }: CountedTape): Observable<never> => {
  tape({ dir: 'note', line: INPUT_ENDED });
  return close();
};

const openTape = (deps: HttpRecordingDeps, { path, target }: HttpRecording, session: number): CountedTape => {
  const file = onDisk(path, session);
  const opened = countedTape(
    { ...deps, started: deps.date() },
    { path: file.path, file },
    { command: [toPublicUrl(target)] },
  );
  deps.remark(`session ${session + 1} is recorded to ${file.path}`);
  return opened;
};
