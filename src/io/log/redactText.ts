/** Hides the secrets in a text: known values, tokens, what precedes or names a secret, and all of these in what the text has in escapes or base64. */
import { lazy } from '../../streams/lazy';
import { atOnce, type Pausing } from '../../streams/pausing';
import { type View, viewsOf, withWholeEscapes } from './decodedViews';
import { generatedTokensIn, type Place } from './generatedTokens';
import { type KnownValues, knownValues } from './knownValues';
import { NAME_CLUES, namedValuesIn, SECRET_NAME } from './secretNames';
import { cluesOf, E_MAIL, IN_RUNS, PERSONAL, PREFIXED, runsIn, type Shape, TOKENS } from './secretShapes';

/** A place to be replaced. */
export type Found = Place & {
  kind: string;
  /** The secret itself, if only what precedes it shows that it is one. */
  secret?: string;
  /** What replaces it; default `REDACTED`. */
  by?: string;
};

/** The replacement of a secret. */
export const REDACTED = '[redacted]';

/** What is looked for besides secrets that have a form or a name. */
export type SearchOptions = {
  known: KnownValues;
  /** Home folders and e-mail addresses count too. */
  personal?: boolean;
  /** The text is an id: that it looks generated does not make it a secret. */
  isId?: boolean;
};

/** Base64 in base64. */
const MAX_DEPTH = 3;

/** The places of all secrets in a text, in order; none overlaps another. */
export function* findSecrets(options: SearchOptions, text: string, depth = 0): Pausing<readonly Found[]> {
  if (text.length < MIN_TEXT_CHARS) return [];
  const search = { ...options, runs: new Set<string>(), depth }; // a view has most of the runs of the view before it
  const found: Found[] = [];
  for (const view of viewsOf(text)) {
    if (view === undefined) yield;
    else for (const one of yield* findInView(search, view)) found.push(placed(view, one));
  }
  return withoutOverlaps(text, found);
}

const MIN_TEXT_CHARS = 6;

/** What is looked for in one text, and how deep in base64 that text is. */
type Search = SearchOptions & { runs: Set<string>; depth: number };

const SHAPES = [...TOKENS, ...PREFIXED, ...PERSONAL];
const NAME = Symbol('a name');

const cluesIn = lazy(() => {
  const byClue = new Map<string, (Shape | typeof NAME)[]>();
  const add = (clues: string, of: Shape | typeof NAME) => {
    for (const clue of clues.split(' ')) if (clue.length > 1) byClue.set(clue, [...(byClue.get(clue) ?? []), of]);
  };
  for (const shape of SHAPES) add(shape[1], shape);
  add(NAME_CLUES, NAME);
  return cluesOf(byClue);
});

function* findInView(search: Search, { text }: View): Pausing<readonly Found[]> {
  const shapes = new Set<Shape>(search.personal && text.includes('@') ? [E_MAIL] : []);
  const names: number[] = [];
  yield* cluesIn()(text, (of, at) => {
    if (of === NAME) names.push(at);
    else if (search.personal || !PERSONAL.includes(of)) shapes.add(of);
  });
  const found: Found[][] = [knownIn(search, text)];
  for (const shape of shapes) {
    yield;
    found.push(shapesIn(shape, text));
  }
  const values = yield* namedValuesIn(text, names);
  found.push(
    values.map((one) => ({ ...one, kind: 'named value' })),
    yield* findInRuns(search, text),
  );
  return found.flat();
}

const knownIn = ({ known }: SearchOptions, text: string): Found[] => {
  const found: Found[] = [];
  for (let place = known.next(text, 0); place !== undefined; place = known.next(text, place.to))
    found.push({ ...place, kind: 'known value' });
  return found;
};

const shapesIn = ([kind, , pattern]: Shape, text: string): Found[] => {
  const found: Found[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const from = match.index + (match.groups?.kept?.length ?? 0);
    const to = pattern.lastIndex;
    found.push({ from, to, kind, ...(kind === 'bearer' && { secret: text.slice(from, to) }) });
  }
  return found;
};

/** A secret of 9 characters has 12 in base64. */
const MIN_RUN_CHARS = 12;
const MIN_TOKEN_CHARS = 34;
/** How many runs are searched without a pause. */
const STEP = 64;

function* findInRuns(search: Search, text: string): Pausing<Found[]> {
  const found: Found[] = [];
  for (const [i, { from, to }] of runsIn(text, MIN_RUN_CHARS).entries()) {
    if (i % STEP === 0) yield;
    const run = text.slice(from, to);
    if (search.runs.has(run)) continue;
    const inRun = yield* findInRun(search, run);
    for (const one of inRun) found.push({ ...one, from: one.from + from, to: one.to + from });
    if (inRun.length === 0) search.runs.add(run);
  }
  return found;
}

function* findInRun(search: Search, run: string): Pausing<readonly Found[]> {
  const tokens = (search.isId ? [] : generatedTokensIn(run)).map((place) => ({ ...place, kind: 'generated token' }));
  yield;
  const encoded = search.depth < MAX_DEPTH ? yield* encodedIn(search, run) : [];
  return [...(run.length < MIN_TOKEN_CHARS ? [] : shapesIn(IN_RUNS, run)), ...tokens, ...encoded];
}

const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const HEX = /^(?:[\da-f]{2})+$/i;

/** Secrets in base64 and hexadecimal digits; these are written again without them. */
function* encodedIn(search: Search, run: string): Pausing<readonly Found[]> {
  const isHex = HEX.test(run);
  const found: Found[] = [];
  for (const { 0: part, index } of isHex ? [{ 0: run, index: 0 }] : run.matchAll(BASE64))
    for (const one of yield* findEncoded(search, part, isHex ? 'hex' : 'base64'))
      found.push({ ...one, from: index + one.from, to: index + one.to });
  return found;
}

function* findEncoded(search: Search, part: string, encoding: 'base64' | 'hex'): Pausing<readonly Found[]> {
  if (!isText(Buffer.from(part.slice(0, SAMPLE_CHARS), encoding)) && part.length < MIN_BINARY_CHARS) return [];
  const bytes = Buffer.from(part, encoding);
  const inside = bytes.toString('latin1');
  const found = yield* findSecrets(search, inside, search.depth + 1);
  if (found.length === 0) return [];
  const isWritable = bytes.toString(encoding) === part;
  const by = isWritable ? Buffer.from(replaceIn(inside, found), 'latin1').toString(encoding) : REDACTED;
  return found.map(({ kind, secret }) => ({ from: 0, to: part.length, kind, secret, by }));
}

const SAMPLE_CHARS = 64;
/** A shorter run that is no text is a word, a path or a hash; a longer one may be a file. */
const MIN_BINARY_CHARS = 512;

/** Words, paths and hashes are base64 of nothing: a quarter of their first bytes is no text. */
const isText = (bytes: Uint8Array): boolean => bytes.filter((byte) => IS_TEXT[byte] !== 1).length * 4 < bytes.length;

const IS_TEXT = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\u0008-\r\u001b -~]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The place in the text as it was written. */
const placed = (view: View, found: Found): Found => ({
  ...found,
  from: view.placeOf(found.from),
  to: view.placeOf(found.to),
});

/** Overlapping places become one. A place that cuts an escape begins behind it, or ends before it. */
const withoutOverlaps = (text: string, found: readonly Found[]): readonly Found[] => {
  const merged: Found[] = [];
  for (const one of found
    .map((place) => withWholeEscapes(text, place))
    .sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = merged.at(-1);
    if (last === undefined || one.from >= last.to) {
      if (one.to > one.from) merged.push(one);
    } else if (one.to > last.to) merged[merged.length - 1] = { ...last, to: one.to, by: REDACTED };
  }
  return merged;
};

/** The text with each place replaced. */
export const replaceIn = (text: string, found: readonly Found[]): string => {
  let at = 0;
  const parts = found.map(({ from, to, by = REDACTED }) => {
    const part = text.slice(at, from) + by;
    at = to;
    return part;
  });
  return parts.join('') + text.slice(at);
};

/** False only if a text has no secret and, if it is JSON, its values have none. */
export function* mayHoldSecret(options: SearchOptions, text: string): Pausing<boolean> {
  for (const view of viewsOf(text)) {
    if (view === undefined) yield;
    else if (yield* hasSecretName(view.text)) return true;
  }
  return (yield* findSecrets(options, text)).length > 0;
}

/** A name of a secret, or a member with headers. */
const SECRET_AT = new RegExp(`(?:${SECRET_NAME}|headers?\\\\{0,16}")`, 'iy');

function* hasSecretName(text: string): Pausing<boolean> {
  let isFound = false;
  const reading = cluesIn()(text, (of, at) => {
    if (of !== NAME || isFound || text.slice(at - 8, at) === 'progress') return;
    SECRET_AT.lastIndex = at;
    isFound = SECRET_AT.test(text);
  });
  for (const _ of reading) {
    if (isFound) return true;
    yield;
  }
  return false;
}

type RedactDeps = {
  /** Values to hide wherever they occur; those shorter than 6 characters are ignored. */
  secrets: readonly string[];
  /** Longer texts are cut; the cut never leaves half of a secret. */
  maxChars: number;
};

/** Beyond a cut, a secret is read on for so many characters. */
const MARGIN = 1024;

/** Makes the function that hides secrets in a text. */
export const redactText = ({ secrets, maxChars }: RedactDeps): ((text: string) => string) => {
  const known = knownValues(secrets);
  const hide = (text: string): string => replaceIn(text, atOnce(findSecrets({ known }, text)));
  return (text) => {
    if (text.length <= maxChars) return hide(text);
    const seen = text.slice(0, maxChars + MARGIN);
    const found = atOnce(findSecrets({ known }, seen)).filter(({ from }) => from < maxChars);
    const end = Math.max(maxChars, found.at(-1)?.to ?? 0);
    return `${replaceIn(seen.slice(0, end), found)}… (${text.length} characters)`;
  };
};
