/** Makes a session whose client also sends changed copies of its requests, each after the response to the original; and makes a change smaller. */
import { EMPTY, expand, last, map, type Observable, of } from 'rxjs';
import { isObject, type JsonObject, parseJson, toJson, toObject, wordOf } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import type { Random } from '../../streams/random';
import { toValidate } from '../check/mcpResults';
import type { Session } from '../format/tape';
import type { Offers } from '../offers/offers';
import type { Call, IndexedMessage, SessionIndex } from '../session/sessionIndex';
import { type ChangedValue, changeValue } from './changeValue';

/** A changed request. */
export type Change = {
  /** The method, and the tool or the prompt. */
  label: string;
  /** What was changed. */
  text: string;
  /** Whether its schema allows the change; undefined without a schema. */
  fits?: boolean;
  /** What the request has then. */
  params: JsonObject;
  /** The same change by a smaller value, or with less besides it. */
  smaller: () => Change[];
};

/** A session with changed requests, these by their ids. */
export type FuzzedSession = { session: Session; changes: ReadonlyMap<number, Change> };

/** What a session is made from. */
export type FuzzSource = {
  index: SessionIndex;
  /** The lists with the schemas. */
  offers: Offers;
};

/** Requests that open or end a session, or that carry nothing. */
const FIXED = /^(?:initialize|server\/discover|shutdown|authenticate|ping)$/;

/** A request that can be changed. */
type Changeable = { call: Call; label: string };

/** The requests of the client that can be changed: those with a response, before the end of its input. */
export const changeableCalls = ({
  calls,
  messages,
  inputEnded = Number.POSITIVE_INFINITY,
}: SessionIndex): Changeable[] =>
  calls.flatMap((call): Changeable[] => {
    const [asked, answer] = [messages[call.request], messages[call.response ?? -1]];
    if (call.from !== 'client' || asked === undefined || answer === undefined) return [];
    const { message, value, part } = asked;
    const isPlain = message.kind === 'request' && part === undefined && isObject(value) && value.jsonrpc === '2.0';
    if (!isPlain || FIXED.test(message.method) || answer.entry > inputEnded) return [];
    const { _meta, ...params } = toObject(message.params);
    const isEmpty = Object.keys(params).length === 0; // nothing in it can change
    return isEmpty ? [] : [{ call, label: labelOf(message) }];
  });

/** Ids of changed requests: far from the ids that clients count, and from repeated polls. */
const FIRST_ID = 1_500_000_000;

/**
 * The session up to its last changed request. What the server sends besides responses and requests is not waited for.
 * @param calls the requests to change, in any order, also several times
 */
export const fuzzSession = (random: Random, { index, offers }: FuzzSource, calls: readonly Call[]): FuzzedSession => {
  const changes = new Map<number, Change>();
  const copies = new Map<number, JsonObject[]>(); // by the entry that they follow
  for (const call of calls) {
    const id = FIRST_ID + changes.size;
    const asked = index.messages[call.request] as IndexedMessage;
    const change = changeRequest(random, offers, asked);
    changes.set(id, change);
    const after = index.messages[call.response ?? -1]?.entry ?? 0;
    copies.set(after, [...(copies.get(after) ?? []), { ...toObject(asked.value), params: change.params, id }]);
  }
  const last = Math.max(-1, ...copies.keys());
  const entries = index.entries.flatMap(({ entry, messages }, at) => {
    if (at > last && entry.dir !== 'note' && entry.dir !== 'exit') return [];
    if (messages.some(({ from, message }) => from === 'server' && message.kind === 'notification')) return [];
    return [entry, ...(copies.get(at) ?? []).flatMap((copy) => exchange(copy, entry.t))];
  });
  const numbered = entries.map((entry, at) => ({ lineNumber: at + 2, entry }));
  return { session: { meta: index.meta, entries: numbered }, changes };
};

/** A request, and a response for which the client waits, whatever it says. */
const exchange = (request: JsonObject, t: number): Session['entries'][number]['entry'][] => [
  { t, dir: 'in', line: toJson(request) },
  { t, dir: 'out', line: toJson({ jsonrpc: '2.0', id: request.id, result: {} }) },
];

const changeRequest = (random: Random, offers: Offers, { message, value }: IndexedMessage): Change => {
  const request = toObject(value);
  const { _meta, ...params } = toObject(request.params);
  const holder = HOLDERS.get(wordOf(request.method));
  const schema = holder?.(offers, params.name);
  const validate = isObject(schema) ? toValidate(schema) : undefined;
  const toChange = ({ value: after, text, smaller }: ChangedValue): Change => ({
    label: labelOf(message),
    text,
    ...(validate && { fits: validate(after) === undefined }),
    params: { ...(holder === undefined ? toObject(after) : { ...params, arguments: after }), ...withoutToken(_meta) },
    smaller: () => smaller().map(toChange),
  });
  return toChange(changeValue(random, schema, holder === undefined ? params : (params.arguments ?? {})));
};

/** The session with another change in the request with an id. */
export const withChange = (session: Session, id: unknown, { params }: Change): Session => ({
  ...session,
  entries: session.entries.map((numbered) => {
    const { entry } = numbered;
    const value = entry.dir === 'in' ? toObject(parseJson(entry.line)) : {};
    return value.id === id ? { ...numbered, entry: { ...entry, line: toJson({ ...value, params }) } } : numbered;
  }),
});

/** Two requests have not the same progress token. */
const withoutToken = (meta: unknown): JsonObject => {
  if (!isObject(meta)) return {};
  const { progressToken, ...rest } = meta;
  return { _meta: rest };
};

type SchemaOf = (offers: Offers, name: unknown) => unknown;

/** Requests whose arguments are changed rather than their params, and where the schema of these is. */
const HOLDERS = new Map<string, SchemaOf>([
  ['tools/call', ({ tools }, name) => tools?.get(wordOf(name))?.inputSchema],
  ['prompts/get', ({ prompts }, name) => toSchema(prompts?.get(wordOf(name))?.arguments)],
]);

/** The arguments of a prompt are texts. */
const toSchema = (list: unknown): object | undefined => {
  if (!Array.isArray(list)) return undefined;
  const given = list.map(toObject).filter(({ name }) => typeof name === 'string');
  return {
    type: 'object',
    properties: Object.fromEntries(given.map(({ name }) => [name, { type: 'string' }])),
    required: given.filter(({ required }) => required === true).map(({ name }) => name),
  };
};

/** A change that shows a fault. */
export type ShownFault = {
  change: Change;
  /** The session that shows it. */
  now: Session;
  /** How many trials there were. */
  runs: number;
};

/**
 * Emits the smallest change that was found once nothing smaller shows the fault, or after so many trials, and completes. Errors with a trial.
 * @param tryChange plays it: the session if it shows the fault too, else undefined
 */
export const shrinkChange = (
  start: ShownFault,
  tryChange: (change: Change) => Observable<Session | undefined>,
  maxRuns: number,
): Observable<ShownFault> => {
  const tried = new Set<string>();
  const isNew = ({ params }: Change): boolean => !tried.has(toJson(params));
  return of({ shown: start, next: start.change.smaller() }).pipe(
    expand(({ shown, next }) => {
      const at = next.findIndex(isNew);
      const change = next[at];
      if (change === undefined || shown.runs >= maxRuns) return EMPTY;
      tried.add(toJson(change.params));
      const runs = shown.runs + 1;
      return tryChange(change).pipe(
        map((now) =>
          now === undefined
            ? { shown: { ...shown, runs }, next: next.slice(at + 1) }
            : { shown: { change, now, runs }, next: change.smaller() },
        ),
      );
    }),
    last(),
    map(({ shown }) => shown),
  );
};
