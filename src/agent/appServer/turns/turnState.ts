/** What is known of a turn while it is running. */
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { RequestId } from '../../../protocol/jsonrpc/messages';
import type { Reduced } from '../../../streams/gather';
import type { TurnStop } from '../../turns/turnEnd';
import type { Question } from '../items/questions';
import type { Item } from '../shapes';

/** An item that has begun in the server and not ended. `isAnnounced`: its beginning was emitted. */
export type OpenItem = { item: Item; isAnnounced: boolean };

/**
 * `items` are the open ones, by id; `questions` those that wait for a decision, by the id of their request; `reviewed` the
 * ids of the patches that somebody was asked about; `lastMessage` is the agent's; `diff` the last one that was emitted;
 * `stop` why the turn is being stopped from this side; `turnId` is '' while it is not known.
 */
export type TurnState = {
  readonly turnId: string;
  readonly items: ReadonlyMap<string, OpenItem>;
  readonly questions: ReadonlyMap<RequestId, Question>;
  readonly reviewed: ReadonlySet<string>;
  readonly lastMessage: string | null;
  readonly diff: string;
  readonly stop?: TurnStop;
};

export const initialTurn: TurnState = {
  turnId: '',
  items: new Map(),
  questions: new Map(),
  reviewed: new Set(),
  lastMessage: null,
  diff: '',
};

/** The state after a message, and its events in the form of `codex/event`. */
export type ReducedTurn = Reduced<TurnState, EventMsg>;

/** The reducer of one kind of notification; the params are as the server sent them. */
export type ReduceParams = (state: TurnState, params: unknown) => ReducedTurn;

/** A notification that is emitted and leaves nothing to remember. */
export const emitting =
  (toMsgs: (params: unknown) => EventMsg[]): ReduceParams =>
  (state, params) => ({ state, output: toMsgs(params) });

/** A copy of a map with one more entry, or without the entry if the value is undefined. */
export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> => {
  const copy = new Map(map);
  if (value === undefined) copy.delete(key);
  else copy.set(key, value);
  return copy;
};

/** True while a command has begun and not ended. */
export const isRunning = ({ items }: TurnState): boolean =>
  [...items.values()].some(({ item }) => item.type === 'commandExecution');
