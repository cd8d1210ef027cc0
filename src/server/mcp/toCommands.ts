/** The messages of a client by kind, and the command that each leads to. */
import { connect, filter, map, merge, type Observable, type OperatorFunction } from 'rxjs';
import type { Log } from '../../log';
import type { Fault, Message, Notification, Response } from '../../protocol/jsonrpc';
import { flatten } from '../../streams';
import type { Command } from './command';
import { membersOf } from './gatherBatches';
import type { McpDeps } from './mcpDeps';
import { isToken } from './methods/method';
import { sealer } from './methods/requestState';
import { routeRequest } from './methods/routeRequest';
import { readResponse } from './questions/readAnswer';
import type { Incoming } from './withClient';

/** Splits requests, responses and notifications; each leads to a command, or to nothing. */
export const toCommands = (deps: McpDeps, incoming$: Observable<Incoming>): Observable<Command> => {
  const route = routeRequest({ ...deps, sealer: sealer(deps) });
  const toCommand$ = (single$: Observable<Incoming>): Observable<Command> => {
    const [request$, response$, notification$, fault$] = [
      single$.pipe(holding('request')),
      single$.pipe(holding('response')),
      single$.pipe(holding('notification')),
      single$.pipe(holding('fault')),
    ] as const;
    return merge(
      request$.pipe(map(({ message, client }) => route(message, client))),
      response$.pipe(
        map(({ message }) => toAnswered(message)),
        flatten(),
      ),
      notification$.pipe(
        map(({ message }) => toCancel(message)),
        flatten(),
      ),
      fault$.pipe(map(({ message }) => toErrorResponse(deps.log, message))),
    );
  };
  const member$ = incoming$.pipe(holding('batch'), map(membersOf), flatten());
  return merge(toCommand$(incoming$), member$.pipe(connect(toCommand$)));
};

type Holding<K> = { message: Extract<Message, { kind: K }>; client: Incoming['client'] };

const holding = <K extends Message['kind']>(kind: K): OperatorFunction<Incoming, Holding<K>> =>
  filter((incoming): incoming is Incoming & Holding<K> => incoming.message.kind === kind);

const toAnswered = (response: Response): Command[] =>
  typeof response.id === 'number' ? [{ kind: 'answered', question: response.id, verdict: readResponse(response) }] : [];

const toCancel = ({ method, params }: Notification): Command[] => {
  const { requestId } = params;
  return method === 'notifications/cancelled' && isToken(requestId) ? [{ kind: 'cancel', requestId }] : [];
};

const toErrorResponse = (log: Log, { id, batch, code, message }: Fault): Command => {
  log('warning', 'a line was rejected', { reason: message });
  return { kind: 'response', id, batch, error: { code, message } };
};
