/** Serves a tape over HTTP, to any number of clients. */
import { concatMap, filter, identity, map, type Observable, takeUntil, takeWhile } from 'rxjs';
import { checkWhole, type LoadDeps, loadSessions } from '../../app/tapes/loadTape';
import { type HttpInput, type HttpOutput, listenHttp } from '../../io/http/listenHttp';
import { toHttpListen } from '../../io/mcpServer/httpAddress';
import { serveSessions } from '../../io/mcpServer/serveSessions';
import type { ListenAddress } from '../../io/sockets/listenUnix';
import { connectPeers } from '../../streams/connectPeers';
import { opensSession } from '../../tapes/matching/opensSession';
import type { Faults } from '../../tapes/replayServer/faults';
import { injectFaults } from '../../tapes/replayServer/injectFaults';
import type { Remark } from '../../tapes/replayServer/playbackEvent';
import type { ReplayOptions } from '../../tapes/replayServer/replayServer';
import { replaySessions } from '../../tapes/replayServer/replaySessions';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import type { TapeChoice } from './startServing';

/** `stop$` emits when serving is to end; `newKey` makes ids of sessions; `faults` are done to the lines of each session. */
export type HttpServingDeps = LoadDeps & {
  stop$: Observable<unknown>;
  newKey: () => string;
  faults?: { faults: Faults; seed: number };
};

/** Where to listen, and under which names beside those of this machine. */
export type HttpServing = { address: ListenAddress; hosts: readonly string[] };

type Near = HttpOutput | Remark;

const isOutput = (item: Near): item is HttpOutput => ['head', 'text', 'end'].includes(item.kind);

/**
 * Serves a tape until `stop$` emits: each session of a client is a playback of its own. Emits the remarks of the playbacks; completes at the
 * end, and at a crash that faults bring about. Errors where it cannot listen.
 */
export const startServingHttp = (
  deps: HttpServingDeps,
  choice: TapeChoice,
  { address, hosts, ...options }: HttpServing & ReplayOptions,
): Observable<Remark> =>
  loadSessions(deps, choice.path, choice.session).pipe(
    map((sessions) => sessions.map((loaded) => toSessionIndex(checkWhole(loaded.session, choice.allow)))),
    concatMap((sessions) => {
      const { faults, newKey, stop$ } = deps;
      const play = () => (line$: Observable<string>) =>
        line$.pipe(
          replaySessions(sessions, faults ? { ...options, cancels: 'any' } : options),
          faults ? injectFaults(faults.faults, faults.seed) : identity,
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
