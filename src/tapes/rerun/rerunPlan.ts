/** What a recorded daemon received and sent, at all its seams, as the steps of running it again. */
import { isObject, type JsonObject, parseJson } from '../../protocol/jsonrpc/json';
import {
  type Entry,
  INPUT_ENDED,
  isOnWire,
  type NumberedEntry,
  OUTPUT_CLOSED,
  type Session,
  SIGNAL_NOTE,
} from '../format/tape';

/** A call at an inner seam that was recorded: what it asked, and where. */
export type RecordedCall = { seam: string; line: string };

/** A step, in recorded order; `call` is an index in `calls`. */
export type PlannedStep =
  /** The client sent a line. */
  | { kind: 'send'; line: string }
  /** The client's input ended. */
  | { kind: 'end' }
  /** Nobody reads the daemon's lines any more. */
  | { kind: 'close' }
  /** The daemon got a signal. */
  | { kind: 'stop'; signal: string }
  /** A response at a seam, or how the call ended. */
  | { kind: 'respond'; call: number; entry: Entry; isLast: boolean }
  /** The daemon sent a line. */
  | { kind: 'line' }
  /** The daemon made a call at a seam. */
  | { kind: 'request'; call: number };

/** What a daemon is run again with. */
export type RerunPlan = {
  steps: readonly PlannedStep[];
  calls: readonly RecordedCall[];
  /** The lines that the daemon sent. */
  lines: readonly string[];
  /** The values of chance by their names, in order. */
  drawn: ReadonlyMap<string, readonly unknown[]>;
};

type SeamNames = {
  /** The seam of drawn values. */
  chance: string;
  /** A seam whose result is played without the calls at the seams `inner` that were made for it. */
  choice: { seam: string; inner: readonly string[] };
};

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

type Growing = {
  steps: PlannedStep[];
  calls: RecordedCall[];
  lines: string[];
  drawn: Map<string, unknown[]>;
  /** Calls by their seam and number. */
  open: Map<string, number>;
  /** Calls that the daemon gave up. */
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

type BrokenLine = { lineNumber: number; expected: string };

/**
 * The first line of an inner seam that cannot be played, because that seam never records such a line; undefined if there is none.
 * @param chance the seam of drawn values, whose broken lines are skipped
 */
export const brokenLine = ({ entries }: Session, chance: string): BrokenLine | undefined => {
  const broken = entries.find(({ entry }) => !isOnWire(entry) && entry.seam !== chance && !isWhole(entry));
  return broken && { lineNumber: broken.lineNumber, expected: expectedOf(broken) };
};

const has =
  (type: 'string' | 'number', ...names: readonly string[]) =>
  (event: JsonObject): boolean =>
    names.every((name) => typeof event[name] === type);

/** The events of a model and of an executor by their kind, with the members that they need. */
const EVENTS: Readonly<Record<string, Readonly<Record<string, (event: JsonObject) => boolean>>>> = {
  model: {
    text: has('string', 'itemId', 'delta'),
    reasoning: has('string', 'itemId', 'delta'),
    rawReasoning: has('string', 'itemId', 'delta'),
    reasoningBreak: has('string', 'itemId'),
    item: ({ item }) => isObject(item) && typeof item.type === 'string',
    search: has('string', 'callId'),
    unknown: has('string', 'type'),
    completed: (event) => has('string', 'responseId')(event) && (event.usage === null || isObject(event.usage)),
  },
  executor: {
    started: () => true,
    output: (event) => has('number', 'seq')(event) && has('string', 'stream', 'chunk')(event),
    gap: has('number', 'seq', 'missing'),
    exited: has('number', 'seq', 'exitCode'),
    closed: has('number', 'seq'),
    failed: has('string', 'reason'),
  },
};

const isWhole = ({ dir, seam = '', line }: Entry): boolean => {
  if (dir !== 'in' && dir !== 'out') return true;
  const value = parseJson(line);
  const kinds = dir === 'out' ? EVENTS[seam] : undefined;
  if (kinds === undefined) return value !== undefined;
  return (
    isObject(value) &&
    typeof value.kind === 'string' &&
    Object.hasOwn(kinds, value.kind) &&
    kinds[value.kind]?.(value) === true
  );
};

const expectedOf = ({ entry: { dir, seam = '' } }: NumberedEntry): string => {
  if (dir === 'in') return `a request at the seam ${seam}`;
  return seam in EVENTS ? `an event of the ${seam}` : `a response at the seam ${seam}`;
};
