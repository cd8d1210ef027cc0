/** The past of a stored thread as the updates that a client would have had. */
import { defer, EMPTY, expand, map, type Observable, of, switchMap, take } from 'rxjs';
import type { SessionUpdate } from '../../protocol/acp/acp';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Backpressure } from '../../streams/backpressure';
import { callPairer, type EndKinds, type Happened, learnEnd } from '../../tapes/import/rolloutCalls';
import { readRolloutLine } from '../../threads/lines/readRolloutLine';
import { lastCount } from '../../threads/lines/tokenCount';
import { endTurn, type Shown, type TurnView, unchanged } from './toolView';
import { showEvent, showText, toUsage } from './turnView';

/** A stored thread: its lines, and the view before them. */
export type Past = { view: TurnView; lines: readonly JsonObject[] };

/** What a walk through a thread waits for. */
export type Pace = {
  /** The queue towards the client. */
  backpressure: Backpressure;
  /** Emits after so many ms. */
  after: (ms: number) => Observable<unknown>;
};

/**
 * The thread in pieces, each in its own turn of the event loop, and once a slow client has read enough: the view so far, and updates: prompts, messages,
 * thoughts, plans, and calls, of which none is left open; at last the use of the context. Emits at least one piece.
 *   drain  ---d--
 *   out    p---(p|)    (the queue is full until it drains)
 */
export const replayThread = (past: Past, { backpressure: { isFull, drain$ }, after }: Pace): Observable<Shown> =>
  defer(() => {
    const pieces = piecesOf(past);
    const read$ = defer(() => (isFull() ? drain$.pipe(take(1)) : of(0)));
    const next$ = read$.pipe(
      switchMap(() => after(TURN_MS)),
      map(() => pieces.next()),
    );
    return of(pieces.next()).pipe(
      expand(({ done }) => (done ? EMPTY : next$)),
      map(({ value }) => value),
    );
  });

/** The time of a timer of its own. */
const TURN_MS = 1;

/** How much a piece holds: characters of texts, and so much for each line. */
const PIECE = 200_000;
const LINE = 50;

/** Returns the last piece. */
function* piecesOf(past: Past): Generator<Shown, Shown> {
  let piece = { state: past.view, output: [] as SessionUpdate[] };
  let weight = 0;
  for (const { state, output } of steps(past)) {
    piece = { state, output: piece.output };
    for (const update of output) piece.output.push(update);
    weight += LINE + weigh(output);
    if (weight < PIECE) continue;
    yield piece;
    piece = { state, output: [] };
    weight = 0;
  }
  return piece;
}

const weigh = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, one) => sum + weigh(one), 0)
    : 0;
};

/** Line by line, twice: how a call ends tells how it began. */
function* steps({ view, lines }: Past): Generator<Shown> {
  const kinds: EndKinds = new Map();
  for (const line of lines) {
    for (const item of readRolloutLine(line) ?? []) learnEnd(kinds, item);
    yield unchanged(view);
  }
  const pair = callPairer(kinds);
  let state = view;
  let used: number | undefined;
  for (const line of lines) {
    used = lastCount(line) ?? used;
    for (const item of readRolloutLine(line) ?? []) {
      for (const happened of pair({ ...item, ms: undefined })) {
        const shown = showItem(state, happened);
        state = shown.state;
        yield shown;
      }
    }
  }
  const ended = endTurn(state);
  yield ended;
  if (used !== undefined) yield { state: ended.state, output: [toUsage(ended.state, used)] };
}

const showItem = (view: TurnView, item: Happened): Shown => {
  if (item.kind === 'event') return showStored(view, item.msg);
  const ended = endTurn(view);
  const { state, output } = showText(ended.state, 'user_message_chunk', item.text);
  return { state, output: [...ended.output, ...output] };
};

/** Counts are shown once, at the end. An event that another release wrote with other members is left out. */
const showStored = (view: TurnView, msg: JsonObject): Shown => {
  if (msg.type === 'token_count') return unchanged(view);
  try {
    return showEvent(view, msg as EventMsg);
  } catch (error) {
    if (error instanceof TypeError) return unchanged(view);
    throw error;
  }
};
