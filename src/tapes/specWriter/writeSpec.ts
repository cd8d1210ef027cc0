/** Writes specs that compare a server with what was recorded: from one session, or from several recordings of one behaviour. */
import { toHandles } from '../handles/handles';
import type { SessionIndex } from '../session/sessionIndex';
import { learnHoles } from './learnHoles';
import { describeLine, type PairedLine, pairLines, type Recording, shapeDifference, toPath } from './pairRecordings';
import { type Selection, selectLines } from './selectLines';
import { toPhases, toWrittenPhases } from './toPhases';
import { longestOf, paceOf, type SpecOptions, toSpec } from './toSpec';

/** The text of a spec, or why there is none. */
export type WrittenSpec = { kind: 'spec'; text: string } | { kind: 'nothing'; reason: string };

/** Each line takes a column, and people have to read them. */
const MAX_LINES = 10_000;

/** Writes the selected part of a session as a spec. */
export const writeSpec = (index: SessionIndex, selection: Selection, options: SpecOptions): WrittenSpec => {
  const { thread } = selection;
  if (thread !== undefined && !index.threads.some((id) => id.includes(thread))) {
    const known = index.threads.length === 0 ? 'it names no thread' : `its threads are ${index.threads.join(', ')}`;
    return { kind: 'nothing', reason: `thread ${thread} is not on the tape; ${known}` };
  }
  const lines = selectLines(index, selection);
  if (lines === undefined) {
    const last = Math.ceil(index.entries.at(-1)?.entry.t ?? 0);
    const reason = `the client sends nothing${toSpan(selection)}; the tape goes from 0 to ${last} ms`;
    return { kind: 'nothing', reason };
  }
  if (lines.length > MAX_LINES) {
    const reason = `${lines.length} lines are more than a spec can show (${MAX_LINES}): select a part with --from, --to or --thread`;
    return { kind: 'nothing', reason };
  }
  const phases = toPhases(lines, toHandles(index), exitedWell(index) ? 'exitedWell' : 'unknown');
  return { kind: 'spec', text: toSpec(phases, { ...options, pace: paceOf(index), compare: 'asReplay' }) };
};

/** By itself: a spec sends no signal. */
const exitedWell = ({ exit, signalled }: SessionIndex): boolean => exit?.code === 0 && signalled === undefined;

const toSpan = ({ fromMs, toMs }: Selection): string => {
  if (fromMs === undefined) return toMs === undefined ? '' : ` up to ${toMs} ms`;
  return toMs === undefined ? ` from ${fromMs} ms on` : ` between ${fromMs} and ${toMs} ms`;
};

/** Adds no holes, as all were learned. */
const NO_HOLES = { ofServer: (value: unknown) => value, ofClient: (value: unknown) => value };

/** Writes a spec from several recordings: what differs between them may differ, all else must not. Their messages must have the same shape. */
export const writeLearnedSpec = (recordings: readonly Recording[], options: SpecOptions): WrittenSpec => {
  const pairing = pairLines(recordings);
  if (pairing.kind === 'differs') return nothing(`the recordings have different lines: ${pairing.reason}`);
  const { lines } = pairing;
  if (lines.length === 0) return nothing('the client sends nothing');
  if (lines.length > MAX_LINES) return nothing(`${lines.length} lines are more than a spec can show (${MAX_LINES})`);
  const reason = lines.map((one) => reasonOf(recordings, one)).find((found) => found !== undefined);
  if (reason !== undefined) return nothing(`the recordings have different shapes: ${reason}`);
  const ending = recordings.every(({ index }) => exitedWell(index)) ? 'exitedWell' : 'unknown';
  const phases = toWrittenPhases(learnHoles(lines), NO_HOLES, ending);
  const pace = longestOf(recordings.map(({ index }) => paceOf(index)));
  return { kind: 'spec', text: toSpec(phases, { ...options, pace }) };
};

const nothing = (reason: string): WrittenSpec => ({
  kind: 'nothing',
  reason: `${reason}; record the same behaviour in each, or leave one out`,
});

const reasonOf = (recordings: readonly Recording[], { line, others }: PairedLine): string | undefined => {
  const found = shapeDifference([line, ...others].map((one) => one.line.value));
  const [first, other] = [recordings[0], recordings[found?.other ?? 0]];
  const now = others[(found?.other ?? 0) - 1];
  if (found === undefined || !first || !other || !now) return undefined;
  return `${describeLine(first, line)}: ${toPath(found.place)} ${found.first}, in ${other.name}:${now.line.lineNumber} it ${found.now}`;
};
