/** Reduces lines to what is compared: without what the masks hide, and without ids of requests. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { withoutRequestNames } from '../../protocol/jsonrpc/requestNames';
import { lazy } from '../../streams/lazy';
import { type Handles, isDescription, toHandles } from '../handles/handles';
import { replaceHandles } from '../handles/replaceHandles';
import { type Masks, toMask } from '../matching/mask';
import { parseTexts, toCanonical, toMatched } from '../matching/matchKey';
import { joinDeltas } from '../session/joinDeltas';
import { serverLabelOf } from '../session/pairingKey';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';
import { shownTask, WORKING } from '../session/sessionTasks';

/** A line of the server as it is compared. */
export type Compared = {
  lineNumber: number;
  value: unknown;
  /** The value as one text. */
  text: string;
  label: string;
};

/** What is compared of a session. */
export type Comparer = {
  handles: () => Handles;
  /** Of server lines. */
  linesOf: (lines: readonly ServerLine[]) => Compared[];
  /** One text for the meaning of a client line. */
  keyOf: (line: ClientLine) => string;
};

type Mask = (message: unknown) => unknown;

/** Makes the comparer of a session. Handles are compared by where they were issued; they are found when they are first needed. */
export const toComparer = (index: SessionIndex, masks: Masks): Comparer => {
  const mask = toMask(masks);
  const maskDescription = toMask({ ...masks, names: masks.names.filter((name) => name !== 'duration') }); // a limit that a server states
  const handles = lazy((): Handles => (masks.names.includes('handle') ? toHandles(index) : new Map()));
  const parsed: Mask = (message) =>
    parseTexts(replaceHandles(handles(), message, ({ origin }) => `<handle ${origin}>`));
  const masked: Mask = (message) => mask(parsed(message));
  const maskOf = (line: ServerLine): Mask =>
    isDescription(index, line) ? (message) => maskDescription(parsed(message)) : masked;
  return {
    handles,
    linesOf: (lines) =>
      joinDeltas(lines.map((line) => toCompared(line, maskOf(line)))).map((line) => ({
        ...line,
        text: toCanonical(line.value),
      })),
    keyOf: ({ line, messages }) => messages.map((message) => keyOf(line, message, masked)).join(' '),
  };
};

/** Lines that need no mask, as they are the same on both sides. */
export const toUnmasked = (lines: readonly ServerLine[]): Compared[] =>
  joinDeltas(
    lines.map(({ lineNumber, line, value, messages }) => ({
      lineNumber,
      value: value ?? line,
      text: line,
      label: serverLabelOf(messages[0]),
    })),
  );

const toCompared = ({ lineNumber, line, value, messages }: ServerLine, mask: Mask): Compared => ({
  lineNumber,
  value: mask(value === undefined ? line : withoutMoment(withoutRequestNames(value), messages[0])),
  text: '',
  label: serverLabelOf(messages[0]),
});

/** What a task does, and how long it is kept, depend on when it is looked at. */
const withoutMoment = (value: unknown, message: TapeMessage | undefined): unknown => {
  const task = shownTask(message);
  if (!isObject(value) || task === undefined) return value;
  const { statusMessage, ...shown } = task;
  const kept = typeof task.ttlMs === 'number' ? { ...shown, ttlMs: 'a time' } : shown;
  const seen = task.status === WORKING ? kept : { ...kept, statusMessage };
  return { ...value, ['result' in value ? 'result' : 'params']: seen };
};

const keyOf = (line: string, message: TapeMessage, mask: Mask): string => {
  if ('method' in message)
    return `${message.kind} ${message.method} ${toCanonical(withoutIds(mask({ params: toMatched(message.params) })))}`;
  return message.kind === 'response' ? `response ${toCanonical(mask(message.body))}` : line;
};

const withoutIds = (message: unknown): unknown => (withoutRequestNames(message) as { params: unknown }).params;
