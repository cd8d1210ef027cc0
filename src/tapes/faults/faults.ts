/** Faults in marbles: what happens to each line that passes, for authors of clients and servers; and what a server received of a session with faults. */
import { labelOf, parseLine } from '../../protocol/jsonrpc/parseLine';
import { draw } from '../../streams/random';
import { tokenize } from '../../streams/text/words';
import type { NumberedEntry, Session } from '../format/tape';
import { withLength } from '../format/tapeLines';
import { serverLabelOf } from '../session/pairingKey';
import { toSessionIndex } from '../session/toSessionIndex';

type Row = {
  sign: string;
  /** As an option explains the sign. */
  means: string;
  /** What happens to the line, as a person and a tape read it; none if it passes, or if something else takes its place. */
  text?: string;
  /** The text that takes the place of the line's, and is no JSON. */
  damage?: (line: string) => string;
};

/** What a sign stands for. `crash` and `end` take the place of a line; `crash` is not an orderly end. */
const KINDS = {
  pass: { sign: '-', means: 'pass' },
  drop: { sign: 'x', means: 'lose', text: 'is lost' },
  double: { sign: 'D', means: 'double, D+2s again after 2 s', text: 'comes twice' },
  cut: {
    sign: 'c',
    means: 'cut',
    text: 'is cut in half',
    damage: (line: string) => line.slice(0, Math.floor(line.length / 2)),
  },
  garble: {
    sign: 'g',
    means: 'garble',
    text: 'is garbled',
    damage: (line: string) => line.replace(/.(.{0,7})/gsu, '\u0001$1'),
  },
  random: { sign: '?', means: 'random' },
  crash: { sign: '#', means: 'crash' },
  end: { sign: '|', means: 'end' },
} satisfies Readonly<Record<string, Row>>;

type InjectedKind = keyof typeof KINDS;

const ROWS = Object.entries<Row>(KINDS) as [InjectedKind, Row][];

type Fault = {
  kind: InjectedKind;
  /** How long the line waits before that. */
  afterMs: number;
  /** How long after the line its copy comes; at once by default. */
  againMs?: number;
};

/** The faults of the lines of one side, one for each. */
export type Faults = {
  faults: readonly Fault[];
  /** `again`: starts over after the last fault. `once`: all further lines pass. */
  repeat: 'once' | 'again';
};

/** What happens to one line. */
export type Fate = Omit<Fault, 'kind'> & {
  kind: Exclude<InjectedKind, 'random'>;
  /** Counts the lines from 1. */
  number: number;
};

/** The faults that `?` draws from; most lines pass. */
const DRAWN: readonly Fate['kind'][] = ['pass', 'pass', 'pass', 'pass', 'drop', 'double', 'cut', 'garble'];

/** Returns the fate of the next line with each call; undefined if it passes. The same seed draws the same fates. */
export const faultRow = ({ faults, repeat }: Faults, seed: number): (() => Fate | undefined) => {
  let at = 0; // how many lines came
  let random = seed; // the state of the random generator
  return () => {
    const fault = faults[repeat === 'again' ? at % faults.length : at];
    at += 1;
    if (fault === undefined) return undefined;
    if (fault.kind !== 'random') return { ...fault, kind: fault.kind, number: at };
    const { value, next } = draw(random);
    random = next;
    return { ...fault, kind: DRAWN[Math.floor(value * DRAWN.length)] ?? 'pass', number: at };
  };
};

/** The signs as an option explains them. */
export const FAULT_SIGNS = `${ROWS.map(([, { sign, means }]) => `${sign} ${means}`).join(', ')}, 2s wait`;

const TIME = String.raw`(\d+(?:\.\d+)?)(ms|s|m)`;
const PIECE = new RegExp(String.raw`${TIME}|D\+${TIME}|([${ROWS.map(([, { sign }]) => sign).join('')}])`, 'gy');
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

const toMs = (count: string, unit = ''): number => Number(count) * (UNITS[unit] ?? 1);

/**
 * Reads faults; undefined if the text is no row of faults. A time at the end delays a line that passes.
 *   ---x-2s-D    (three lines pass, one is lost, one passes, one passes after 2 s, one comes twice)
 */
export const readFaults = (text: string): Faults | undefined => {
  const row = text.replace(/\*$/, '');
  const faults: Fault[] = [];
  let afterMs = 0;
  for (const [, count, unit, again, againUnit, sign] of tokenize(PIECE, row) ?? []) {
    if (count !== undefined) afterMs += toMs(count, unit);
    else {
      const [kind = 'double'] = ROWS.find(([, row]) => row.sign === sign) ?? [];
      faults.push({ kind, afterMs, ...(again !== undefined && { againMs: toMs(again, againUnit) }) });
      afterMs = 0;
    }
  }
  if (afterMs > 0) faults.push({ kind: 'pass', afterMs });
  if (faults.length === 0) return undefined;
  return { faults, repeat: row === text ? 'once' : 'again' };
};

/** What is wrong with the text of an option; undefined if it is a row of faults. */
export const flawOfFaults = (text: string): string | undefined =>
  readFaults(text) === undefined
    ? `${text} cannot be read; write signs as in ---x-2s-D, and a * at the end to start over`
    : undefined;

/** What happens to a line, as a person and a tape read it; undefined if it passes as it is. */
export const fateText = ({ kind, afterMs, againMs }: Fate): string | undefined => {
  const wait = afterMs === 0 ? undefined : `waits ${afterMs} ms`;
  const text = againMs === undefined ? rowOf(kind).text : `${AGAIN} ${againMs} ms`;
  return [wait, text].filter((one) => one !== undefined).join(', and ') || undefined;
};

const AGAIN = 'comes again after';

const rowOf = (kind: InjectedKind): Row => KINDS[kind];

/** What happened to a line, by `injected` of a tape, which is a `fateText`. */
const injectedKind = (injected: string): InjectedKind => {
  const [kind] = ROWS.find(([, { text }]) => text !== undefined && injected.endsWith(text)) ?? [];
  return kind ?? (injected.includes(AGAIN) ? 'double' : 'pass');
};

/** The text of a line that is cut or garbled, which is no JSON any more; of any other line as it is. */
export const damagedText = (kind: InjectedKind, line: string): string => rowOf(kind).damage?.(line) ?? line;

/** Names a line of the server by its number and its first message. */
export const serverLineName = (line: string, number: number): string =>
  `line ${number} (${serverLabelOf(parseLine(line).messages[0])})`;

/** Names a line of the client by its number and its first message. */
export const clientLineName = (line: string, number: number): string =>
  `line ${number} of the client (${labelOf(parseLine(line).messages[0])})`;

/** How many faults were injected. */
export const countInjected = ({ entries }: Session): number =>
  entries.filter(({ entry }) => entry.injected !== undefined).length;

/** The session as the server saw it: lines are lost, doubled or damaged. An end by the recorder is taken out, with open requests. */
export const asReceived = (session: Session): Session => {
  if (countInjected(session) === 0) return session;
  const left = leftOpen(session);
  return { ...session, entries: session.entries.filter((one) => !left.has(one)).flatMap(received) };
};

const received = (one: NumberedEntry): NumberedEntry[] => {
  const { dir, injected = '', line } = one.entry;
  if (dir !== 'in' || injected === '') return [one];
  const kind = injectedKind(injected);
  if (kind === 'drop') return [];
  if (kind === 'double') return [one, one];
  return [{ ...one, entry: withLength({ ...one.entry, line: damagedText(kind, line) }) }];
};

const leftOpen = (session: Session): ReadonlySet<NumberedEntry> => {
  const isEnd = ({ entry }: NumberedEntry) => entry.dir === 'note' && entry.injected !== undefined;
  if (!session.entries.some(isEnd)) return new Set();
  const { calls, messages } = toSessionIndex(session);
  const open = new Set(
    calls
      .filter(({ from, outcome }) => from === 'client' && outcome === 'open')
      .map(({ request }) => messages[request]?.lineNumber),
  );
  return new Set(session.entries.filter((one) => isEnd(one) || one.entry.dir === 'exit' || open.has(one.lineNumber)));
};
