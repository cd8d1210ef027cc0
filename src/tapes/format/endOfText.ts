/** Which messages end the texts that a session sends in pieces. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** Names of messages after which a text has no further piece. */
const ENDS_TEXT =
  /(?:complete|completed|end|ended|exited|closed|done|finished|aborted|failed|stop|message|reasoning)$/i;

/** A log record of a server, which is no end although its name has the form of one. */
const LOG_RECORD = 'notifications/message';

/** Whether a message is a response, or one after which a text has no further piece. */
export const isEnd = (message: unknown): boolean => {
  if (!isObject(message) || message.method === LOG_RECORD) return false;
  const isResponse = 'id' in message && message.method === undefined;
  return isResponse || namesEnd(message);
};

/** Events of Codex are in `params.msg`, beside an id of their own. */
const namesEnd = (part: unknown): boolean => {
  if (!isObject(part)) return false;
  const { method, type, params, msg } = part;
  return [method, type].some((name) => typeof name === 'string' && ENDS_TEXT.test(name)) || namesEnd(params ?? msg);
};

/** What a message belongs to, by kind: its thread, its item, and so on. */
type Owners = ReadonlyMap<string, unknown>;

/** The members that name an owner, in the spellings of Codex and of the Responses API. */
const KINDS: Readonly<Record<string, string>> = {
  requestId: 'request',
  threadId: 'thread',
  thread_id: 'thread',
  conversationId: 'thread',
  itemId: 'item',
  item_id: 'item',
  callId: 'call',
  call_id: 'call',
  processId: 'process',
  process_id: 'process',
};

/** A message, and the direction in which it went. */
export type Sent = { dir: string; message: unknown };

/** The texts that may have further pieces. `add` takes each piece with the key of its text, `end` a message that ends texts, or nothing if all end. */
export type OpenTexts = {
  add: (key: string, piece: Sent) => void;
  end: (end?: Sent) => void;
  has: (key: string) => boolean;
};

/**
 * No text is open yet. A text stays open at the end of something else: in the other direction, or where both name an owner of one kind, such as an item, and
 * the two differ. Any other end of its direction ends it, also one that names no owner.
 */
export const openTexts = (): OpenTexts => {
  const open = new Map<string, Owners>();
  return {
    add: (key, piece) => void (open.has(key) || open.set(key, ownersOf(piece))),
    end: (end) => {
      const own: Owners = end === undefined ? new Map() : ownersOf(end);
      for (const [key, owners] of open) if (!isOther(owners, own)) open.delete(key);
    },
    has: (key) => open.has(key),
  };
};

const isOther = (one: Owners, other: Owners): boolean =>
  [...one].some(([kind, id]) => other.has(kind) && other.get(kind) !== id);

const ownersOf = ({ dir, message }: Sent): Owners => {
  const { id, method, params, type } = toObject(message);
  const { msg, _meta: meta } = toObject(params);
  const request: [string, unknown][] =
    id === undefined || method !== undefined || type !== undefined ? [] : [['request', id]];
  return new Map([['direction', dir], ...request, ...[message, params, msg, meta].flatMap(named)]);
};

const named = (value: unknown): [string, unknown][] => {
  const { item, ...members } = toObject(value);
  const { id } = toObject(item);
  const own = Object.entries(members).flatMap(([name, one]): [string, unknown][] => {
    const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
    return kind === undefined || one === null ? [] : [[kind, one]];
  });
  return id === undefined ? own : [...own, ['item', id]];
};

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
