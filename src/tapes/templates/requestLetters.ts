/** Names requests by letters: `<id of c>` stands for the id of the request with the letter c. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import type { ParsedLine, TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { type Renaming, referencesOf, renameRequests } from '../../protocol/jsonrpc/requestNames';

/** A request with its letter. It is open until it has a response. */
export type LetteredRequest = { letter: string; id: RequestId; open: boolean };

/** The id of a request that takes any id. */
export const ANY_ID = '<id>';
/** Stands for the id of the latest request with a letter; in a response, of its oldest open request. */
const idOf = (letter: string): string => `<id of ${letter}>`;

/** The letter in such a name; undefined for another value. */
export const letterOf = (name: unknown): string | undefined =>
  typeof name === 'string' ? /^<id of (.)>$/u.exec(name)?.[1] : undefined;

/** The requests of a line, open, with this letter. */
export const requestsIn = ({ messages }: ParsedLine, letter: string): LetteredRequest[] =>
  messages.flatMap((message) => (message.kind === 'request' ? [{ letter, id: message.id, open: true }] : []));

/** The open request that a response with this id belongs to. */
export const requestAnsweredBy = (requests: readonly LetteredRequest[], id: RequestId): LetteredRequest | undefined =>
  requests.find((one) => one.open && idKey(one.id) === idKey(id));

const named = (requests: readonly LetteredRequest[], name: RequestId): LetteredRequest | undefined =>
  requests.findLast(({ id }) => String(id) === String(name));

/**
 * The value of a line with letters in place of ids; the line itself if it is no message.
 * @param answered the requests of the other side, which its responses belong to
 * @param client the requests of the client, which all messages may name
 */
export const withLetters = (
  parsed: ParsedLine,
  answered: readonly LetteredRequest[],
  client: readonly LetteredRequest[],
): unknown => {
  if (parsed.value === undefined || typeof parsed.value === 'string') return parsed.line;
  const renamings = parsed.messages.flatMap((message): Renaming[] => {
    const found =
      message.kind === 'response' ? message.id !== null && requestAnsweredBy(answered, message.id) : undefined;
    if (found) return [{ by: 'id', recorded: found.id, now: idOf(found.letter) }];
    return message.kind === 'response' ? [] : toRenamings(message, client);
  });
  const text = renameRequests(parsed, renamings);
  return text === parsed.line ? parsed.value : JSON.parse(text);
};

const toRenamings = (message: TapeMessage, client: readonly LetteredRequest[]): Renaming[] =>
  referencesOf(message).flatMap(({ by, name }): Renaming[] => {
    const found = by === 'id' ? named(client, name) : undefined;
    return found ? [{ by, recorded: name, now: idOf(found.letter) }] : [];
  });

/** The letters in a line: in the ids of its responses, and in its other references to requests. */
export const lettersIn = ({ messages }: Pick<ParsedLine, 'messages'>): { answers: string[]; names: string[] } => {
  const lettersOf = (kind: 'answers' | 'names'): string[] =>
    messages
      .filter((message) => (message.kind === 'response') === (kind === 'answers'))
      .flatMap(referencesOf)
      .flatMap(({ name }) => letterOf(name) ?? []);
  return { answers: lettersOf('answers'), names: lettersOf('names') };
};

/** The line of a message with ids in place of letters. */
export const withRequestIds = (parsed: ParsedLine, ids: ReadonlyMap<string, RequestId>): string =>
  renameRequests(
    parsed,
    [...ids].map(([letter, now]): Renaming => ({ by: 'id', recorded: idOf(letter), now })),
  );

/** Makes ids for requests without an id: they count from 0, or continue after the latest number. */
export const freshIds = (requests: readonly LetteredRequest[]): (() => number) => {
  const last = requests.findLast(({ id }) => typeof id === 'number')?.id;
  let next = typeof last === 'number' ? last + 1 : 0;
  return () => next++;
};

/** The value with an id for each request that takes any. */
export const withFreshIds = (value: unknown, newId: () => RequestId): unknown => {
  if (Array.isArray(value)) return value.map((part) => withFreshIds(part, newId));
  return isObject(value) && value.id === ANY_ID ? ({ ...value, id: newId() } as JsonObject) : value;
};
