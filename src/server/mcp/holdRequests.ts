/** Requests of the server wait until the handshake is over. Source: MCP 2024-11-05 to 2025-11-25, basic/lifecycle "Initialization". */
import {
  concat,
  connect,
  EMPTY,
  endWith,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  of,
  switchMap,
  take,
  takeUntil,
  takeWhile,
} from 'rxjs';
import type { Message, Outgoing, Request } from '../../protocol/jsonrpc/messages';
import { gather, mapAccum } from '../../streams/gather';
import type { Incoming } from './withClient';

/** How long a request waits for a client that never sends `notifications/initialized`. */
const HANDSHAKE_WAIT_MS = 5_000;

type HoldDeps = {
  /** The messages of the client; hot. */
  incoming$: Observable<Incoming>;
  /** Emits once, after that time. */
  after: (ms: number) => Observable<unknown>;
};

/** `opened` by `initialize`; `ready` by `notifications/initialized`, or when the wait is over. */
type Handshake = { kind: 'opened' } | { kind: 'ready' };

/**
 * Holds requests, but no ping, from `initialize` to `notifications/initialized`, at most five seconds from the first of them on. A held request that is
 * withdrawn is never sent. All else passes at once. Completes and errors with the source; what is held then is dropped.
 *   incoming  i-----n---     (i initialize, n notifications/initialized)
 *   in        -R-Qe---P-|    (R the response, Q and P requests, e an event)
 *   out       -R--e-Q-P-|
 */
export const holdRequests = ({ incoming$, after }: HoldDeps): MonoTypeOperatorFunction<Outgoing> =>
  connect((message$) => {
    const waited$ = message$.pipe(
      filter(isHeld),
      take(1),
      switchMap(() => after(HANDSHAKE_WAIT_MS)),
      map((): Handshake => ({ kind: 'ready' })),
    );
    const handshake$ = incoming$.pipe(
      toHandshake(),
      switchMap((change) => concat(of(change), change.kind === 'opened' ? waited$ : EMPTY)),
      takeWhile(({ kind }) => kind === 'opened', true),
      takeUntil(message$.pipe(ignoreElements(), endWith(undefined))),
    );
    return merge(handshake$, message$).pipe(hold());
  });

const isHeld = (message: Outgoing): message is Request => message.kind === 'request' && message.method !== 'ping';

const toHandshake = () =>
  mapAccum<boolean, Incoming, Handshake>((isOpen, { message, client }) => {
    if (isOpen) return { state: true, ...(isInitialized(message) && { output: { kind: 'ready' } }) };
    return client.version === undefined ? { state: false } : { state: true, output: { kind: 'opened' } };
  }, false);

const isInitialized = (message: Message): boolean =>
  message.kind === 'batch'
    ? message.messages.some(isInitialized)
    : message.kind === 'notification' && message.method === 'notifications/initialized';

const hold = () =>
  gather<Handshake | Outgoing, Outgoing>(() => {
    let held: readonly Request[] | undefined; // undefined while requests pass
    return {
      next: (item, emit) => {
        if (item.kind === 'opened') held = [];
        else if (item.kind === 'ready') {
          held?.forEach(emit);
          held = undefined;
        } else if (held === undefined) emit(item);
        else if (isHeld(item)) held = [...held, item];
        else {
          const left = withoutWithdrawn(held, item);
          if (left.length === held.length) emit(item);
          held = left;
        }
      },
    };
  });

const withoutWithdrawn = (held: readonly Request[], item: Outgoing): readonly Request[] =>
  item.kind === 'notification' && item.method === 'notifications/cancelled'
    ? held.filter(({ id }) => id !== item.params.requestId)
    : held;
