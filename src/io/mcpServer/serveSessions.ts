/** Serves recorded sessions over HTTP: one playback for each session of a client. */
import {
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  filter,
  groupBy,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  scan,
  takeWhile,
} from 'rxjs';
import { ofKind } from '../../streams/ofKind';
import type { HttpInput, HttpOutput } from '../http/listenHttp';
import { reduceStreams, type StreamInput } from './reduceStreams';
import { NO_STREAMS } from './responseStreams';
import { NO_ROUTES, type RouteDeps, type Routed, routeRequests, type SessionInput } from './routeRequests';
import type { SentLine, StreamStep } from './sendLine';

/** What playing a server emits besides lines: remarks for people, of any kind but `line`. */
export type Played<R> = ({ kind: 'line' } & SentLine) | R;

/** @param play takes the client's lines, emits the server's lines and remarks; called once per session */
export type ServeDeps<R> = RouteDeps & { play: () => OperatorFunction<string, Played<R>> };

/**
 * Serves both transports of MCP over HTTP. Emits parts of responses, and the remarks of the playbacks; completes when its source and all
 * playbacks have completed; errors with them.
 *   in   -r-----s--|    (r, s requests of two sessions)
 *   out  --hte---hte|   (h head, t text, e end)
 */
export const serveSessions =
  <R extends { kind: string }>(deps: ServeDeps<R>): OperatorFunction<HttpInput, HttpOutput | R> =>
  (input$) =>
    defer(() => {
      const route = routeRequests(deps);
      return input$.pipe(
        scan(({ state }, input) => route(state, input), { state: NO_ROUTES, output: [] as readonly Routed[] }),
        concatMap(({ output }) => output),
        connect((routed$) =>
          merge(
            routed$.pipe(filter((one): one is HttpOutput => one.kind !== 'session')),
            routed$.pipe(
              ofKind('session'),
              groupBy(({ session }) => session, { element: ({ input }) => input }),
              mergeMap((sessionInput$) => sessionInput$.pipe(playSession(deps.play))),
            ),
          ),
        ),
      );
    });

/** One session: its lines go to a playback, whose output goes out on the streams of its requests. */
const playSession =
  <R extends { kind: string }>(play: ServeDeps<R>['play']): OperatorFunction<SessionInput, HttpOutput | R> =>
  (input$) =>
    input$.pipe(
      connect((shared$) =>
        merge(
          shared$, // before the lines that a request brings about
          shared$.pipe(
            takeWhile(({ kind }) => kind !== 'over'),
            concatMap((input) => (input.kind === 'request' && input.line !== undefined ? [input.line] : [])),
            play(),
          ),
        ),
      ),
      scan<SessionInput | Played<R>, StreamStep & { remark?: R }>(step, { state: NO_STREAMS, output: [] }),
      concatMap(
        ({ output, remark }): Observable<HttpOutput | R> => concat(output, remark === undefined ? EMPTY : of(remark)),
      ),
    );

const STREAM_INPUTS = new Set<string>(['line', 'closed', 'over', 'request']);

const isStreamInput = (item: { kind: string }): item is StreamInput => STREAM_INPUTS.has(item.kind);

const step = <R extends { kind: string }>({ state }: StreamStep, item: SessionInput | Played<R>) => {
  if (isStreamInput(item)) return reduceStreams(state, item);
  return { state, output: [], remark: item as R };
};
