/** The whole MCP server as one operator, from lines to lines. */
import {
  concat,
  connect,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  share,
  take,
  takeUntil,
  takeWhile,
} from 'rxjs';
import { decodeInTurns } from '../../protocol/jsonrpc/decodeMessage';
import { encodeMessage } from '../../protocol/jsonrpc/encodeMessage';
import type { Message, Notification, Outgoing, Request } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { failureOutcome } from '../../protocol/rpc/failureOutcome';
import { type Method, methodTable, router, serve } from '../../protocol/rpc/router';
import { lazy } from '../../streams/lazy';
import { ofKind } from '../../streams/ofKind';
import { toTimerMs } from '../../streams/time/wait';
import { codexRoom } from './connectionReducer';
import { gatherBatches } from './gatherBatches';
import { type ListenDeps, listen } from './listen';
import type { McpDeps } from './mcpDeps';
import { type LibraryDeps, laterLibraryMethods } from './methods/libraryMethods';
import type { Command } from './methods/method';
import { serveCalls, steadyTimer } from './serveCalls';
import { toCommands } from './toCommands';
import { holdRequests, withClient } from './withClient';

/** Loaded by the first call of a tool, as it needs zod. */
const addedTools = lazy(() => require('./methods/addedTools') as typeof import('./methods/addedTools'));

const INPUT_ENDED = 'The turn was stopped: the input of the server ended.';

/**
 * An MCP server of all revisions, from lines to lines. Deltas that came together are one text, with newlines between. Every request is answered
 * exactly once, unless its client cancels it. When the source completes or `stop$` emits, open requests are answered and all turns are stopped.
 * Never errors because of what a client sends.
 *   in  i--t--------y-----|    (i initialize, t tools/call, y the person's yes)
 *   out I---e--e-Q----e-eT|    (e codex/event, Q elicitation/create, T the result)
 */
export const mcpServer =
  (deps: McpDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(decodeInTurns(deps.face.decode), converse(deps), gatherBatches(), map(encodeMessage));

const converse =
  (deps: McpDeps): OperatorFunction<Message, Outgoing> =>
  (message$) => {
    const end$ = deps.stop$.pipe(take(1), map(toEnd), share()); // reaches the commands first, then stops their source
    return message$.pipe(
      withClient(),
      connect((incoming$) =>
        incoming$.pipe(
          toCommands(deps),
          takeUntil(end$),
          serveCommands(deps, end$),
          holdRequests({ incoming$, after: steadyTimer(deps) }),
        ),
      ),
    );
  };

const serveCommands = (deps: McpDeps, end$: Observable<Command>): OperatorFunction<Command, Outgoing> =>
  connect((command$) =>
    merge(
      command$.pipe(ofKind('response')),
      command$.pipe(
        filter(({ kind }) => kind !== 'response'),
        endCommands(deps, end$),
        connect((rest$) => merge(serveCalls(deps, rest$), rest$.pipe(serveLater(deps)), rest$.pipe(serveCodex(deps)))),
      ),
    ),
  );

/**
 * The commands until the end of input or a stop, whichever comes first, and then the command `end` with the cause. If tasks outlive the input, open
 * ones go on: `leave` comes first, and `end` once they have ended, or their time is over.
 */
const endCommands =
  (deps: McpDeps, end$: Observable<Command>): MonoTypeOperatorFunction<Command> =>
  (command$) =>
    merge(end$, concat(command$, leave(deps), of(toEnd(INPUT_ENDED)))).pipe(
      takeWhile(({ kind }) => kind !== 'end', true),
    );

const leave = ({ tasks, after }: McpDeps): Observable<Command> =>
  defer(() => {
    const { outliveMs = 0, store } = tasks ?? {};
    if (outliveMs === 0 || store === undefined) return EMPTY;
    const over$ = merge(store().idle$, after(toTimerMs(outliveMs))).pipe(take(1), ignoreElements());
    return concat(of<Command>({ kind: 'leave', cause: INPUT_ENDED }), over$);
  });

const toEnd = (cause: string): Command => ({ kind: 'end', cause });

/**
 * Answers each request once, when its method is done; a cancelled one not at all.
 *   in   l----x    in   l----z      (l subscriptions/listen, x cancel, z end)
 *   out  A-----    out  A----(R|)   (A acknowledged, R the response)
 */
export const serveLater =
  ({ log, codexHost, ...deps }: Omit<ListenDeps, 'end$'> & LibraryDeps & Pick<McpDeps, 'log' | 'codexHost'>) =>
  (command$: Observable<Command>): Observable<Outgoing> => {
    const end$ = command$.pipe(filter(({ kind }) => kind === 'end' || kind === 'leave'));
    const cancelled$ = command$.pipe(
      ofKind('cancel'),
      map(({ requestId }) => requestId),
    );
    const methodOf = methodTable<Method<Request, Notification>>({
      'subscriptions/listen': listen({ ...deps, end$ }),
      'tools/call': (request) => addedTools().listThreads({ face: deps.face, codexHost })(request),
      ...laterLibraryMethods(deps),
    });
    return command$.pipe(
      ofKind('later'),
      map(({ request }) => request),
      serve({ route: router({ methodOf, log }), cancelled$ }),
    );
  };

/**
 * Serves the Codex methods that answer when they are done.
 *   in   m----z      (m a request, z end)
 *   out  ---R--|     (R the response)
 */
export const serveCodex =
  ({
    codexHost,
    log,
    face: { extended },
    newCallId: newId,
  }: Pick<McpDeps, 'codexHost' | 'log' | 'face' | 'newCallId'>) =>
  (command$: Observable<Command>): Observable<Outgoing> =>
    command$.pipe(
      connect((shared$) => {
        const request$ = shared$.pipe(
          ofKind('codex'),
          map(({ request }) => request),
        );
        const cancelled$ = shared$.pipe(
          ofKind('cancel'),
          map(({ requestId }) => requestId),
        );
        const end$ = shared$.pipe(ofKind('end'));
        const deps = { host: codexHost, log, newId, extended, cancelled$, end$ };
        const methods = () => loaded(log, () => codexRoom().codexMethods(deps));
        return request$.pipe(
          connect((request$) =>
            request$.pipe(
              take(1),
              mergeMap((first) => concat(of(first), request$).pipe(methods())),
            ),
          ),
        );
      }),
    );

type Methods = OperatorFunction<Request, Outgoing>;

/** If the methods cannot be loaded, each request gets the same error. */
const loaded = (log: Log, load: () => Methods): Methods => {
  try {
    return load();
  } catch (error) {
    const outcome = failureOutcome({ log })(error);
    return map(({ id, batch }) => ({ kind: 'response', id, batch, ...outcome }));
  }
};
