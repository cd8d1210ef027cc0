/** Pairs the lines of several recordings of one behaviour. */

import { labelOf, type ParsedLine } from '../../protocol/jsonrpc/parseLine';
import { serverLabelOf } from '../session/pairingKey';
import type { SessionIndex } from '../session/sessionIndex';
import { selectLines } from './selectLines';
import { type LanedLine, toLanes } from './toLanes';

/** A recording. `name` is that of its file. */
export type Recording = { name: string; index: SessionIndex };

/** A line of the first recording, and those in its place in the others, in their order. */
export type PairedLine = { line: LanedLine; others: readonly LanedLine[] };

/** The lines of all, or where a recording has another line, or none. */
export type Pairing = { kind: 'paired'; lines: readonly PairedLine[] } | { kind: 'differs'; reason: string };

/** Lines by their keys: the same key in each recording for what belongs together. */
type Keyed = Recording & { lines: ReadonlyMap<string, LanedLine> };

/**
 * Pairs client lines by their order, and server lines by the request they belong to, their label, and their order among those.
 * The end of the client's input may be missing.
 */
export const pairLines = (recordings: readonly Recording[]): Pairing => {
  const [first, ...others] = recordings.map(toKeyed);
  if (first === undefined) return { kind: 'paired', lines: [] };
  const reason = others.map((other) => differenceOf(first, other)).find((found) => found !== undefined);
  if (reason !== undefined) return { kind: 'differs', reason };
  const paired = ([key, line]: [string, LanedLine]): PairedLine => ({
    line,
    others: others.flatMap(({ lines }) => lines.get(key) ?? []),
  });
  return { kind: 'paired', lines: [...first.lines].map(paired) };
};

const toKeyed = (recording: Recording): Keyed => {
  const counts = new Map<string, number>();
  const lines = toLanes(selectLines(recording.index, {}) ?? []).map((one): [string, LanedLine] => {
    const group = groupOf(one);
    const nth = (counts.get(group) ?? 0) + 1;
    counts.set(group, nth);
    return [`${group} ${nth}`, one];
  });
  return { ...recording, lines: new Map(lines) };
};

const groupOf = (one: LanedLine): string => {
  if (one.side !== 'server') return one.side;
  const { link, owner } = one.line;
  return `server ${link === 'named' ? owner : 'any'} ${labelsOf(one)}`;
};

const labelsOf = ({ side, line }: LanedLine): string =>
  side === 'server' ? line.messages.map(serverLabelOf).join(', ') : clientLabelOf(line);

const clientLabelOf = ({ messages }: ParsedLine): string =>
  messages.map((message) => (message.kind === 'response' ? serverLabelOf(message) : labelOf(message))).join(', ');

const differenceOf = (first: Keyed, other: Keyed): string | undefined => {
  for (const [key, line] of first.lines) {
    const now = other.lines.get(key);
    if (line.side === 'endOfInput') continue;
    if (now === undefined) return `${describeLine(first, line)}; ${other.name} has no line in its place`;
    if (labelsOf(line) !== labelsOf(now)) return `${describeLine(first, line)}; ${describeLine(other, now)}`;
  }
  const added = [...other.lines].find(([key, { side }]) => side !== 'endOfInput' && !first.lines.has(key));
  return added && `${describeLine(other, added[1])}; ${first.name} has no line in its place`;
};

/** A line for people: its file and number there, and what it is. */
export const describeLine = ({ name, index }: Recording, one: LanedLine): string => {
  const owner = one.side === 'server' && one.line.link === 'named' ? index.clientLines[one.line.owner] : undefined;
  const goesWith = owner === undefined ? '' : ` to ${clientLabelOf(owner)}`;
  return `${name}:${one.line.lineNumber} is ${labelsOf(one)} of the ${one.side === 'server' ? 'server' : 'client'}${goesWith}`;
};
