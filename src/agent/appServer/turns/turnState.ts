/** What is known of a turn while it is running. */
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import type { RequestId } from '../../../protocol/jsonrpc/messages';
import type { Reduced } from '../../../streams/gather';
import type { TurnStop } from '../../turns/turnEvents';
import type { Question } from '../items/questions';
import type { Item } from '../shapes';

/** An item that has begun in the server and not ended. */
type OpenItem = {
  item: Item;
  /** Its beginning was emitted. */
  isAnnounced: boolean;
};

export type TurnState = {
  /** '' while it is not known. */
  readonly turnId: string;
  /** The open items, by id. */
  readonly items: ReadonlyMap<string, OpenItem>;
  /** The open questions, by the id of their request. */
  readonly questions: ReadonlyMap<RequestId, Question>;
  /** The ids of the patches that somebody was asked about. */
  readonly reviewed: ReadonlySet<string>;
  /** Of the agent. */
  readonly lastMessage: string | null;
  /** As it was last emitted. */
  readonly diff: string;
  /** The goal of the thread by each form that it has had in the turn, the last one last. */
  readonly goals: readonly string[];
  /** Why the turn is being stopped from this side. */
  readonly stop?: TurnStop;
};

export const initialTurn: TurnState = {
  turnId: '',
  items: new Map(),
  questions: new Map(),
  reviewed: new Set(),
  lastMessage: null,
  diff: '',
  goals: [],
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
