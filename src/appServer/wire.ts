/** Owns reading what an app-server says, whatever its version: what is missing or strange is passed over, never an error. */
import { isObject, type JsonObject, type Notification, type Request } from '../protocol/jsonrpc';

/** A word from the server about a thread. */
export type Word = Notification | Request;

/** The text of a member, '' when it is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

export const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

export const threadOf = ({ params }: Word): string => textOf(params.threadId);

/** The turn a word belongs to, '' when it names none. */
export const turnOf = ({ params }: Word): string => textOf(params.turnId) || textOf(objectOf(params.turn).id);

export const isStart = ({ method }: Word): boolean => method === 'turn/started';

/**
 * True for a word of the turn `now`, and for one that names none. As long as the id of a turn is not known, `now` is still
 * the turn before, and only the word that starts it is its own: the others are late words about turns that are over.
 * Source: codex app-server 0.142.0 and 0.169.0, which tell the tokens of the last turn when a thread is loaded.
 */
export const isOfTurn = (word: Word, { now, before }: { now?: string; before?: string }): boolean => {
  const turnId = turnOf(word);
  return turnId === '' || (now === before ? isStart(word) && turnId !== before : turnId === now);
};

/** What a table says about a word of the server, which may be the name of something that every object has. */
export const entryOf = <T>(table: Record<string, T>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
