/** A server in a session of a case: what passes is observed, signals are among the client's lines, and what the marbles do not show is left out. */
import { concatMap, connect, delay, filter, map, mergeMap, type OperatorFunction, of, tap, throwError } from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { SignalledServer } from '../../tapes/sessions/playSession';
import { type HoleValues, withHoleValues } from '../../tapes/templates/fillHoles';
import { letterOf, requestAnsweredBy } from '../../tapes/templates/requestLetters';
import type { Play } from '../play';
import type { Score } from '../score';
import type { Server } from '../server';
import { ServerError } from '../stdio';
import type { Aside, Moves } from '../step';
import type { ConformCase, ObservedLine } from './conformCase';
import { type Expected, expectedOf } from './expecting';

/** A line of the client that is a signal to the process of the server. */
export const signal = (name: NodeJS.Signals): string => `${SIGNAL}${name}`;
const SIGNAL = '<signal> ';

/** Bytes that the client sends as they are, without a newline behind them, as a line. */
export const bytes = (list: Uint8Array): string => `${BYTES}${Buffer.from(list).toString('base64')}`;
const BYTES = '<bytes> ';

/** The bytes of such a line; undefined for another. */
export const bytesIn = (line: string): Uint8Array | undefined =>
  line.startsWith(BYTES) ? Buffer.from(line.slice(BYTES.length), 'base64') : undefined;

/** What a line is as text; pieces of bytes are one. */
const toText = (line: string): string =>
  line.startsWith(BYTES)
    ? `${Buffer.concat(line.split('\n').map((piece) => bytesIn(piece) ?? Buffer.of()))}`.replace(/\n$/, '')
    : line;

/** The server for a session of a case. @param observe receives each line of the session, without its time */
export const caseServer =
  (
    server: SignalledServer,
    { ending }: Pick<ConformCase, 'ending'>,
    observe: (line: Omit<ObservedLine, 't'>) => void,
  ): Server =>
  (line$) =>
    line$.pipe(
      connect((shared$) =>
        shared$.pipe(
          filter((line) => !line.startsWith(SIGNAL)),
          withRepeats(),
          tap((line) => observe({ dir: 'in', line: toText(line) })),
          mergeMap((line) => (line.startsWith(BYTES) ? line.split('\n') : [line])),
          server(
            shared$.pipe(
              filter((line) => line.startsWith(SIGNAL)),
              map((line) => line.slice(SIGNAL.length) as NodeJS.Signals),
            ),
          ),
        ),
      ),
      tap((event) => observe(toObserved(event))),
      concatMap((event) => {
        if (event.kind === 'line') return of(withFirstId(event.line));
        const isFault = event.kind === 'ended' && event.trouble !== '' && ending !== 'anyhow';
        return isFault ? throwError(() => new ServerError(event.trouble)) : [];
      }),
    );

/** A line of the client that asks again what has an early answer. */
const AGAIN = '<again> ';
/** How long it waits before it asks again, in ms. */
const AGAIN_MS = 100;
const NAMED_AGAIN = /^again \d+ of (.*)$/s;

/** A request that is sent again has an id of its own, which contains the first. */
const withRepeats = (): OperatorFunction<string, string> => (line$) =>
  line$.pipe(
    mergeMap((line, count) => {
      if (!line.startsWith(AGAIN)) return of(line);
      const { id, ...message } = toObject(JSON.parse(line.slice(AGAIN.length)));
      return of(JSON.stringify({ ...message, id: `again ${count} of ${JSON.stringify(id)}` })).pipe(delay(AGAIN_MS));
    }),
  );

/** The answer to a request that was sent again counts as the answer to the first. */
const withFirstId = (line: string): string => {
  if (!line.includes('again ')) return line; // it may have many megabytes
  const { value } = parseLine(line);
  const first = isObject(value) && typeof value.id === 'string' ? NAMED_AGAIN.exec(value.id)?.[1] : undefined;
  return first === undefined ? line : JSON.stringify({ ...toObject(value), id: JSON.parse(first) });
};

const toObserved = (event: ServerEvent): Omit<ObservedLine, 't'> => {
  if (event.kind === 'line') return { dir: 'out', line: event.line };
  if (event.kind === 'log') return { dir: 'err', line: event.line };
  if (event.exitCode === undefined) return { dir: 'note', line: event.trouble };
  const { exitCode, signal: sig = null } = event;
  return { dir: 'exit', line: JSON.stringify({ code: sig === null ? exitCode : null, sig }) };
};

const NOTHING: Aside = { replies: [] };

/**
 * Leaves out what is no matter of a case: notifications and requests of the server whose methods no row shows, responses to nobody, and what is
 * no message at all, which the rules find. Requests are answered, as a client without capabilities does.
 */
export const asideOf = (
  score: Score,
  { may, clientSide }: Pick<ConformCase, 'may' | 'clientSide'>,
): NonNullable<Moves['asideOf']> => {
  const client = clientSide?.();
  let others = 0; // that were allowed
  const { methods, ids } = shownIn(score);
  const early = earlyOf(score);
  return (line, play) => {
    const { clientRequests } = play;
    const { value, messages } = parseLine(line);
    if (may?.(value)) {
      others += 1;
      return NOTHING;
    }
    if (Array.isArray(value)) return undefined;
    const [message] = messages;
    if (message === undefined || message.kind === 'other') return NOTHING;
    if (message.kind === 'response') {
      if (message.id === null) return undefined;
      const due = requestAnsweredBy(clientRequests, message.id);
      const again = due && early({ letter: due.letter, actual: toObject(value), others }, play.known);
      if (again !== undefined) return { replies: [again] };
      return due !== undefined || ids.has(idKey(message.id)) ? undefined : NOTHING;
    }
    if (methods.has(message.method) && (client === undefined || isDue(play, message.method))) return undefined;
    if (message.kind !== 'request') return NOTHING;
    return { replies: client?.(message)?.map((one) => JSON.stringify(one)) ?? [replyTo(message)] };
  };
};

/** The methods and the ids of the messages of the server that the rows show. */
const shownIn = ({ server }: Score) => {
  const shown = server.flatMap(({ notes }) => notes.flatMap(({ parsed }) => parsed.messages));
  return {
    methods: new Set(shown.flatMap((one) => ('method' in one ? [one.method] : []))),
    ids: new Set(shown.flatMap((one) => (one.kind === 'response' && one.id !== null ? [idKey(one.id)] : []))),
  };
};

const isDue = ({ expected }: Play, method: string): boolean =>
  expected.flat().some(({ parsed }) => parsed.messages.some((one) => 'method' in one && one.method === method));

type Early = { letter: string; actual: Readonly<Record<string, unknown>>; others: number };

/** Finds the line that asks again, if the answer to a letter is early. */
const earlyOf = ({ client, server }: Score) => {
  const expected = server.flatMap(({ notes }) => notes.flatMap(({ value }) => expectedOf(value) ?? []));
  const by = new Map(expected.map((one): [unknown, Expected] => [letterOf(toObject(one.toJSON()).id), one]));
  return ({ letter, actual, others }: Early, known: HoleValues): string | undefined => {
    if (by.get(letter)?.isEarly?.(actual, others) !== true) return undefined;
    const note = client.notes.find((one) => one.letter === letter);
    const line = withHoleValues(JSON.stringify({ ...toObject(note?.value), id: actual.id }), known);
    return line && `${AGAIN}${line}`;
  };
};

/** Source: 2025-11-25 schema, EmptyResult, ListRootsResult, ElicitResult; schema/v1 of ACP, RequestPermissionResponse. */
const RESULTS: Readonly<Record<string, object>> = {
  ping: {},
  'roots/list': { roots: [] },
  'elicitation/create': { action: 'decline' },
  'session/request_permission': { outcome: { outcome: 'cancelled' } },
};

const replyTo = ({ id, method }: Extract<TapeMessage, { kind: 'request' }>): string => {
  const outcome = Object.hasOwn(RESULTS, method)
    ? { result: RESULTS[method] }
    : { error: { code: -32601, message: 'Method not found' } };
  return JSON.stringify({ jsonrpc: '2.0', id: id as RequestId, ...outcome });
};
