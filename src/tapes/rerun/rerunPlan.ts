/** What a recorded daemon received and sent, at all its seams, as the steps of running it again. */
import { parseJson } from '../../protocol/jsonrpc/json';
import { isOnWire } from '../format/sessions';
import { type Entry, INPUT_ENDED, OUTPUT_CLOSED, type Session, SIGNAL_NOTE } from '../format/tape';

/** A call at an inner seam that was recorded: what it asked, and where. */
export type RecordedCall = { seam: string; line: string };

/**
 * A step, in recorded order. `send`: a line of the client, or its end; `stop`: a signal to the daemon; `close`: nobody reads its lines any
 * more. `respond`: a response at a seam, or how the call ended. `line`: a line of the daemon; `request`: it asks at a seam. `call` is a
 * place in `calls`.
 */
export type PlannedStep =
  | { kind: 'send'; line: string }
  | { kind: 'end' }
  | { kind: 'close' }
  | { kind: 'stop'; signal: string }
  | { kind: 'respond'; call: number; entry: Entry; isLast: boolean }
  | { kind: 'line' }
  | { kind: 'request'; call: number };

/** `drawn` has the values of chance by their names, in order. */
export type RerunPlan = {
  steps: readonly PlannedStep[];
  calls: readonly RecordedCall[];
  lines: readonly string[];
  drawn: ReadonlyMap<string, readonly unknown[]>;
};

/** `chance`: the seam of drawn values. `choice`: a seam whose result is given without the calls at the seams `inner` that were made for it. */
export type SeamNames = { chance: string; choice: { seam: string; inner: readonly string[] } };

/** Makes the plan of a session. */
export const toRerunPlan = ({ entries }: Session, { chance, choice }: SeamNames): RerunPlan => {
  const plan: Growing = { steps: [], calls: [], lines: [], drawn: new Map(), open: new Map(), stopped: new Set() };
  let isChoosing = false;
  for (const { entry } of entries) {
    const { seam = '', dir } = entry;
    if (seam === choice.seam) isChoosing = dir === 'in';
    if (seam === chance) addDrawn(plan.drawn, entry.line);
    else if (isOnWire(entry)) addWire(plan, entry);
    else if (dir !== 'in' || !isChoosing || !choice.inner.includes(seam)) addSeam(plan, entry);
  }
  const { calls, lines, drawn } = plan;
  return { calls, lines, drawn, steps: markLast(plan) };
};

/** `open` are calls by their seam and number; `stopped` those that the daemon gave up. */
type Growing = {
  steps: PlannedStep[];
  calls: RecordedCall[];
  lines: string[];
  drawn: Map<string, unknown[]>;
  open: Map<string, number>;
  stopped: Set<number>;
};

/** A line that is not `[name, value]` is passed over: the daemon draws a value of its own, and the report shows what differs. */
const addDrawn = (drawn: Map<string, unknown[]>, line: string): void => {
  const entry = parseJson(line);
  if (!Array.isArray(entry) || typeof entry[0] !== 'string') return;
  const [name, value] = entry as [string, unknown];
  const values = drawn.get(name);
  if (values === undefined) drawn.set(name, [value]);
  else values.push(value);
};

const addWire = ({ steps, lines }: Growing, { dir, line }: Entry): void => {
  if (dir === 'in') steps.push({ kind: 'send', line });
  else if (dir === 'note' && line === INPUT_ENDED) steps.push({ kind: 'end' });
  else if (dir === 'note' && line === OUTPUT_CLOSED) steps.push({ kind: 'close' });
  else if (dir === 'note' && line.startsWith(SIGNAL_NOTE))
    steps.push({ kind: 'stop', signal: line.slice(SIGNAL_NOTE.length) });
  else if (dir === 'out') {
    steps.push({ kind: 'line' });
    lines.push(line);
  }
};

const addSeam = ({ steps, calls, open, stopped }: Growing, entry: Entry): void => {
  const { seam = '', call, dir, line } = entry;
  const key = `${seam} ${call}`;
  if (dir === 'in') {
    open.set(key, calls.push({ seam, line }) - 1);
    steps.push({ kind: 'request', call: calls.length - 1 });
    return;
  }
  const found = open.get(key);
  if (found === undefined) return;
  if (dir === 'note' && line === 'stopped') stopped.add(found);
  else steps.push({ kind: 'respond', call: found, entry, isLast: false });
};

/** A call that was given up has no last response. */
const markLast = ({ steps, stopped }: Growing): PlannedStep[] => {
  const last = new Map(steps.flatMap((step, at) => (step.kind === 'respond' ? [[step.call, at] as const] : [])));
  return steps.map((step, at) =>
    step.kind === 'respond' ? { ...step, isLast: last.get(step.call) === at && !stopped.has(step.call) } : step,
  );
};
