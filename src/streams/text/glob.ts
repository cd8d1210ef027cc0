/**
 * Globs of paths. Own code: the patterns come from a repository that nobody vouches for, and libraries make regular expressions of
 * them, which a pattern such as `*a*a*a*a*a*b` keeps busy for hours. Here a match takes at most pattern times path steps.
 */

type Part = { kind: 'any' } | { kind: 'star' } | { kind: 'test'; fits: (letter: string) => boolean };

type Segment = (name: string) => boolean;

/** The segments of a pattern; `**` is `deep`. */
export type Glob = readonly (Segment | 'deep')[];

/** Reads a pattern without its leading and its last slash. */
export const toGlob = (pattern: string): Glob =>
  pattern
    .split('/')
    .map((segment) => (segment === '**' ? 'deep' : toSegment(segment)))
    .filter((segment, at, all) => segment !== 'deep' || all[at - 1] !== 'deep');

/** True for a path that fits as a whole. A `**` at the end needs something below it. */
export const fitsGlob = (glob: Glob, path: string): boolean => {
  const [first, name] = glob;
  if (glob.length === 2 && first === 'deep' && typeof name === 'function')
    return name(path.slice(path.lastIndexOf('/') + 1)); // most rules are such
  if (typeof first === 'function' && !first(firstOf(path))) return false;
  const segments = path.split('/');
  if (glob.at(-1) === 'deep' && glob.length > segments.length) return false;
  return fitsAll(glob, segments, {
    isStar: (part) => part === 'deep',
    fits: (part, text) => part === 'deep' || part(text),
  });
};

const firstOf = (path: string): string => {
  const end = path.indexOf('/');
  return end < 0 ? path : path.slice(0, end);
};

const fitsLetter = (part: Part, letter: string): boolean =>
  part.kind === 'any' || (part.kind === 'test' && part.fits(letter));

type Rules<P, T> = { isStar: (part: P) => boolean; fits: (part: P, text: T) => boolean };

/** A star takes as little as it can; only the last one ever takes more, which is enough. */
const fitsAll = <P, T>(parts: readonly P[], texts: readonly T[], { isStar, fits }: Rules<P, T>): boolean => {
  let [part, text] = [0, 0];
  let star = { part: -1, text: 0 }; // where the last star stands, and up to where it has taken
  while (text < texts.length) {
    if (part < parts.length && isStar(parts[part] as P)) {
      star = { part, text };
      part += 1;
    } else if (part < parts.length && fits(parts[part] as P, texts[text] as T)) {
      part += 1;
      text += 1;
    } else if (star.part >= 0) {
      star = { ...star, text: star.text + 1 };
      part = star.part + 1;
      text = star.text;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(isStar);
};

/** Names without a wildcard, and those with a star at the beginning only, need not be looked at letter by letter. */
const toSegment = (segment: string): Segment => {
  const rest = segment.slice(1);
  if (!/[*?[\\]/.test(segment)) return (name) => name === segment;
  if (segment.startsWith('*') && !/[*?[\\]/.test(rest)) return (name) => name.endsWith(rest);
  const parts = [...segment.matchAll(TOKEN)].map(([token]) => toPart(token));
  return (name) => fitsAll(parts, [...name], { isStar: ({ kind }) => kind === 'star', fits: fitsLetter });
};

const TOKEN = /\*+|\?|\\.|\[[!^]?\]?[^\]]*\]|./gsu;

const toPart = (token: string): Part => {
  if (token.startsWith('*')) return { kind: 'star' };
  if (token === '?') return { kind: 'any' };
  if (token.startsWith('[') && token.length > 2) return { kind: 'test', fits: ofClass(token) };
  const own = token.length > 1 && token.startsWith('\\') ? token.slice(1) : token;
  return { kind: 'test', fits: (letter) => letter === own };
};

const ofClass = (token: string): ((letter: string) => boolean) => {
  const isNegated = /^\[[!^]/.test(token);
  const body = token.slice(isNegated ? 2 : 1, -1);
  const ranges = [...body.matchAll(/(.)-(.)|(.)/gsu)].map(([, from, to, one]) => [from ?? one, to ?? one]);
  return (letter) => ranges.some(([from, to]) => letter >= String(from) && letter <= String(to)) !== isNegated;
};
