/** Keys that count the messages of a server and pair them between two runs. */
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { idKey } from '../../protocol/jsonrpc/messages';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { nameKey, referencesOf } from '../../protocol/jsonrpc/requestNames';

/** The kind of a message. */
export type PairingKey = {
  key: string;
  /** The message must come before the client continues. There may be fewer or more of other notifications. */
  required: boolean;
};

/** Events for which the client of a debug adapter waits as for a response. Source: Debug Adapter Protocol 1.70. */
const AWAITED = new Set(['initialized', 'stopped', 'terminated']);

/** A response by its id, a request by its method, a notification by its type and its request. */
export const toPairingKey = (message: TapeMessage): PairingKey => {
  switch (message.kind) {
    case 'response':
      return { key: `response ${message.id === null ? 'null' : idKey(message.id)}`, required: true };
    case 'request':
      return { key: `request ${message.method}`, required: true };
    case 'notification':
      return {
        key: [message.method, eventTypeOf(message.params), ...referencesOf(message).map(nameKey)].join(' '),
        required: AWAITED.has(message.method),
      };
    case 'other':
      return { key: 'text', required: false };
  }
};

/** Members of params that hold an event, and the member of the event that is its type. Source: codex/event of codex 0.28.0; session/update of ACP 1. */
const EVENTS = { msg: 'type', update: 'sessionUpdate' } as const;

/** The type of an event inside a notification, '' for none. */
export const eventTypeOf = (params: unknown): string => {
  if (!isObject(params)) return '';
  const types = Object.entries(EVENTS).map(([holder, type]) => toObject(params[holder])[type]);
  return types.find((type) => typeof type === 'string') ?? '';
};

/** A short label for a message of the server: its method, or the type of the event in it. */
export const serverLabelOf = (message: TapeMessage | undefined): string => {
  if (message?.kind === 'response') return 'error' in message.body ? 'error' : 'response';
  if (message === undefined || !('method' in message)) return 'no message';
  const type = eventTypeOf(message.params);
  return type === '' ? message.method : type;
};
