/**
 * Finds the handles of a session: values that the server issues and the client sends back, such as request state, cursors, task
 * ids and process ids. They differ from run to run, but all references to one differ alike.
 */
import { type Leaf, mapMessage, tokensIn, visitBoth, visitMessage, wholeKey, withTokens } from './handleTexts';
import type { ServerLine, SessionIndex } from './sessionIndex';

/** A handle. `id` counts them from 0; `origin` is the same in every run: the client line that it was issued for, and its place. */
export type Handle = { id: number; origin: string };

/** The handles of a session by their keys. */
export type Handles = ReadonlyMap<string, Handle>;

/** Finds the handles: what a server line has first, and a later client line has as well. */
export const toHandles = ({ clientLines, serverLines }: SessionIndex): Handles => {
  const firstSent = new Map<string, number>();
  for (const [line, { value }] of clientLines.entries()) {
    visitMessage(value, (leaf) => {
      for (const key of sentKeys(leaf)) if (!firstSent.has(key)) firstSent.set(key, line);
    });
  }
  const handles = new Map<string, Handle>();
  const issued = new Map<string, number>();
  if (firstSent.size === 0) return handles;
  for (const line of serverLines) {
    visitMessage(line.value, (leaf) => {
      for (const key of issuedKeys(leaf)) {
        if (handles.has(key) || (firstSent.get(key) ?? -1) < line.clientLinesBefore) continue;
        const owner = ownerOf(line);
        const place = issued.get(owner) ?? 0;
        issued.set(owner, place + 1);
        handles.set(key, { id: handles.size, origin: `${owner}.${place}` });
      }
    });
  }
  return handles;
};

const ownerOf = ({ link, owner }: ServerLine): string => (link === 'named' ? String(owner) : 'free');

const wholeKeys = (leaf: Leaf): string[] => [wholeKey(leaf) ?? []].flat();

/** A number within a text of the client counts as a word. */
const sentKeys = (leaf: Leaf): string[] => [
  ...wholeKeys(leaf),
  ...(leaf.isNumber ? [] : tokensIn(leaf.text).filter((token) => /\D/.test(token))),
];

const issuedKeys = (leaf: Leaf): string[] => [...wholeKeys(leaf), ...(leaf.isNumber ? [] : tokensIn(leaf.text))];

/** The message with other texts in the place of handles. @param textOf gives undefined for a handle that stays */
export const replaceHandles = (
  handles: Handles,
  message: unknown,
  textOf: (handle: Handle) => string | undefined,
): unknown => {
  if (handles.size === 0) return message;
  const replaced = (key: string | undefined): string | undefined => {
    const handle = handles.get(key ?? '');
    return handle && textOf(handle);
  };
  return mapMessage(message, (leaf) => {
    const whole = replaced(wholeKey(leaf));
    if (leaf.isNumber) return whole !== undefined && /^-?\d{1,15}$/.test(whole) ? Number(whole) : whole;
    return whole ?? withTokens(leaf.text, replaced);
  });
};

/** A handle and the text that stands for it now. */
export type BoundHandle = { id: number; text: string };

/** The texts that stand for handles of a recorded message in the one that came in its place. */
export const bindHandles = (handles: Handles, recorded: unknown, now: unknown): BoundHandle[] => {
  if (handles.size === 0) return [];
  const bound: BoundHandle[] = [];
  const bind = (key: string | undefined, text: string | undefined): void => {
    const handle = handles.get(key ?? '');
    if (handle && text !== undefined) bound.push({ id: handle.id, text });
  };
  visitBoth(recorded, now, (one, other) => {
    bind(wholeKey(one), other.text);
    if (one.isNumber || other.isNumber) return;
    const [before, after] = [tokensIn(one.text), tokensIn(other.text)];
    const isAligned = before.length === after.length;
    for (const [i, token] of before.entries())
      bind(token, isAligned ? after[i] : tokenBehind(one.text, token, other.text));
  });
  return bound;
};

const CONTEXT_CHARS = 12;

/** The token of another text that follows the same words. */
const tokenBehind = (text: string, token: string, other: string): string | undefined => {
  const at = text.indexOf(token);
  const context = text.slice(Math.max(0, at - CONTEXT_CHARS), at);
  const found = other.indexOf(context);
  return found === -1 ? undefined : tokensIn(other.slice(found + context.length))[0];
};
