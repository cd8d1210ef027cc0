/** Messages that a case expects without knowing them: any result, any error with a code, a list that is as it must be. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { reasonOf } from '../../streams/text/reasons';
import { idOf, type Message } from '../messages';
import type { Values } from '../phase';
import type { ConformCase, Given } from './conformCase';
import type { Exchanged } from './httpExchanges';

/** What is wrong with a value; undefined if nothing is. */
type FaultOf<T> = (value: T) => string | undefined;

/** The same for whatever a server sends: what cannot be read, such as `{"toString":1}` in the place of a name, is wrong. */
export const guarded =
  <T>(faultOf: FaultOf<T>): FaultOf<T> =>
  (value) => {
    try {
      return faultOf(value);
    } catch (error) {
      return `it cannot be read: ${reasonOf(error)}`;
    }
  };

/** A message that is judged rather than compared. `toJSON` shows which message it is. */
export type Expected = {
  asymmetricMatch: (actual: unknown) => boolean;
  toJSON: () => object;
  toString: () => string;
  faultOf: FaultOf<unknown>;
  /** What the message has of the named holes; undefined members are left out. */
  holesIn: (actual: unknown) => Readonly<Record<string, unknown>>;
  /** Whether the message is not the one yet, but another of its request will be: the client asks again. `others` counts what `may` has taken. */
  isEarly?: (actual: JsonObject, others: number) => boolean;
};

/** The values of named holes, each read from the message. */
export type Holes = Readonly<Record<string, (message: JsonObject) => unknown>>;

type Like = { like: object; what: string; holes?: Holes };

const expecting = ({ like, what, holes = {} }: Like, faultOf: FaultOf<JsonObject>): Message => {
  const whole: FaultOf<unknown> = guarded((value) => (isObject(value) ? faultOf(value) : 'it is no object'));
  const expected: Expected = {
    asymmetricMatch: (actual) => isFor(like, actual) && whole(actual) === undefined,
    toJSON: () => like,
    toString: () => what,
    faultOf: whole,
    holesIn: (actual) =>
      Object.fromEntries(
        Object.entries(holes)
          .map(([name, read]) => [name, read(toObject(actual))] as const)
          .filter(([, value]) => value !== undefined),
      ),
  };
  return expected;
};

/** The same message, for which the client asks again as long as it is early. */
export const awaited = (message: Message, isEarly: NonNullable<Expected['isEarly']>): Message =>
  ({ ...(message as object), isEarly }) as Message;

/** Whether an actual message is the answer to the same request, or has the same method. */
export const isFor = (like: object, actual: unknown): boolean => {
  const { id, method, letter } = toObject(actual);
  const own = toObject(like);
  if (own.letter !== undefined) return own.letter === letter;
  return own.method === undefined ? JSON.stringify(id) === JSON.stringify(own.id) : method === own.method;
};

/** The expected message of a value of a case; undefined for a value that is compared as it is. */
export const expectedOf = (value: unknown): Expected | undefined =>
  isObject(value) && typeof value.faultOf === 'function' ? (value as unknown as Expected) : undefined;

/** A result, of the oldest request of a letter that has no answer. */
export const result = (letter: string, faultOf: FaultOf<JsonObject> = () => undefined, holes?: Holes): Message =>
  expecting({ like: { jsonrpc: '2.0', id: idOf(letter), result: {} }, what: 'a result', holes }, (value) => {
    if ('error' in value) return `a result is due, but it is the error ${errorText(value.error)}`;
    return isObject(value.result) ? faultOf(value) : 'its result is no object';
  });

/** An error with one of these codes; with any if none is named. */
export const failure = (
  letter: string,
  codes: readonly number[] = [],
  faultOf: FaultOf<JsonObject> = () => undefined,
) =>
  expecting(
    { like: { jsonrpc: '2.0', id: idOf(letter), error: {} }, what: `an error ${codes.join(' or ')}`.trim() },
    ({ result, error }) => {
      if (!isObject(error)) return `an error is due, but it is the result ${short(result)}`;
      if (codes.length > 0 && !codes.includes(Number(error.code)))
        return `the code must be ${codes.join(' or ')}, but it is ${errorText(error)}`;
      return faultOf(error);
    },
  );

/** Any response. */
export const response = (letter: string, faultOf: FaultOf<JsonObject> = () => undefined): Message =>
  expecting({ like: { jsonrpc: '2.0', id: idOf(letter), result: {} }, what: 'a response' }, faultOf);

/** A result with `isError`, or an error: a call that failed in one way or the other. */
export const failedCall = (letter: string): Message =>
  response(letter, ({ result: outcome, error }) =>
    error !== undefined || toObject(outcome).isError === true
      ? undefined
      : `it must fail, by an error or by isError, but it is the result ${short(outcome)}`,
  );

/** A notification, with these members of its `_meta`, which say what it belongs to. */
export const notified = (method: string, meta: object, faultOf: FaultOf<JsonObject> = () => undefined): Message =>
  expecting({ like: { jsonrpc: '2.0', method, params: { _meta: meta } }, what: method }, faultOf);

/** A request of the server. */
export const asked = (method: string, faultOf: FaultOf<JsonObject> = () => undefined, holes: Holes = {}): Message =>
  expecting({ like: { jsonrpc: '2.0', id: '<id>', method, params: {} }, what: method, holes }, faultOf);

/** A response to a request whose id no letter names, such as a request that is written as a line. */
export const responseTo = (id: unknown, faultOf: FaultOf<JsonObject> = () => undefined): Message =>
  expecting({ like: { jsonrpc: '2.0', id, result: {} }, what: 'a response' }, faultOf);

/** The answer to the exchange of HTTP of a letter. */
export const exchanged = (letter: string, faultOf: FaultOf<Exchanged>, holes: Holes = {}): Message =>
  expecting({ like: { letter }, what: 'an answer', holes }, (value) => faultOf(value as unknown as Exchanged));

/** An error response without an id, as to a line that is no message. */
export const isErrorWithoutId = (value: unknown): boolean =>
  isObject(value) && isObject(value.error) && (value.id === null || value.id === undefined);

const MAX_SHORT = 160;

/** JSON in short. */
export const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_SHORT ? `${text.slice(0, MAX_SHORT)}…` : text;
};

const errorText = (error: unknown): string => {
  const { code, message } = toObject(error);
  return short({ code, message });
};

/** What several cases demand. */
export const BAD_PARAMS = {
  level: 'SHOULD',
  section: 'https://www.jsonrpc.org/specification#error_object',
  sentence: '-32602 Invalid params: Invalid method parameter(s).',
} as const;
/** A cursor that the server never gave. */
export const BAD_CURSOR = {
  level: 'SHOULD',
  section: 'server/utilities/pagination#error-handling',
  sentence: 'Invalid cursors SHOULD result in an error with code -32602 (Invalid params).',
} as const;
/** Each request has a response. */
export const REPLIES = {
  level: 'MUST',
  section: 'https://www.jsonrpc.org/specification#response_object',
  sentence: 'When a rpc call is made, the Server MUST reply with a Response, except for in the case of Notifications.',
} as const;

/** What is wrong with a result that must have no members. */
export const emptyFault = ({ result: outcome }: JsonObject): string | undefined =>
  Object.keys(toObject(outcome)).every((name) => name === '_meta') ? undefined : `it is not empty: ${short(outcome)}`;

type Rows = Pick<ConformCase, 'client' | 'server' | 'values'>;

/** The client sends the message or line `a`, the server answers `A`. */
export const sends = (toValue: (given: Given) => Values[string], answer: Message): Rows => ({
  client: 'a-',
  server: '-A',
  values: (given) => ({ a: toValue(given), A: answer }),
});

/** The client sends the message or line `a`, to which no answer is due, and the server answers the probe behind it. */
export const outlives = (toValue: (given: Given) => Values[string]): Rows => ({
  client: 'ap-',
  server: '--P',
  values: (given) => ({ a: toValue(given) }),
});

/** The client sends the request `a`, the server answers `A`. */
export const asks = (method: string, params: object | undefined, answer: Message): Rows =>
  sends(({ request }) => request(method, params), answer);

/** The same, and the server answers the probe behind it: so silence is not taken for death. */
export const asksAlive = (method: string, params: object | undefined, answer: Message): Rows => ({
  ...asks(method, params, answer),
  client: 'ap-',
  server: '--(AP)',
});
