/** A played client polls a task until it is in the state that the recorded poll found, however long that takes now. */
import { isObject, toJson, toObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { SessionIndex } from '../session/sessionIndex';
import { polledStates, shownTask, WORKING } from '../session/sessionTasks';

/** A recorded poll that found a task which did not work, such as its end. */
export type RecordedPoll = {
  /** The line of the client. */
  line: number;
  /** The response. */
  value: unknown;
};

type RepeatedPoll = RecordedPoll & {
  /** How long the client waits before it. */
  waitMs: number;
  /** The key of its id, once it was sent. */
  sent?: string;
};

/** The polls that a client repeats. */
export type Polling = {
  repeated: readonly RepeatedPoll[];
  /** How many polls were repeated. */
  repeats: number;
};

/** Before the first poll. */
export const NO_POLLS: Polling = { repeated: [], repeats: 0 };

/** Tasks that work on for longer than this many polls are given up. */
const MAX_REPEATS = 1_000;
/** Longer intervals are for people who wait. */
const MAX_WAIT_MS = 1_000;

/** The recorded polls that are repeated while a task works, by the keys of their ids. */
export const toRecordedPolls = (index: SessionIndex): ReadonlyMap<string, RecordedPoll> =>
  new Map(
    [...polledStates(index)].flatMap(([line, { state, value }]) => {
      const [request] = index.clientLines[line]?.messages ?? [];
      return request?.kind === 'request' && state !== WORKING ? [[idKey(request.id), { line, value }] as const] : [];
    }),
  );

/** The polls after a message of the server; `found` is the repeated poll that it ends. */
export const receivePoll = (
  polls: ReadonlyMap<string, RecordedPoll>,
  polling: Polling,
  message: TapeMessage,
): { polling: Polling; found?: RecordedPoll } => {
  if (message.kind !== 'response' || message.id === null) return { polling };
  const key = idKey(message.id);
  const again = polling.repeated.find(({ sent }) => sent === key);
  const poll = again ?? polls.get(key);
  const task = shownTask(message);
  const worksOn = task?.status === WORKING && polling.repeats < MAX_REPEATS;
  if (poll === undefined || (again === undefined && !worksOn)) return { polling };
  const others = polling.repeated.filter((one) => one !== again);
  if (!worksOn) return { polling: { ...polling, repeated: others }, found: poll };
  const { line, value } = poll;
  const waitMs = Math.min(MAX_WAIT_MS, Number(task.pollIntervalMs) || MAX_WAIT_MS);
  return { polling: { ...polling, repeated: [...others, { line, value, waitMs }] } };
};

/** How long the client waits before it repeats polls; undefined if it has none to send. */
export const repeatMs = ({ repeated }: Polling): number | undefined => {
  const waits = repeated.flatMap(({ sent, waitMs }) => (sent === undefined ? [waitMs] : []));
  return waits.length === 0 ? undefined : Math.min(...waits);
};

/**
 * Sends the polls that are repeated, under new ids.
 * @param textOf the text of a recorded line now
 */
export const repeatPolls = (
  before: Polling,
  textOf: (line: number) => string,
): { polling: Polling; output: readonly string[] } => {
  const output: string[] = [];
  let { repeats } = before;
  const repeated = before.repeated.map((poll): RepeatedPoll => {
    if (poll.sent !== undefined) return poll;
    const request: unknown = JSON.parse(textOf(poll.line));
    const id = newId(toObject(request).id, ++repeats);
    output.push(toJson({ ...(isObject(request) ? request : {}), id }));
    return { ...poll, sent: idKey(id) };
  });
  return { polling: { repeated, repeats }, output };
};

/** Far from the ids that clients count. */
const FIRST_NUMBER = 1_000_000_000;

const newId = (id: unknown, repeats: number): RequestId =>
  typeof id === 'string' ? `${id}-again-${repeats}` : FIRST_NUMBER + repeats;
