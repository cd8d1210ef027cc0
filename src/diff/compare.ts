/** Owns comparing two runs of one session: for each line of the client what the server told because of it. */
import {
  type Difference,
  diffJson,
  END_KEY,
  type HeardLine,
  hidesMessage,
  joinDeltas,
  labelOf,
  type Masks,
  type Recording,
  serverLabelOf,
  type TapeMessage,
  toCanonical,
  toMask,
  toMatched,
  withoutRequestNames,
} from '../session';

/** A line of the server as it is compared; `text` is its value as one text. */
export type Compared = { lineNumber: number; value: unknown; text: string; label: string };

/** What belongs together: all that a line of the client brought about, or what belongs to none. */
export type Lane = { key: string; label: string; lineNumber: number; lines: Compared[] };

/**
 * `at` is the first place in the lane where the runs differ; a side that is over has nothing there. `reason` is why there
 * is nothing to compare.
 */
export type LaneResult = {
  label: string;
  lineNumber: number;
  recorded: Compared[];
  now: Compared[];
  difference?: { at: number; reason?: string; values: Difference[] };
};

const NOT_NOW = 'the client did not get to say this now';
const ONLY_NOW = 'the client says this only now';

/**
 * Compares lane by lane; the order between lanes is the scheduler's and not compared. Names of requests are none of a
 * value, nor is what the masks hide, nor where a text was cut into deltas, nor whether the end of input was told.
 */
export const compare = (recorded: Recording, now: Recording, masks: Masks): LaneResult[] => {
  const mask = toMask(masks);
  const isCompared = ([message]: readonly TapeMessage[]): boolean =>
    !(message && 'method' in message && hidesMessage(masks, message.method));
  const toLanes = (run: Recording): Lane[] =>
    lanesOf({ heard: run.heard, told: run.told.filter(({ messages }) => isCompared(messages)) }, mask);
  const nowLanes = new Map(toLanes(now).map((lane) => [lane.key, lane]));
  const before = toLanes(recorded).map((lane) => {
    const other = nowLanes.get(lane.key);
    nowLanes.delete(lane.key);
    return toResult(lane, lane.lines, other?.lines ?? [], other === undefined ? NOT_NOW : '');
  });
  const added = [...nowLanes.values()].map((lane) => toResult(lane, [], lane.lines, ONLY_NOW));
  return [...before, ...added];
};

const lanesOf = ({ heard, told }: Recording, mask: (value: unknown) => unknown): Lane[] => {
  const seen = new Map<string, number>();
  const keyed = heard.map((line): Lane => {
    const key = line.messages.map((message) => keyOf(line, message, mask)).join(' ');
    const nth = (seen.get(key) ?? 0) + 1;
    seen.set(key, nth);
    return { key: `${key} ${nth}`, label: labelOf(line.messages[0]), lineNumber: line.lineNumber, lines: [] };
  });
  const free: Lane = { key: 'free', label: 'what belongs to no request', lineNumber: 0, lines: [] };
  for (const line of told) {
    const [message] = line.messages;
    const value = mask(line.value === undefined ? line.line : withoutRequestNames(line.value));
    const lane = (line.tied && keyed[line.owner]) || free;
    lane.lines.push({ lineNumber: line.lineNumber, value, text: '', label: serverLabelOf(message) });
  }
  const spoken = keyed.filter((_, i) => heard[i]?.key !== END_KEY);
  return [...spoken, free].map((lane) => ({ ...lane, lines: joinDeltas(lane.lines).map(withText) }));
};

const withText = (line: Compared): Compared => ({ ...line, text: toCanonical(line.value) });

const keyOf = ({ line }: HeardLine, message: TapeMessage, mask: (value: unknown) => unknown): string => {
  if ('method' in message)
    return `${message.kind} ${message.method} ${toCanonical(withoutIds(mask(toMatched(message.params))))}`;
  return message.kind === 'response' ? `response ${toCanonical(mask(message.body))}` : line;
};

const withoutIds = (params: unknown): unknown => (withoutRequestNames({ params }) as { params: unknown }).params;

const toResult = ({ label, lineNumber }: Lane, recorded: Compared[], now: Compared[], reason: string): LaneResult => {
  const result = { label, lineNumber, recorded, now };
  if (reason !== '') return { ...result, difference: { at: 0, reason, values: [] } };
  const longest = Math.max(recorded.length, now.length);
  const at = Array.from({ length: longest }, (_, i) => i).find((i) => recorded[i]?.text !== now[i]?.text);
  if (at === undefined) return result;
  return { ...result, difference: { at, values: diffJson(recorded[at]?.value, now[at]?.value, 'message') } };
};
