/** Writes a session as a spec that holds a server to what was recorded. */

import { toHandles } from '../handles/handles';
import type { SessionIndex } from '../session/sessionIndex';
import { paceOf } from './paceOf';
import { type Selection, selectLines } from './selectLines';
import { toPhases } from './toPhases';
import { type SpecOptions, toSpec } from './toSpec';

/** The text of a spec, or why there is none. */
export type WrittenSpec = { kind: 'spec'; text: string } | { kind: 'nothing'; reason: string };

/** Each line takes a column, and people have to read them. */
export const MAX_LINES = 10_000;

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
  const phases = toPhases(lines, toHandles(index), index.exit?.code === 0 ? 'exitedWell' : 'unknown');
  return { kind: 'spec', text: toSpec(phases, { ...options, pace: paceOf(index) }) };
};

const toSpan = ({ fromMs, toMs }: Selection): string => {
  if (fromMs === undefined) return toMs === undefined ? '' : ` up to ${toMs} ms`;
  return toMs === undefined ? ` from ${fromMs} ms on` : ` between ${fromMs} and ${toMs} ms`;
};
