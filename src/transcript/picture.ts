/** Owns which marbles a session is made of: one a message, runs of pieces as one, a letter for each kind. */
import type { Marble } from './diagram';
import type { Lane } from './paint';
import { typeOf } from './sortOf';
import type { Session } from './tape';
import { labelOf, toSpoken, type Word } from './words';

type Drawing = {
  marbles: Marble[];
  /** What each letter stands for, and which letter stands for a name. */
  taken: Set<string>;
  letters: Map<string, string>;
  /** What was asked under an id, by the client and by the server. */
  asked: Record<'in' | 'out', Map<string, string>>;
};

/** Where all letters are taken. */
const OTHER = '*';
const ERROR = '!';
const CANCEL = 'x';
const SMALL = 'abcdefghijklmnopqrstuvwyz';

/**
 * The marbles of a session. Small letters are the client's, capitals the server's; an answer has the capital of its
 * request, `!` is an answer that is an error, `x` a cancel, `?` a line that is no message. A run of deltas, and of events of
 * one call at an inner seam, is one marble.
 */
export const toPicture = ({ entries }: Session): Marble[] => {
  const drawing: Drawing = {
    marbles: [],
    taken: new Set([CANCEL, CANCEL.toUpperCase()]),
    letters: new Map(),
    asked: { in: new Map(), out: new Map() },
  };
  for (const { entry } of entries) {
    const { dir, line, t, seam = 'mcp', call } = entry;
    if ((dir !== 'in' && dir !== 'out') || line.trim() === '') continue;
    if (seam === 'mcp') for (const word of toSpoken(line).words) put(drawing, t, drawn(drawing, dir, word));
    else if (seam === 'model' || seam === 'executor') put(drawing, t, drawnSeam(drawing, dir, seam, call));
  }
  return drawing.marbles;
};

/** `run` joins marbles of one kind that follow each other. */
type Drawn = { lane: Lane; symbol: string; name: string; run?: string };

const put = ({ marbles }: Drawing, t: number, { run, ...look }: Drawn): void => {
  const last = marbles.at(-1) as (Marble & { run?: string }) | undefined;
  if (run !== undefined && last?.run === run) last.untilMs = t;
  else marbles.push({ atMs: Math.round(t), untilMs: t, ...look, ...(run !== undefined && { run }) });
};

const drawn = (drawing: Drawing, dir: 'in' | 'out', word: Word): Drawn => {
  if (word.kind === 'other') return { lane: dir === 'in' ? 'request' : 'event', symbol: '?', name: 'no message' };
  if (word.kind === 'response') return drawnAnswer(drawing, dir, word);
  const name = word.kind === 'notification' ? typeOf(word.params) || word.method : labelOf(word);
  if (word.kind === 'request') drawing.asked[dir].set(String(word.id), name);
  if (dir === 'in') {
    const symbol = word.method === 'notifications/cancelled' ? CANCEL : letterOf(drawing, name, 'small');
    return { lane: 'request', symbol, name };
  }
  const symbol = letterOf(drawing, name, 'capital');
  if (word.kind === 'request') return { lane: 'question', symbol, name };
  if (word.method === 'notifications/progress') return { lane: 'progress', symbol, name: 'progress' };
  return { lane: 'event', symbol, name, ...(/delta$/i.test(name) && { run: name }) };
};

const drawnAnswer = (drawing: Drawing, dir: 'in' | 'out', word: Word & { kind: 'response' }): Drawn => {
  const asked = drawing.asked[dir === 'in' ? 'out' : 'in'].get(String(word.id)) ?? 'a question unknown';
  const lane = dir === 'in' ? 'question' : 'answer';
  if ('error' in word.body) return { lane, symbol: ERROR, name: 'error' };
  if (dir === 'in')
    return { lane, symbol: letterOf(drawing, asked, 'capital').toLowerCase(), name: `answer to ${asked}` };
  return { lane, symbol: letterOf(drawing, asked, 'small').toUpperCase(), name: asked };
};

const drawnSeam = (drawing: Drawing, dir: 'in' | 'out', lane: 'model' | 'executor', call: unknown): Drawn => {
  const small = letterOf(drawing, `asked of the ${lane}`, 'small');
  if (dir === 'in') return { lane, symbol: small, name: `asked of the ${lane}` };
  return { lane, symbol: small.toUpperCase(), name: `told by the ${lane}`, run: `${lane} ${call}` };
};

/** The letter of a name, the same every time: one of the name's own letters when one is free. Both cases are taken. */
const letterOf = ({ letters, taken }: Drawing, name: string, size: 'small' | 'capital'): string => {
  const known = letters.get(name);
  if (known !== undefined) return known;
  const own = (name.split(/[/ ]/).at(-1) ?? '').toLowerCase().replace(/[^a-z]/g, '');
  const free = [...own, ...SMALL].find((letter) => !taken.has(letter)) ?? OTHER;
  const letter = size === 'small' ? free : free.toUpperCase();
  if (free !== OTHER) taken.add(free);
  letters.set(name, letter);
  return letter;
};
