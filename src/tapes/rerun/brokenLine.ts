/** Finds a line of an inner seam that cannot be played to the daemon, because it is not what that seam records. */
import { isObject, type JsonObject, parseJson } from '../../protocol/jsonrpc/json';
import { isOnWire } from '../format/sessions';
import type { Entry, NumberedEntry, Session } from '../format/tape';

/** The line of the file, and what it should be. */
type BrokenLine = { lineNumber: number; expected: string };

/** The first such line of a session; undefined where there is none. @param chance the seam of drawn values, whose broken lines are passed over */
export const brokenLine = ({ entries }: Session, chance: string): BrokenLine | undefined => {
  const broken = entries.find(({ entry }) => !isOnWire(entry) && entry.seam !== chance && !isWhole(entry));
  return broken && { lineNumber: broken.lineNumber, expected: expectedOf(broken) };
};

type Kinds = Readonly<Record<string, (event: JsonObject) => boolean>>;

const has =
  (type: 'string' | 'number', ...names: readonly string[]) =>
  (event: JsonObject): boolean =>
    names.every((name) => typeof event[name] === type);

/** The events of a model and of an executor by their kind, and the members without which they cannot be used. */
const EVENTS: Readonly<Record<string, Kinds>> = {
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
