/** Owns turning a session into a spec. */
import { isObject } from '../protocol/jsonrpc';
import { toRecording } from '../session';
import type { Session } from '../tape';
import { type Choice, choose, threadsOf } from './choose';
import { toPhases } from './toPhases';
import { type SpecOptions, toSpec } from './toSpec';

/** The text of a spec, or why there is none. */
export type WrittenSpec = { kind: 'spec'; text: string } | { kind: 'nothing'; reason: string };

/** A column a line, which somebody is to read. */
const MAX_LINES = 10_000;

/** Writes a spec that holds a server to what was recorded. */
export const writeSpec = (session: Session, choice: Choice, options: SpecOptions): WrittenSpec => {
  const recording = toRecording(session);
  const threads = threadsOf(recording);
  const { thread } = choice;
  if (thread !== undefined && !threads.some((one) => one.includes(thread))) {
    const known = threads.length === 0 ? 'it names no thread' : `its threads are ${threads.join(', ')}`;
    return { kind: 'nothing', reason: `thread ${thread} is not on the tape; ${known}` };
  }
  const lines = choose(recording, choice);
  if (lines === undefined) {
    const last = Math.ceil(session.entries.at(-1)?.entry.t ?? 0);
    return { kind: 'nothing', reason: `the client says nothing${toSpan(choice)}; the tape goes from 0 to ${last} ms` };
  }
  if (lines.length > MAX_LINES) {
    const reason = `${lines.length} lines are more than a spec can show (${MAX_LINES}): --from, --to or --thread take a part`;
    return { kind: 'nothing', reason };
  }
  return { kind: 'spec', text: toSpec(toPhases(lines, endingOf(session)), options) };
};

const toSpan = ({ fromMs, toMs }: Choice): string => {
  if (fromMs === undefined) return toMs === undefined ? '' : ` up to ${toMs} ms`;
  return toMs === undefined ? ` from ${fromMs} ms on` : ` between ${fromMs} and ${toMs} ms`;
};

/** Whether the server ended by itself and well, as the recorder has it. */
const endingOf = ({ entries }: Session): 'well' | 'unknown' => {
  const exit = entries.findLast(({ entry }) => entry.dir === 'exit');
  if (exit === undefined) return 'unknown';
  const value: unknown = JSON.parse(exit.entry.line);
  return isObject(value) && value.code === 0 ? 'well' : 'unknown';
};
