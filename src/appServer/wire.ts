/** Owns reading what an app-server says, whatever its version: what is missing or strange is passed over, never an error. */
import { isObject, type JsonObject, type Notification, type Request } from '../protocol';

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

/** What a table says about a word of the server, which may be the name of something that every object has. */
export const entryOf = <T>(table: Record<string, T>, word: string): T | undefined =>
  Object.hasOwn(table, word) ? table[word] : undefined;
