/** What a step in the history of a thread adds to its record. */
import type { ResponseItem, ToolCallItem } from '../../protocol/model/items';
import { isPrompt } from '../../threads/lines/isPrompt';
import type { RolloutEntry } from '../../threads/lines/rolloutEntry';
import { type History, isCall, toOutput } from '../thread/history';

/** The history as far as it is recorded. */
export type Recorded = { state: History; output: RolloutEntry[] };

/**
 * A reducer: the entries for what is new since the last history, as it comes, so that a crash loses little. A history whose past
 * does not begin with the previous one was compacted, and is recorded as a whole.
 */
export const recordHistory = (state: History, history: History): Recorded => {
  const entries = isContinued(state, history) ? added(state, history) : compacted(history);
  return { state: history, output: entries };
};

/** Compared by identity: a compacted history has a new first item, even if its length and its last item are the same. */
const isContinued = ({ past }: History, next: History): boolean =>
  past.length === 0 || (next.past[0] === past[0] && next.past[past.length - 1] === past.at(-1));

const added = (state: History, history: History): RolloutEntry[] => {
  const isSameAnswer = history.past === state.past;
  const closed = isSameAnswer ? [] : newInPast(state, history);
  const items = isSameAnswer ? history.items.slice(state.items.length) : history.items;
  const outputs = isSameAnswer ? history.outputs.slice(state.outputs.length) : history.outputs;
  return [...closed, ...items, ...outputs.map(({ call, text }) => toOutput(call, text))].flatMap(toEntries);
};

/** The old past is followed by the answer that was closed, whose items and outputs are already recorded, then by what comes after it. */
const newInPast = (state: History, { past }: History): ResponseItem[] => {
  const known = new Set<ResponseItem>(state.items);
  const answered = new Set(state.outputs.map(({ call }) => keyOf(call)));
  const ownOutputs = new Set(state.items.filter(isCall).map(keyOf));
  return past.slice(state.past.length).filter((item) => {
    if (known.has(item)) return false;
    const isRecorded = 'output' in item && ownOutputs.has(item.call_id) && answered.has(item.call_id);
    return !isRecorded;
  });
};

const keyOf = ({ call_id }: ToolCallItem): string => call_id;

const compacted = ({ past }: History): RolloutEntry[] => [
  { type: 'compacted', payload: { message: '', replacement_history: past } },
];

/** What a person wrote is also recorded as an event, because clients show stored threads by their events. */
const toEntries = (item: ResponseItem): RolloutEntry[] => {
  const entry: RolloutEntry = { type: 'response_item', payload: item };
  if (!isPrompt(item)) return [entry];
  const message = item.content.map((part) => ('text' in part ? part.text : '')).join('');
  const images = item.content.flatMap((part) => (part.type === 'input_image' ? [part.image_url] : []));
  return [
    entry,
    { type: 'event_msg', payload: { type: 'user_message', message, images, local_images: [], text_elements: [] } },
  ];
};
