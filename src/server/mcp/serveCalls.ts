/** The calls of a connection as messages: their events and results, their progress, the log. */
import { catchError, connect, defer, filter, merge, NEVER, type Observable, takeUntil } from 'rxjs';
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import { failureOutcome, reportBug } from '../../protocol/rpc/failureOutcome';
import { mapMulti } from '../../streams/mapMulti';
import { ofKind } from '../../streams/ofKind';
import { endsWait } from '../calls/endsWait';
import { runCalls } from '../calls/runCalls';
import type { CallOutput } from '../calls/step';
import type { Caller } from './caller';
import type { Command } from './command';
import {
  type ConnectionDeps,
  type ConnectionInput,
  type ConnectionOutput,
  connectionReducer,
} from './connectionReducer';
import { logMessages } from './logMessages';
import type { McpDeps } from './mcpDeps';
import { sealer } from './methods/requestState';
import { pingWhileSilent } from './progress/pingWhileSilent';
import { progressNotifications } from './progress/progressNotifications';
import { toQuestion } from './toInputRequired';
import { toMessages } from './toMessages';
import { withStored } from './withStored';

/**
 * Serves the calls among the commands, and the log. Completes with the command `end`, which answers what waits and stops all
 * turns.
 *   in  b------x-z|    (b begin, x cancel, z end)
 *   out --E-E--S-|     (E events, S silence: a request that gets no response)
 */
export const serveCalls = (given: McpDeps, command$: Observable<Command>): Observable<Outgoing> => {
  const deps = { ...given, after: steadyTimer(given) };
  const expiresAt = () => deps.clockMs() + deps.askTimeoutMs;
  const toMessagesHere = orFailure(deps, toMessages({ ...deps, sealer: sealer(deps), expiresAt }));
  const level$ = command$.pipe(ofKind('level'));
  const end$ = command$.pipe(ofKind('end'));
  return command$.pipe(
    filter(isForCalls),
    withStored(deps),
    runCalls(
      { ...deps, engine: deps.face.adapt({ now: deps.now, newId: deps.newCallId })(deps.engine) },
      connectionReducer(toConnectionDeps(deps)),
    ),
    connect((item$) => {
      const output$ = item$.pipe(filter(isOutput));
      return merge(
        item$.pipe(
          mapMulti<ConnectionOutput, Outgoing>((item, emit) => {
            if (isOutput(item)) toMessagesHere(item).forEach(emit);
            else emit(item);
          }),
        ),
        output$.pipe(progressNotifications({ ...deps.face, after: deps.after })),
        level$.pipe(logMessages({ ...deps, output$ }), takeUntil(end$)),
      ).pipe(connect((message$) => merge(message$, message$.pipe(pingWhileSilent(deps, output$)))));
    }),
  );
};

/** A timer that fails never fires: the call goes on without its progress. */
const steadyTimer =
  ({ after, log }: McpDeps): McpDeps['after'] =>
  (ms) =>
    defer(() => after(ms)).pipe(
      catchError((error: unknown) => {
        reportBug(log)(error);
        return NEVER;
      }),
    );

/** A bug in the making of a message fails the request that waits for it. */
const orFailure =
  (deps: McpDeps, toMessages: (output: CallOutput<Caller>) => Outgoing[]) =>
  (output: CallOutput<Caller>): Outgoing[] => {
    try {
      return toMessages(output);
    } catch (error) {
      const { id, batch } = output.call.caller;
      const failure = failureOutcome(deps)(error);
      return endsWait(output) ? [{ kind: 'response', id, batch, ...failure }] : [];
    }
  };

/** A listener of the Codex methods names no revision with its requests. */
const UNKNOWN = { capabilities: {} };

const toConnectionDeps = ({ face, newCallId, log }: McpDeps): ConnectionDeps => ({
  newId: newCallId,
  msg: face.msg,
  elicitation: (event) => toQuestion(face, UNKNOWN, event),
  extended: face.extended,
  numbersReplies: face.numbersReplies,
  log,
});

const isOutput = (item: ConnectionOutput): item is CallOutput<Caller> => 'call' in item;

const OF_CALLS = { begin: true, resume: true, answered: true, cancel: true, end: true, conversation: true };

const isForCalls = (command: Command): command is ConnectionInput => Object.hasOwn(OF_CALLS, command.kind);
