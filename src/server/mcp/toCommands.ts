/** The messages of a client by kind, and the command that each leads to. */
import type { OperatorFunction } from 'rxjs';
import type { Fault, Notification, Response } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { mapMulti } from '../../streams/mapMulti';
import type { Command } from './command';
import { type Member, membersOf } from './gatherBatches';
import type { McpDeps } from './mcpDeps';
import { isToken } from './methods/method';
import { sealer } from './methods/requestState';
import { routeRequest } from './methods/routeRequest';
import type { Client, Incoming } from './withClient';

/**
 * Each request, response, notification and fault leads to a command, or to nothing; those of a batch one by one.
 *   in  p--n--b---|    (p ping, n a notification that leads to nothing, b a batch of p and p)
 *   out P-----(PP)|
 */
export const toCommands = (deps: McpDeps): OperatorFunction<Incoming, Command> => {
  const toCommand = commandOf(deps);
  return mapMulti(({ message, client }, emit) => {
    const members = message.kind === 'batch' ? membersOf({ message, client }) : [message];
    for (const member of members) {
      const command = toCommand(member, client);
      if (command) emit(command);
    }
  });
};

/** `(message, client) => command`; undefined for what leads to nothing. */
const commandOf = (deps: McpDeps) => {
  const route = routeRequest({ ...deps, sealer: sealer(deps) });
  return (message: Member, client: Client): Command | undefined => {
    switch (message.kind) {
      case 'request':
        return route(message, client);
      case 'response':
        return toAnswered(message);
      case 'notification':
        return toCancel(message);
      case 'fault':
        return toErrorResponse(deps.log, message);
    }
  };
};

const toAnswered = (response: Response): Command | undefined =>
  typeof response.id === 'number' ? { kind: 'answered', question: response.id, response } : undefined;

const toCancel = ({ method, params }: Notification): Command | undefined => {
  const { requestId } = params;
  return method === 'notifications/cancelled' && isToken(requestId) ? { kind: 'cancel', requestId } : undefined;
};

const toErrorResponse = (log: Log, { id, batch, code, message }: Fault): Command => {
  log('warning', 'a line was rejected', { reason: message });
  return { kind: 'response', id, batch, error: { code, message } };
};
