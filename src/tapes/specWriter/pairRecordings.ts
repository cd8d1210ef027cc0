/** Pairs several recordings of one behaviour: their lines, and then the values in these, leaf by leaf. */
import { isObject } from '../../protocol/jsonrpc/json';
import { labelOf, type ParsedLine } from '../../protocol/jsonrpc/parseLine';
import { serverLabelOf } from '../session/pairingKey';
import type { SessionIndex } from '../session/sessionIndex';
import { selectLines } from './selectLines';
import { type LanedLine, toLanes } from './toLanes';

/** A recording, and the name of its file. */
export type Recording = { name: string; index: SessionIndex };

/** A line of the first recording, and the lines in its place in the other recordings. */
export type PairedLine = { line: LanedLine; others: readonly LanedLine[] };

/** The lines of all recordings, or how one of them differs. */
type Pairing = { kind: 'paired'; lines: readonly PairedLine[] } | { kind: 'differs'; reason: string };

/** Lines by keys, which are the same in each recording for lines that belong together. */
type Keyed = Recording & { lines: ReadonlyMap<string, LanedLine> };

/** Pairs client lines in order, server lines by request, label and order. The end of the client's input may be missing. */
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

/** A line for people: its file, its number there, and its kind. */
export const describeLine = ({ name, index }: Recording, one: LanedLine): string => {
  const owner = one.side === 'server' && one.line.link === 'named' ? index.clientLines[one.line.owner] : undefined;
  const goesWith = owner === undefined ? '' : ` to ${clientLabelOf(owner)}`;
  return `${name}:${one.line.lineNumber} is ${labelsOf(one)} of the ${one.side === 'server' ? 'server' : 'client'}${goesWith}`;
};

/** The place of a part in a message: members and indices. */
export type Place = readonly (string | number)[];

type ShapeDifference = {
  place: Place;
  /** What the first value is there. */
  first: string;
  /** What the other value is there. */
  now: string;
  /** The index of the other value. */
  other: number;
};

/** Members that name a request or the kind of a message: no values of a behaviour. */
const ENVELOPE =
  /^(?:\d+\.)?(?:jsonrpc|id|method|seq|request_seq|params\.(?:_meta\.)?(?:requestId|progressToken|codex_mcp_tool_call_id)|params\._meta\.io\.modelcontextprotocol\/subscriptionId)$/;

/** A place as a report writes it. */
export const toPath = (place: Place): string =>
  place.reduce<string>((path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`), 'message');

/** The first place where values have another shape: other members, another length, or a value in place of an object. */
export const shapeDifference = (values: readonly unknown[], place: Place = []): ShapeDifference | undefined => {
  const [first] = values;
  const other = values.findIndex((value) => shapeOf(value) !== shapeOf(first));
  if (other !== -1) return { place, other, ...toWords(first, values[other]) };
  if (typeof first !== 'object' || first === null) return undefined;
  return Object.keys(first)
    .map((name) => shapeDifference(partsOf(values, name), [...place, Array.isArray(first) ? Number(name) : name]))
    .find((found) => found !== undefined);
};

/**
 * The first value with other leaves.
 * @param ofLeaf gets the leaves at one place; leaves of the envelope stay
 */
export const zipLeaves = (
  values: readonly unknown[],
  place: Place,
  ofLeaf: (leaves: readonly unknown[], place: Place) => unknown,
): unknown => {
  const [first] = values;
  if (ENVELOPE.test(place.join('.'))) return first;
  if (Array.isArray(first)) return first.map((_, at) => zipLeaves(partsOf(values, String(at)), [...place, at], ofLeaf));
  if (!isObject(first)) return ofLeaf(values, place);
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, zipLeaves(partsOf(values, name), [...place, name], ofLeaf)]),
  );
};

const partsOf = (values: readonly unknown[], name: string): unknown[] =>
  values.map((value) => (value as Readonly<Record<string, unknown>>)[name]);

const shapeOf = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} items`;
  return isObject(value) ? `members ${JSON.stringify(Object.keys(value).sort())}` : 'a value';
};

const toWords = (first: unknown, now: unknown): { first: string; now: string } => {
  if (!isObject(first) || !isObject(now)) return { first: toWord(first), now: toWord(now) };
  const missing = Object.keys(first).find((name) => !(name in now));
  if (missing !== undefined) return { first: `has ${missing}`, now: `has no ${missing}` };
  const added = Object.keys(now).find((name) => !(name in first));
  return { first: `has no ${added}`, now: `has ${added}` };
};

const toWord = (value: unknown): string => {
  if (Array.isArray(value)) return `has ${value.length} ${value.length === 1 ? 'item' : 'items'}`;
  return isObject(value) ? 'is an object' : 'is a value';
};
