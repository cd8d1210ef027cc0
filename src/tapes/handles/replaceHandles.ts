/** Finds and replaces the handles in messages. */
import { type Handle, type Handles, handleOf } from './handles';
import { mapMessage, pairWords, visitBoth, visitMessage, withWords, wordsIn } from './handleTexts';

/**
 * The message with other texts in the place of handles.
 * @param textOf undefined for a handle that stays; `isNumber` for a number, or a word of digits in a text
 */
export const replaceHandles = (
  handles: Handles,
  message: unknown,
  textOf: (handle: Handle, isNumber: boolean) => string | undefined,
): unknown => {
  if (handles.size === 0) return message;
  const replaced = (handle: Handle | undefined, isNumber: boolean): string | undefined =>
    handle && textOf(handle, isNumber);
  return mapMessage(message, (leaf) => {
    const whole = replaced(handleOf(handles, leaf), leaf.isNumber);
    if (leaf.isNumber) return whole !== undefined && /^-?\d{1,15}$/.test(whole) ? Number(whole) : whole;
    return whole ?? withWords(leaf.text, (word) => replaced(handles.get(word), /^\d+$/.test(word)));
  });
};

/** The handles in a message. */
export const handlesIn = (handles: Handles, message: unknown): Handle[] => {
  const found: Handle[] = [];
  replaceHandles(handles, message, (handle) => {
    found.push(handle);
    return undefined;
  });
  return found;
};

/** The names of the members that handles are in; if there are several, the first member that is for handles. */
export const toHandleNames = (handles: Handles, messages: readonly unknown[]): ReadonlyMap<number, string> => {
  const names = new Map<number, string>();
  const good = new Set<number>();
  for (const message of messages) {
    visitMessage(message, (leaf) => {
      const { id } = handleOf(handles, leaf) ?? {};
      if (id === undefined || good.has(id) || (names.has(id) && !leaf.isNamed)) return;
      names.set(id, leaf.name);
      if (leaf.isNamed) good.add(id);
    });
  }
  return names;
};

type BoundHandle = { id: number; text: string };

/** The texts that stand for the handles of a recorded message in the message that came in its place. */
export const bindHandles = (handles: Handles, recorded: unknown, now: unknown): BoundHandle[] => {
  if (handles.size === 0) return [];
  const bound: BoundHandle[] = [];
  const bind = (handle: Handle | undefined, text: string | undefined): void => {
    if (handle && text !== undefined) bound.push({ id: handle.id, text });
  };
  visitBoth(recorded, now, (one, other) => {
    const whole = handleOf(handles, one);
    bind(whole, other.text);
    if (whole === undefined && !one.isNumber && !other.isNumber) bindWords(handles, [one.text, other.text], bind);
  });
  return bound;
};

type Bind = (handle: Handle | undefined, text: string | undefined) => void;

const bindWords = (handles: Handles, texts: readonly [recorded: string, now: string], bind: Bind): void => {
  const isKnown = (word: string): boolean => handles.has(word);
  if (!wordsIn(texts[0]).some(({ whole, inner }) => isKnown(whole) || isKnown(inner))) return;
  for (const [one, other] of pairWords(...texts)) {
    if (isKnown(one.whole)) bind(handles.get(one.whole), other.whole);
    else bind(handles.get(one.inner), one.inner === one.whole ? other.whole : other.inner);
  }
};
