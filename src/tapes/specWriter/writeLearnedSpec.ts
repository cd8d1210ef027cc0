/** Writes a spec from several recordings of one behaviour: what differs between them may differ, all else must not. */
import { learnHoles } from './learnHoles';
import { longestOf, paceOf } from './paceOf';
import { describeLine, type PairedLine, pairLines, type Recording } from './pairLines';
import { toWrittenPhases } from './toPhases';
import { type SpecOptions, toSpec } from './toSpec';
import { MAX_LINES, type WrittenSpec } from './writeSpec';
import { shapeDifference, toPath } from './zipLeaves';

/** Adds no holes, as all were learned. */
const NO_HOLES = { ofServer: (value: unknown) => value, ofClient: (value: unknown) => value };

/** Writes the spec, or the reason why there is none: recordings that do not have the same shape. */
export const writeLearnedSpec = (recordings: readonly Recording[], options: SpecOptions): WrittenSpec => {
  const pairing = pairLines(recordings);
  if (pairing.kind === 'differs') return nothing(`the recordings have different lines: ${pairing.reason}`);
  const { lines } = pairing;
  if (lines.length === 0) return nothing('the client sends nothing');
  if (lines.length > MAX_LINES) return nothing(`${lines.length} lines are more than a spec can show (${MAX_LINES})`);
  const reason = lines.map((one) => reasonOf(recordings, one)).find((found) => found !== undefined);
  if (reason !== undefined) return nothing(`the recordings have different shapes: ${reason}`);
  const exitedWell = recordings.every(({ index }) => index.exit?.code === 0);
  const phases = toWrittenPhases(learnHoles(lines), NO_HOLES, exitedWell ? 'exitedWell' : 'unknown');
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
