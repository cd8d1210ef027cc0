/** When the next messages of a consumer are asked for, and when it is lost. */
import { interval, map, merge, type Observable, type OperatorFunction, of } from 'rxjs';
import type { Backpressure } from '../../../streams/backpressure';
import { mapAccum } from '../../../streams/gather';
import type { NatsStored } from '../natsLink';

/** So many messages and bytes, as the server counts them. */
export type Amount = { messages: number; bytes: number };

/**
 * What a consumer sends. `message`: one of `size` bytes. `over`: a request for messages ends, with `left` of it unused.
 * `alive`: a heartbeat, sent while a request is open and there are no messages.
 */
export type Pulled =
  | { kind: 'message'; size: number; stored: NatsStored }
  | { kind: 'over'; left: Amount }
  | { kind: 'alive' };

/**
 * @param ask sends a request for one `round`
 * @param beatMs how often the server sends a heartbeat
 * @param lost the error of a consumer that is silent
 */
export type RoundsDeps = {
  ask: (round: Amount) => void;
  round: Amount;
  beatMs: number;
  backpressure: Backpressure;
  lost: () => Error;
};

/** `open`: what was asked for and has not come; `beats`: how many heartbeats were due since anything came. */
type State = { open: Amount; beats: number };

const NOTHING: Amount = { messages: 0, bytes: 0 };
const MAX_BEATS = 3;

/**
 * Emits the messages. Asks for the next round while one is still open, so that the server never waits for us. While `backpressure`
 * is full, a message asks for nothing. Never completes; errors when a request is open and nothing came for three heartbeats.
 *   pulled   --a-b-c-d-e     (a round is 2)
 *   ask      (rr)--r---r
 *   out      --A-B-C-D-E
 */
export const readRounds =
  ({ ask, round, beatMs, backpressure, lost }: RoundsDeps): OperatorFunction<Pulled, NatsStored> =>
  (pulled$) => {
    const askAgain = (open: Amount): Amount => {
      if (!isLow(open, round)) return open;
      ask(round);
      return askAgain(plus(open, round));
    };
    const step = ({ open, beats }: State, item: Item): { state: State; output?: NatsStored } => {
      if (item.kind === 'beat') {
        if (open.messages > 0 && beats >= MAX_BEATS) throw lost();
        return { state: { open, beats: beats + 1 } };
      }
      const mayAsk = item.kind === 'begin' || item.kind === 'drained' || !backpressure.isFull();
      const left = minus(open, taken(item));
      const state = { open: mayAsk ? askAgain(left) : left, beats: 0 };
      return item.kind === 'message' ? { state, output: item.stored } : { state };
    };
    return merge(pulled$, turns(beatMs, backpressure)).pipe(mapAccum(step, { open: NOTHING, beats: 0 }));
  };

type Turn = { kind: 'begin' } | { kind: 'drained' } | { kind: 'beat' };
type Item = Pulled | Turn;

const turns = (beatMs: number, { drain$ }: Backpressure): Observable<Turn> =>
  merge(
    of<Turn>({ kind: 'begin' }),
    drain$.pipe(map((): Turn => ({ kind: 'drained' }))),
    interval(beatMs).pipe(map((): Turn => ({ kind: 'beat' }))),
  );

const taken = (item: Item): Amount => {
  if (item.kind === 'over') return item.left;
  return item.kind === 'message' ? { messages: 1, bytes: item.size } : NOTHING;
};

const isLow = (open: Amount, round: Amount): boolean => open.messages <= round.messages || open.bytes <= round.bytes;

const plus = (open: Amount, round: Amount): Amount => ({
  messages: open.messages + round.messages,
  bytes: open.bytes + round.bytes,
});

/** A round that had all its messages has no bytes left, though the server does not say so. */
const minus = (open: Amount, { messages, bytes }: Amount): Amount =>
  open.messages <= messages ? NOTHING : { messages: open.messages - messages, bytes: Math.max(0, open.bytes - bytes) };
