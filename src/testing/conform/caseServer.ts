/** A server in a session of a case: what passes is observed, signals are among the client's lines, and what the marbles do not show is left out. */
import { concatMap, connect, filter, map, of, tap, throwError } from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { SignalledServer } from '../../tapes/sessions/playSession';
import { requestAnsweredBy } from '../../tapes/templates/requestLetters';
import type { Score } from '../score';
import type { Server } from '../server';
import { ServerError } from '../stdio';
import type { Aside, Moves } from '../step';
import type { ConformCase, ObservedLine } from './conformCase';

/** A line of the client that is a signal to the process of the server. */
export const signal = (name: NodeJS.Signals): string => `${SIGNAL}${name}`;
const SIGNAL = '<signal> ';

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
          tap((line) => observe({ dir: 'in', line })),
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
        if (event.kind === 'line') return of(event.line);
        const isFault = event.kind === 'ended' && event.trouble !== '' && ending !== 'anyhow';
        return isFault ? throwError(() => new ServerError(event.trouble)) : [];
      }),
    );

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
export const asideOf = (score: Score, { may }: Pick<ConformCase, 'may'>): NonNullable<Moves['asideOf']> => {
  const shown = score.server.flatMap(({ notes }) => notes.flatMap(({ parsed }) => parsed.messages));
  const methods = new Set(shown.flatMap((one) => ('method' in one ? [one.method] : [])));
  const ids = new Set(shown.flatMap((one) => (one.kind === 'response' && one.id !== null ? [idKey(one.id)] : [])));
  return (line, { clientRequests }) => {
    const { value, messages } = parseLine(line);
    if (may?.(value)) return NOTHING;
    if (Array.isArray(value)) return undefined;
    const [message] = messages;
    if (message === undefined || message.kind === 'other') return NOTHING;
    if (message.kind === 'response') {
      if (message.id === null) return undefined;
      const isDue = requestAnsweredBy(clientRequests, message.id) !== undefined || ids.has(idKey(message.id));
      return isDue ? undefined : NOTHING;
    }
    if (methods.has(message.method)) return undefined;
    return message.kind === 'request' ? { replies: [replyTo(message)] } : NOTHING;
  };
};

/** Source: 2025-11-25 schema, EmptyResult and ListRootsResult. */
const RESULTS: Readonly<Record<string, object>> = { ping: {}, 'roots/list': { roots: [] } };

const replyTo = ({ id, method }: Extract<TapeMessage, { kind: 'request' }>): string => {
  const outcome = Object.hasOwn(RESULTS, method)
    ? { result: RESULTS[method] }
    : { error: { code: -32601, message: 'Method not found' } };
  return JSON.stringify({ jsonrpc: '2.0', id: id as RequestId, ...outcome });
};
