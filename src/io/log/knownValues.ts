/** Finds values that are known to be secret. No pattern is made of them: a value may be of any length, and hold any character. */

/** A known value that is shorter would hide ordinary words. */
const MIN_CHARS = 6;
/** A longer value is found by its beginning; then all characters that follow it there as in the value count as found. */
const BEGIN_CHARS = 256;
/** Values that begin with the same six characters. Each is compared at each place where these occur. */
const MAX_OF_ONE_BEGINNING = 32;

/** Bits of a hash of six characters; each character shifts it by a sixth. */
const HASH_BITS = 18;
const SHIFT = HASH_BITS / MIN_CHARS;
const MASK = 2 ** HASH_BITS - 1;

/** A set of values that grows. */
export type KnownValues = {
  /** Adds a value, and its spellings in JSON and URLs; a value that is too short is left out. */
  add: (value: string) => void;
  /** The first place of a value from `start` on, and its end; undefined if there is none. */
  next: (text: string, start: number) => { from: number; to: number } | undefined;
};

/** Makes a set of values. */
export const knownValues = (values: readonly string[]): KnownValues => {
  const mayBegin = new Uint8Array(MASK + 1);
  const byBeginning = new Map<string, string[]>();
  const add = (value: string): void => {
    for (const spelling of spellings(value)) {
      const beginning = spelling.slice(0, MIN_CHARS);
      const others = byBeginning.get(beginning) ?? [];
      if (spelling.length < MIN_CHARS || others.length >= MAX_OF_ONE_BEGINNING || others.includes(spelling)) continue;
      mayBegin[hashOf(beginning)] = 1;
      byBeginning.set(
        beginning,
        [...others, spelling].sort((a, b) => b.length - a.length),
      );
    }
  };
  values.forEach(add);
  const next: KnownValues['next'] = (text, start) => {
    if (byBeginning.size === 0) return undefined;
    let hash = 0;
    for (let at = start; at < text.length; at += 1) {
      hash = ((hash << SHIFT) ^ text.charCodeAt(at)) & MASK;
      const from = at - MIN_CHARS + 1;
      if (mayBegin[hash] === 0 || from < start) continue;
      const found = byBeginning.get(text.slice(from, at + 1))?.find((one) => beginsAt(text, one, from));
      if (found !== undefined) return { from, to: endOf(text, found, from) };
    }
    return undefined;
  };
  return { add, next };
};

const hashOf = (text: string): number => {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = ((hash << SHIFT) ^ text.charCodeAt(at)) & MASK;
  return hash;
};

/** A secret as it is, and in the spellings of JSON and URLs. */
const spellings = (secret: string): string[] => {
  if (secret.length < MIN_CHARS) return [];
  const encoded = encodeURIComponent(Buffer.from(secret).toString()); // a lone surrogate would throw
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encoded])];
};

const beginsAt = (text: string, value: string, from: number): boolean =>
  value.length <= BEGIN_CHARS ? text.startsWith(value, from) : text.startsWith(value.slice(0, BEGIN_CHARS), from);

const endOf = (text: string, value: string, from: number): number => {
  let length = Math.min(value.length, BEGIN_CHARS);
  while (length < value.length && text.charCodeAt(from + length) === value.charCodeAt(length)) length += 1;
  return from + length;
};
