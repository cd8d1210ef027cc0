/** An answer of a scenario as server-sent events of the Responses API. */
import type { Json } from '../../support/daemon/peer';
import { type Dialect, deltasOf, type Item, type Piece } from './modelAnswer';

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 120,
};

/** Where an item stands: its index, the part of its id, and the pause after a delta. */
type Place = { at: number; part: string; pauseMs: number };

/** An event, still without its number; or text, or a pause. */
type Part = Json | Piece;

const added = (at: number, item: Json): Part => ({ type: 'response.output_item.added', output_index: at, item });
const done = (at: number, item: Json): Part => ({ type: 'response.output_item.done', output_index: at, item });

const paused = (events: Json[], { pauseMs }: Place): Part[] => events.flatMap((event) => [event, pauseMs]);

const messageParts = (item: Item, place: Place): Part[] => {
  const id = item.id ?? `msg_${place.part}`;
  const message = { type: 'message', id, role: 'assistant' };
  const where = { item_id: id, output_index: place.at, content_index: 0 };
  const content = [{ type: 'output_text', text: item.text, annotations: [] }];
  return [
    added(place.at, { ...message, status: 'in_progress', content: [] }),
    ...paused(
      deltasOf(item.text, item.deltas).map((delta) => ({ type: 'response.output_text.delta', ...where, delta })),
      place,
    ),
    done(place.at, { ...message, status: 'completed', content }),
  ];
};

const reasoningParts = (item: Item, place: Place): Part[] => {
  const id = item.id ?? `rs_${place.part}`;
  const where = { item_id: id, output_index: place.at };
  const deltas = (text: string, event: Json): Part[] =>
    paused(
      deltasOf(text, item.deltas).map((delta) => ({ ...event, delta })),
      place,
    );
  const summary = (item.reasoning as string[]).flatMap((text, index): Part[] => [
    {
      type: 'response.reasoning_summary_part.added',
      ...where,
      summary_index: index,
      part: { type: 'summary_text', text: '' },
    },
    ...deltas(text, { type: 'response.reasoning_summary_text.delta', ...where, summary_index: index }),
  ]);
  const raw = ((item.raw ?? []) as string[]).flatMap((text) =>
    deltas(text, { type: 'response.reasoning_text.delta', ...where, content_index: 0 }),
  );
  const finished = {
    type: 'reasoning',
    id,
    summary: item.reasoning.map((text: string) => ({ type: 'summary_text', text })),
    ...(item.raw ? { content: item.raw.map((text: string) => ({ type: 'reasoning_text', text })) } : {}),
    encrypted_content: item.encrypted ?? null,
  };
  return [added(place.at, { type: 'reasoning', id, summary: [] }), ...summary, ...raw, done(place.at, finished)];
};

const searchParts = (item: Item, place: Place): Part[] => {
  const search = { type: 'web_search_call', id: item.id ?? `ws_${place.part}` };
  return [
    added(place.at, { ...search, status: 'in_progress' }),
    place.pauseMs,
    done(place.at, { ...search, status: 'completed', action: { type: 'search', query: item.web_search } }),
  ];
};

const argumentsOf = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args ?? {}));

/** A call of a tool: of a function, of the shell that the model brings along, or of a tool of its own. */
const callOf = (item: Item, part: string): Json => {
  const common = { call_id: item.call_id ?? `call_${part}`, status: 'completed' };
  if (item.call !== undefined) {
    const call = { type: 'function_call', id: `fc_${part}`, name: item.call, arguments: argumentsOf(item.args) };
    return { ...call, ...common };
  }
  if (item.local_shell !== undefined) {
    const action = { type: 'exec', command: item.local_shell, timeout_ms: null, working_directory: null, env: {} };
    const id = item.id ?? `lsh_${part}`;
    return { type: 'local_shell_call', id, ...common, action: { ...action, user: null } };
  }
  return { type: 'custom_tool_call', id: `ctc_${part}`, ...common, name: item.custom, input: item.input };
};

const partsOf = (item: Item, place: Place): Part[] => {
  if (item.event) return [item.event];
  if (item.sse !== undefined) return [item.sse];
  if (item.delay !== undefined) return [item.delay];
  if (item.text !== undefined) return messageParts(item, place);
  if (item.reasoning !== undefined) return reasoningParts(item, place);
  if (item.web_search !== undefined) return searchParts(item, place);
  return [done(place.at, callOf(item, place.part))];
};

const isAsItIs = (item: Item): boolean => 'event' in item || 'sse' in item || 'delay' in item;

/** Items that are written as they are have no index. */
const indexesOf = (items: Item[]): number[] =>
  items.map((_, n) => items.slice(0, n).filter((item) => !isAsItIs(item)).length);

const toText = (parts: Part[]): Piece[] => {
  const isEvent = (part: Part): part is Json => typeof part === 'object';
  return parts.map((part, n) => {
    if (!isEvent(part)) return part;
    const event = { sequence_number: parts.slice(0, n).filter(isEvent).length, ...part };
    return `event: ${part.type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
};

export const responsesEvents: Dialect = ({ items = [], end, usage = USAGE, delta_delay: pauseMs = 0 }, label) => {
  const id = `resp_${label}`;
  const indexes = indexesOf(items);
  const body = items.flatMap((item, n) => {
    const at = indexes[n] as number;
    return partsOf(item, { at, part: `${label}_${at}`, pauseMs });
  });
  const completed = { id, status: 'completed', output: [], ...(usage ? { usage } : {}) };
  const last: Part[] =
    end === undefined
      ? [{ type: 'response.completed', response: completed }]
      : typeof end === 'object'
        ? [
            {
              type: 'response.incomplete',
              response: { id, status: 'incomplete', incomplete_details: { reason: end.incomplete } },
            },
          ]
        : [];
  return toText([{ type: 'response.created', response: { id, status: 'in_progress' } }, ...body, ...last]);
};
