/** The items of a Responses answer that have begun: servers that never end one, or end it without its parts, still give all of them. */
import { isObject, type JsonObject, textOf, toObject } from '../../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../../protocol/model/events';
import { limitItems } from '../../modelHttp/failures';
import { toItemEvent } from './responsesEvent';

type OpenItem = {
  id: string;
  type: string;
  /** Its place in the answer, if the server names it. */
  index: unknown;
  /** An event has announced it. */
  hasBegun?: true;
  /** What the server sent as it began, such as the name of a call. */
  begun: JsonObject;
  /** Its texts by their place in it; a call has one. */
  texts: Map<unknown, string>;
};

/** Which events bring text of which items, whether it is added or replaces what came, and the member that holds it. */
const TEXTS: Readonly<Record<string, readonly [type: string, member: string, isWhole?: true]>> = {
  'response.output_text.delta': ['message', 'delta'],
  'response.output_text.done': ['message', 'text', true],
  'response.refusal.delta': ['message', 'delta'],
  'response.refusal.done': ['message', 'refusal', true],
  'response.function_call_arguments.delta': ['function_call', 'delta'],
  'response.function_call_arguments.done': ['function_call', 'arguments', true],
  'response.custom_tool_call_input.delta': ['custom_tool_call', 'delta'],
  'response.custom_tool_call_input.done': ['custom_tool_call', 'input', true],
};

/** The items of one answer; the members change it. */
type OpenItems = {
  /** Adds an event. Returns the message that it ends: a call that begins in its place. */
  add: (event: JsonObject) => ModelEvent[];
  /** The item of an event that ends it, with the parts that came before if it lacks them; undefined if it was emitted before. */
  end: (event: JsonObject) => JsonObject | undefined;
  /** What the whole response has, or began, and no event ended. */
  rest: (response: unknown) => ModelEvent[];
};

/**
 * Opens the items of an answer. State that is changed in place, because each delta passes here.
 * @param newId for calls that come without one
 */
export const openItems = (newId: () => string): OpenItems => {
  const items: Items = { open: new Set(), ended: [], closedIds: new Set() };
  return {
    add: (event) => {
      const text = textIn(event);
      if (text !== undefined) addText(items, text);
      return event.type === 'response.output_item.added' ? begin(items, event) : [];
    },
    end: (event) => withCallId(end(items, event), newId),
    rest: (response) => restOf(items, response).flatMap((item) => eventOf(withCallId(item, newId))),
  };
};

/** A call without any id gets one, as its output needs it. */
const withCallId = <T extends JsonObject | undefined>(item: T, newId: () => string): T =>
  item !== undefined && CALLS.has(item.type) && !item.call_id && !item.id ? { ...item, call_id: newId() } : item;

const CALLS = new Set<unknown>(['function_call', 'custom_tool_call', 'local_shell_call']);

type Items = {
  open: Set<OpenItem>;
  /** In the order in which they ended. */
  ended: JsonObject[];
  /** Of the messages that calls have ended. */
  closedIds: Set<string>;
};

const addOpen = ({ open }: Items, item: OpenItem): OpenItem => {
  open.add(item);
  limitItems(open.size);
  return item;
};

const begin = (items: Items, { item, output_index: index }: JsonObject): ModelEvent[] => {
  if (!isObject(item)) return [];
  const { open, ended, closedIds } = items;
  const before = item.type === 'function_call' ? [...open].find((one) => isAnswered(one, index)) : undefined;
  const [id, type] = [textOf(item.id), textOf(item.type)];
  addOpen(items, { id, type, index, hasBegun: true, begun: item, texts: new Map() });
  if (before === undefined) return [];
  open.delete(before);
  closedIds.add(before.id);
  ended.push(toWhole(before));
  return eventOf(toWhole(before));
};

const end = ({ open, ended, closedIds }: Items, { item, output_index: index }: JsonObject): JsonObject | undefined => {
  if (!isObject(item)) return {};
  if (closedIds.has(textOf(item.id)) && item.type === 'message') return undefined;
  const known = findOpen(open, { id: textOf(item.id), type: item.type }, index);
  if (known) open.delete(known);
  const whole = known ? filled({ ...known.begun, ...presentIn(item) }, known) : item;
  ended.push(whole);
  return whole;
};

const eventOf = (item: JsonObject): ModelEvent[] => [toItemEvent({ item })];

/** Source: Ollama of 21 August 2026 ends no message before a call, and gives both the same `output_index`. */
const isAnswered = (open: OpenItem, index: unknown): boolean =>
  open.type === 'message' && typeof index === 'number' && open.index === index && open.id !== '' && hasText(open);

/** Some servers leave out of the end of an item what they sent as it began, such as the name of a call. */
const presentIn = (item: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null && value !== undefined && value !== ''));

/**
 * The item that an event is about. It names its id, or its place; if the server named neither, it is the first of its type.
 * Source: GitHub Copilot gives an item another id in each event, and its place.
 */
const findOpen = (open: Iterable<OpenItem>, item: JsonObject, index: unknown): OpenItem | undefined => {
  const found = [...open].filter((one) => one.type === item.type);
  const id = textOf(item.id);
  const named = id === '' ? undefined : found.find((one) => one.id === id);
  return named ?? found.find((one) => isSame(one, id, index));
};

const isSame = (open: OpenItem, id: string, index: unknown): boolean => {
  if (typeof index === 'number' && typeof open.index === 'number')
    return index === open.index && (id === '' || open.id === '' || open.hasBegun === true);
  return id === '' || open.id === '';
};

type ItemText = {
  id: string;
  type: string;
  index: unknown;
  /** Its place in the item. */
  place: unknown;
  text: string;
  /** It replaces what came before. */
  isWhole: boolean;
};

const textIn = (event: JsonObject): ItemText | undefined => {
  const { item_id, output_index: index, content_index: place = 0, part } = event;
  const ofPart = event.type === 'response.content_part.done' ? textOfPart(part) : undefined;
  const [type, member, isWhole = false] = (ofPart !== undefined ? PART : TEXTS[textOf(event.type)]) ?? [];
  if (type === undefined || member === undefined) return undefined;
  const text = ofPart ?? event[member];
  return typeof text === 'string' ? { id: textOf(item_id), type, index, place, text, isWhole } : undefined;
};

/** Text of an item that has ended is not added: it would become a second item. */
const addText = (items: Items, { id, type, index, place, text, isWhole }: ItemText): void => {
  const { open, ended, closedIds } = items;
  const known = findOpen([...open].reverse(), { id, type }, index);
  const isEnded = id === '' ? isWhole && countOf(ended, type) > 0 : ended.some((item) => item.id === id);
  if (known === undefined && (isEnded || closedIds.has(id))) return;
  const { texts } = known ?? addOpen(items, { id, type, index, begun: { id, type }, texts: new Map() });
  const before = texts.get(place) ?? '';
  texts.set(place, isWhole ? text || before : before + text);
};

const PART = ['message', 'text', true] as const;

const textOfPart = (part: unknown): string | undefined => {
  const { type, text, refusal } = toObject(part);
  return type === 'output_text' || type === 'refusal' ? textOf(text) || textOf(refusal) : undefined;
};

const hasText = ({ texts }: OpenItem): boolean => [...texts.values()].some((text) => text !== '');

/** The item as its parts have made it. */
const toWhole = (open: OpenItem): JsonObject => filled({ role: 'assistant', ...open.begun, type: open.type }, open);

/** The item with the texts of its parts, if it has none itself. */
const filled = (item: JsonObject, open: OpenItem): JsonObject => {
  if (!hasText(open)) return item;
  const parts = [...open.texts.values()].filter((text) => text !== '');
  switch (item.type) {
    case 'message':
      return isEmpty(item) ? { ...item, content: parts.map((text) => ({ type: 'output_text', text })) } : item;
    case 'function_call':
      return item.arguments && item.arguments !== '{}' ? item : { ...item, arguments: parts.join('') };
    default:
      return item.input ? item : { ...item, input: parts.join('') };
  }
};

/** True for a message without a text; not for content that cannot be read, which is reported. */
const isEmpty = ({ content }: JsonObject): boolean =>
  content === undefined ||
  content === null ||
  content === '' ||
  (Array.isArray(content) && content.every((part) => textOfPart(part) === ''));

/** How many items of a type were given, so that a server which gives the same item two ids does not have a call run twice. */
const countOf = (items: readonly JsonObject[], type: unknown): number =>
  items.filter((item) => item.type === type).length;

/** The items of the whole response that no event ended, then what began and is in neither. */
const restOf = ({ open: begun, ended }: Items, response: unknown): JsonObject[] => {
  const open = [...begun];
  const { output } = toObject(response);
  const given = Array.isArray(output) ? output.map(toObject) : [];
  limitItems(given.length + open.length);
  const ids = new Set(ended.flatMap(({ id, call_id }) => [id, call_id]).filter((id) => typeof id === 'string'));
  const isKnown = ({ id, call_id }: JsonObject) => ids.has(textOf(id)) || ids.has(textOf(call_id));
  const missing: JsonObject[] = [];
  for (const item of given) {
    const count = countOf(ended, item.type) + countOf(missing, item.type);
    if (!isKnown(item) && count < countOf(given, item.type)) missing.push(item);
  }
  const left = open.filter((one) => hasWhole(one) && countOf(given, one.type) === 0).map(toWhole);
  const partOf = (item: JsonObject) =>
    findOpen(open, item, given.indexOf(item)) ?? open.find(({ type }) => type === item.type);
  const found = missing.map((item) => {
    const part = partOf(item);
    return part === undefined ? item : filled(item, part);
  });
  return [...left, ...found];
};

/** A call without a name, or a message without a text, is nothing that could be done. */
const hasWhole = (open: OpenItem): boolean => hasText(open) || (open.type !== 'message' && isText(open.begun.name));

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
