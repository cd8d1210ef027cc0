/** Joins the deltas of a text, as it is cut at other places in each run. */
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { eventTypeOf } from './pairingKey';

/** The event and the member in which a debug adapter relays the output of a program. Source: Debug Adapter Protocol 1.70, Output event. */
const OUTPUT = 'output';

/** Joins two pieces. */
type Join = (a: string, b: string) => string;

const text: Join = (a, b) => a + b;
const bytes: Join = (a, b) => Buffer.concat([Buffer.from(a, 'base64'), Buffer.from(b, 'base64')]).toString('base64');

/** Where a message has a piece: the members that lead to the object, and the members of the object that are pieces. */
type Place = { path: readonly string[]; pieces: Readonly<Record<string, Join>> };

const DELTA = { delta: text, chunk: bytes };
const UPDATE = ['params', 'update'];

/** The places of pieces; the method and the type of the event say which messages have them. Source: codex 0.28.0 and its app-server; ACP 1; codex-acp 2.6. */
const PLACES: readonly (Place & { of: (method: string, type: string) => boolean })[] = [
  { path: ['params', 'msg'], pieces: DELTA, of: (_, type) => /delta$/i.test(type) },
  { path: ['params'], pieces: DELTA, of: (method, type) => type === '' && /delta$/i.test(method) },
  { path: [...UPDATE, 'content'], pieces: { text }, of: (_, type) => type.endsWith('_chunk') },
  {
    path: [...UPDATE, '_meta', 'terminal_output_delta'],
    pieces: { data: text },
    of: (_, type) => type === 'tool_call_update',
  },
];

/** `seq` is not checked: a comparison has removed the number of the event. */
const isOutput = (value: JsonObject): boolean =>
  value.type === 'event' && value.event === OUTPUT && value.jsonrpc === undefined && isObject(value.body);

/** Updates of an agent about a session, and not about what a prompt does: they come at any time. Source: Agent Client Protocol 1, session/update. */
const OF_SESSION = /^(?:usage|session_info|available_commands|current_mode|config_option)_update$/;

/** What a message is independently of requests: output of a debugged program, or the state of an agent's session. Else undefined. */
export const freeLaneOf = (value: unknown): string | undefined => {
  if (!isObject(value)) return undefined;
  if (isOutput(value)) return `the program's output on ${wordOf(toObject(value.body).category ?? 'console')}`;
  const type = eventTypeOf(value.params);
  return OF_SESSION.test(type) ? `${type} of the session` : undefined;
};

const placeIn = (value: unknown): Place | undefined => {
  if (!isObject(value)) return undefined;
  const places = isOutput(value) ? [{ path: ['body'], pieces: { [OUTPUT]: text } }] : placesOf(value);
  return places.find(({ path, pieces }) => Object.keys(pieces).some((piece) => piece in objectAt(value, path)));
};

const placesOf = ({ method, params }: JsonObject): readonly Place[] =>
  typeof method !== 'string' || !isObject(params) ? [] : PLACES.filter(({ of }) => of(method, eventTypeOf(params)));

const objectAt = (value: unknown, path: readonly string[]): JsonObject =>
  path.reduce<JsonObject>((part, name) => toObject(part[name]), toObject(value));

/** The value with other members of the object at a path. */
const withMembers = (value: unknown, [name, ...path]: readonly string[], members: JsonObject): JsonObject => {
  const object = toObject(value);
  return name === undefined
    ? { ...object, ...members }
    : { ...object, [name]: withMembers(object[name], path, members) };
};

/** The message without its pieces, and without the number that events of a debug adapter have. */
const frameOf = (value: unknown, { path, pieces }: Place): string => {
  const empty = Object.fromEntries(Object.keys(pieces).map((piece) => [piece, '']));
  return JSON.stringify({ ...withMembers(value, path, empty), ...(OUTPUT in pieces && { seq: 0 }) });
};

const joinedPieces = (a: JsonObject, b: JsonObject, pieces: Place['pieces']): JsonObject =>
  Object.fromEntries(
    Object.entries(pieces).flatMap(([name, join]) => {
      const [before, piece] = [a[name], b[name]];
      return typeof before === 'string' && typeof piece === 'string' ? [[name, join(before, piece)]] : [];
    }),
  );

/** Messages in order, with each run of deltas joined at the place of the first. Messages of another lane do not end a run. */
export const joinDeltas = <T extends { value: unknown }>(items: readonly T[]): T[] =>
  items.reduce<T[]>((joined, item) => {
    const place = placeIn(item.value);
    const at = place ? lastOfLane(joined, freeLaneOf(item.value)) : -1;
    const last = joined[at];
    const isOfRun = last && place && placeIn(last.value) && frameOf(item.value, place) === frameOf(last.value, place);
    if (!isOfRun) {
      joined.push(item);
      return joined;
    }
    const { path, pieces } = place;
    const whole = joinedPieces(objectAt(last.value, path), objectAt(item.value, path), pieces);
    joined[at] = { ...last, value: withMembers(last.value, path, whole) };
    return joined;
  }, []);

const lastOfLane = (items: readonly { value: unknown }[], lane: string | undefined): number =>
  items.findLastIndex(({ value }) => freeLaneOf(value) === lane);

/** Whether a message continues the last delta of its lane. */
export const isContinued = (items: readonly { value: unknown }[], value: unknown): boolean => {
  const last = items[lastOfLane(items, freeLaneOf(value))];
  return last !== undefined && joinDeltas([last, { value }]).length === 1;
};

/** Whether a message has a piece of a text. */
export const isDelta = (value: unknown): boolean => placeIn(value) !== undefined;

/** Two messages whose texts end where the shorter ends, if the longer begins with it: a cancel cuts a text at another place in each run. */
export const cutAlike = (one: unknown, other: unknown): [unknown, unknown] => {
  const place = placeIn(one);
  if (place === undefined || placeIn(other) === undefined) return [one, other];
  const { path, pieces } = place;
  const cut = Object.keys(pieces).flatMap((name) => {
    const [a, b] = [objectAt(one, path)[name], objectAt(other, path)[name]];
    if (typeof a !== 'string' || typeof b !== 'string') return [];
    if (a.startsWith(b)) return [[name, b]];
    return b.startsWith(a) ? [[name, a]] : [];
  });
  const members: JsonObject = Object.fromEntries(cut);
  return [withMembers(one, path, members), withMembers(other, path, members)];
};
