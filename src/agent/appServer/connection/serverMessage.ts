/** A message that an app-server sends of its own accord, and which thread and turn it belongs to. */
import type { Notification, Request } from '../../../protocol/jsonrpc/messages';
import { MessageIds, read } from '../shapes';

export type ServerMessage = Notification | Request;

/** The id of its thread, '' where it names none. */
export const threadIdOf = ({ params }: ServerMessage): string => read(MessageIds, params).threadId;

/** The id of its turn, '' where it names none. */
export const turnIdOf = ({ params }: ServerMessage): string => {
  const { turnId, turn } = read(MessageIds, params);
  return turnId || turn.id;
};

/** True for the notification that a turn has started. */
export const isTurnStart = ({ method }: ServerMessage): boolean => method === 'turn/started';
