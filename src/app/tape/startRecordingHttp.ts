/** Records a server behind a URL: relays HTTP between its clients and it, and writes a tape for each session. */
import {
  concatMap,
  defer,
  filter,
  finalize,
  groupBy,
  ignoreElements,
  mergeMap,
  type Observable,
  scan,
  takeUntil,
  tap,
} from 'rxjs';
import { assignSessions, NO_SESSIONS, readExchange, type SessionOutput, type SessionStep } from '../../mcpHttp';
import { ofKind } from '../../streams';
import { INPUT_ENDED, type Tape } from '../../tape';
import { type HttpRelayEvent, relayHttp } from '../../transport';
import type { ListenAddress } from '../exec/listenAddress';
import { makeNamedFolder } from '../files';
import { type CountedDeps, countedTape } from './countedTape';
import { toHttpListen, toPublicUrl } from './httpAddress';
import { sessionPath } from './sessionPath';

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
      tap(tapes.write),
      ignoreElements(),
      finalize(tapes.close),
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

type OpenTape = { tape: Tape; close: () => void };

/** Opens a tape when its session begins, and closes it with the session, or at the end. */
const openTapes = (deps: HttpRecordingDeps, recording: HttpRecording) => {
  const open = new Map<number, OpenTape>(); // by session
  const over = new Set<number>(); // what comes behind the end of a session is of no tape
  const tapeOf = (session: number): OpenTape => {
    const tape = open.get(session) ?? openTape(deps, recording, session);
    open.set(session, tape);
    return tape;
  };
  const end = (session: number): void => {
    open.get(session)?.close();
    open.delete(session);
    over.add(session);
  };
  return {
    write: (output: SessionOutput): void => {
      if (output.kind === 'rejected') deps.remark(output.text);
      else if (over.has(output.session)) return;
      else if (output.kind === 'line') tapeOf(output.session).tape(output.recorded);
      else end(output.session);
    },
    close: (): void => {
      for (const { tape, close } of open.values()) {
        tape({ dir: 'note', line: INPUT_ENDED });
        close();
      }
    },
  };
};

const openTape = (deps: HttpRecordingDeps, { path, target }: HttpRecording, session: number): OpenTape => {
  const own = sessionPath(path, session);
  const opened = countedTape({ ...deps, started: deps.date() }, own, { command: [toPublicUrl(target)] });
  deps.remark(`session ${session + 1} is recorded to ${own}`);
  return opened;
};
