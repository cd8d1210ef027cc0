/** What was observed of a server in one session: the lines of both sides, as the rules and the judges of cases read them. */
import { isObject, parseJson, toObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { lazy } from '../../streams/lazy';
import type { Observed, ObservedLine } from './conformCase';

/** A session that is over. Its lines are parsed once, however many rules read them: some servers send lists of many megabytes. */
export const toObserved = (session: Omit<Observed, 'values'>): Observed => {
  const values = { in: lazy(() => parseLines(session.lines, 'in')), out: lazy(() => parseLines(session.lines, 'out')) };
  return { ...session, values: (dir) => values[dir]() };
};

const parseLines = (lines: readonly ObservedLine[], dir: 'in' | 'out'): unknown[] =>
  lines
    .filter((one) => one.dir === dir && one.line.trim() !== '')
    .flatMap(({ line }) =>
      line
        .replace(/^\ufeff/, '')
        .split('\n')
        .filter((part) => part.trim() !== ''),
    )
    .flatMap((line) => parseJson(line));

/** The messages of one side, objects only. */
export const messagesOf = (observed: Observed, dir: 'in' | 'out') => observed.values(dir).filter(isObject);

/** The first value that is there twice; undefined if none is. */
export const firstTwice = <T>(values: readonly T[]): T | undefined => {
  const seen = new Set<T>();
  return values.find((one) => seen.size === seen.add(one).size);
};

/** The first fault of some values; undefined if none has one. */
export const firstFault = <T>(values: readonly T[], faultOf: (value: T) => string | undefined): string | undefined => {
  for (const value of values) {
    const fault = faultOf(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** The server's responses. */
export const responsesOf = (observed: Observed) =>
  messagesOf(observed, 'out').filter((one) => !('method' in one) && ('result' in one || 'error' in one));

/** The `_meta` of params. */
export const metaOf = (params: unknown) => toObject(toObject(params)._meta);

/** Tells ids apart, of any type. */
export const keyOf = (id: unknown): string =>
  typeof id === 'string' || typeof id === 'number' ? idKey(id as RequestId) : JSON.stringify(id);

/** The requests of the client. */
export const requestsOf = (observed: Observed) =>
  messagesOf(observed, 'in').filter((one) => 'method' in one && 'id' in one);

/** The progress tokens of the client, as JSON. */
export const tokensOf = (observed: Observed): string[] =>
  messagesOf(observed, 'in').flatMap((one) => {
    const token = metaOf(one.params).progressToken;
    return token === undefined ? [] : [JSON.stringify(token)];
  });

/** The notifications of the server with this method. */
export const notificationsOf = (observed: Observed, method: string) =>
  messagesOf(observed, 'out').filter((one) => one.method === method);
