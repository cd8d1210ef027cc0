/** Owns naming requests by letters: `<id of c>` stands for the id of the request that the letter c plays. */
import { idKey, isObject, type JsonObject, type RequestId } from '../protocol/jsonrpc';
import type { ParsedLine, TapeMessage } from './parseLine';
import { type Renaming, referencesOf, renameRequests } from './requestNames';

/** A request that was played as a letter. It is open until it is answered. */
export type LetteredRequest = { letter: string; id: RequestId; open: boolean };

/** The name of a request that has no number of its own: any will do. */
export const ANY_ID = '<id>';
/** Stands for the id of the latest request of a letter; in an answer for that of the oldest that is not answered. */
export const idOf = (letter: string): string => `<id of ${letter}>`;

/** The letter in the name of a request; undefined for another text. */
export const letterOf = (name: unknown): string | undefined =>
  typeof name === 'string' ? /^<id of (.)>$/u.exec(name)?.[1] : undefined;

/** The request that an answer with this id belongs to. */
export const requestAnsweredBy = (asked: readonly LetteredRequest[], id: RequestId): LetteredRequest | undefined =>
  asked.find((one) => one.open && idKey(one.id) === idKey(id));

/** The request that a message names by its id. */
const named = (asked: readonly LetteredRequest[], name: RequestId): LetteredRequest | undefined =>
  asked.findLast(({ id }) => String(id) === String(name));

/**
 * The value of a line with letters in place of ids; a text for a line that is no message, as it is.
 * @param answered the requests that its answers belong to, the other side's
 * @param client the requests of the client, which all messages may name
 */
export const withLetters = (
  spoken: ParsedLine,
  answered: readonly LetteredRequest[],
  client: readonly LetteredRequest[],
): unknown => {
  if (spoken.value === undefined || typeof spoken.value === 'string') return spoken.line;
  const renamings = spoken.messages.flatMap((message): Renaming[] => {
    const found =
      message.kind === 'response' ? message.id !== null && requestAnsweredBy(answered, message.id) : undefined;
    if (found) return [{ by: 'id', recorded: found.id, now: idOf(found.letter) }];
    return message.kind === 'response' ? [] : toRenamings(message, client);
  });
  const text = renameRequests(spoken, renamings);
  return text === spoken.line ? spoken.value : JSON.parse(text);
};

const toRenamings = (message: TapeMessage, client: readonly LetteredRequest[]): Renaming[] =>
  referencesOf(message).flatMap(({ by, name }): Renaming[] => {
    const found = by === 'id' ? named(client, name) : undefined;
    return found ? [{ by, recorded: name, now: idOf(found.letter) }] : [];
  });

/** The letters that a message names: those that it answers, and those of the client's requests. */
export const lettersIn = ({ messages }: ParsedLine): { answers: string[]; names: string[] } => {
  const lettersOf = (kind: 'answers' | 'names'): string[] =>
    messages
      .filter((message) => (message.kind === 'response') === (kind === 'answers'))
      .flatMap(referencesOf)
      .flatMap(({ name }) => letterOf(name) ?? []);
  return { answers: lettersOf('answers'), names: lettersOf('names') };
};

/** The line of a message with ids in place of letters. */
export const withRequestIds = (spoken: ParsedLine, ids: ReadonlyMap<string, RequestId>): string =>
  renameRequests(
    spoken,
    [...ids].map(([letter, now]): Renaming => ({ by: 'id', recorded: idOf(letter), now })),
  );

/** Ids of requests that have none of their own, in turn: they count from 0, or on from the last that was written. */
export const freshIds = (asked: readonly LetteredRequest[]): (() => number) => {
  const last = asked.findLast(({ id }) => typeof id === 'number')?.id;
  const counter = { next: typeof last === 'number' ? last + 1 : 0 };
  return () => counter.next++;
};

/** The value with an id for each request that takes any. */
export const withFreshIds = (value: unknown, newId: () => RequestId): unknown => {
  if (Array.isArray(value)) return value.map((part) => withFreshIds(part, newId));
  return isObject(value) && value.id === ANY_ID ? ({ ...value, id: newId() } as JsonObject) : value;
};
