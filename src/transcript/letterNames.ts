/** Owns naming requests by letters: `<id of c>` stands for the id of the request that the letter c plays. */
import { idKey, isObject, type JsonObject, type RequestId } from '../protocol';
import { type Renaming, referencesOf, renamed } from './names';
import type { Spoken, Word } from './words';

/** A request that was played as a letter. It is open until it is answered. */
export type Asked = { letter: string; id: RequestId; open: boolean };

/** The name of a request that has no number of its own: any will do. */
export const ANY_ID = '<id>';
/** Stands for the id of the latest request of a letter; in an answer for that of the oldest that is not answered. */
export const idOf = (letter: string): string => `<id of ${letter}>`;

/** The letter in the name of a request; undefined for another text. */
export const letterOf = (name: unknown): string | undefined =>
  typeof name === 'string' ? /^<id of (.)>$/u.exec(name)?.[1] : undefined;

/** The request that an answer with this id belongs to. */
export const answeredBy = (asked: readonly Asked[], id: RequestId): Asked | undefined =>
  asked.find((one) => one.open && idKey(one.id) === idKey(id));

/** The request that a message names by its id. */
const named = (asked: readonly Asked[], name: RequestId): Asked | undefined =>
  asked.findLast(({ id }) => String(id) === String(name));

/**
 * The value of a line with letters in place of ids; a text for a line that is no message, as it is.
 * @param answered the requests that its answers belong to, the other side's
 * @param client the requests of the client, which all messages may name
 */
export const toLettered = (spoken: Spoken, answered: readonly Asked[], client: readonly Asked[]): unknown => {
  if (spoken.value === undefined || typeof spoken.value === 'string') return spoken.line;
  const renamings = spoken.words.flatMap((word): Renaming[] => {
    const found = word.kind === 'response' ? word.id !== null && answeredBy(answered, word.id) : undefined;
    if (found) return [{ by: 'id', recorded: found.id, now: idOf(found.letter) }];
    return word.kind === 'response' ? [] : toRenamings(word, client);
  });
  const text = renamed(spoken, renamings);
  return text === spoken.line ? spoken.value : JSON.parse(text);
};

const toRenamings = (word: Word, client: readonly Asked[]): Renaming[] =>
  referencesOf(word).flatMap(({ by, name }): Renaming[] => {
    const found = by === 'id' ? named(client, name) : undefined;
    return found ? [{ by, recorded: name, now: idOf(found.letter) }] : [];
  });

/** The letters that a message names: those that it answers, and those of the client's requests. */
export const lettersIn = ({ words }: Spoken): { answers: string[]; names: string[] } => {
  const lettersOf = (kind: 'answers' | 'names'): string[] =>
    words
      .filter((word) => (word.kind === 'response') === (kind === 'answers'))
      .flatMap(referencesOf)
      .flatMap(({ name }) => letterOf(name) ?? []);
  return { answers: lettersOf('answers'), names: lettersOf('names') };
};

/** The line of a message with ids in place of letters. */
export const toUnlettered = (spoken: Spoken, ids: ReadonlyMap<string, RequestId>): string =>
  renamed(
    spoken,
    [...ids].map(([letter, now]): Renaming => ({ by: 'id', recorded: idOf(letter), now })),
  );

/** Ids of requests that have none of their own, in turn: they count from 0, or on from the last that was written. */
export const newIds = (asked: readonly Asked[]): (() => number) => {
  const last = asked.findLast(({ id }) => typeof id === 'number')?.id;
  const counter = { next: typeof last === 'number' ? last + 1 : 0 };
  return () => counter.next++;
};

/** The value with an id for each request that takes any. */
export const withIds = (value: unknown, newId: () => RequestId): unknown => {
  if (Array.isArray(value)) return value.map((part) => withIds(part, newId));
  return isObject(value) && value.id === ANY_ID ? ({ ...value, id: newId() } as JsonObject) : value;
};
