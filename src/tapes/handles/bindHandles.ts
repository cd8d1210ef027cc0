/** Finds the values that handles have in another run. */
import { type Handle, type Handles, handleOf } from './handles';
import { visitBoth } from './handleTexts';
import { pairWords, wordsIn } from './handleWords';

/** A handle and the text that stands for it now. */
export type BoundHandle = { id: number; text: string };

/** The texts that stand for handles of a recorded message in the one that came in its place. */
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
