/** Runs the demonstration: a client, a server and the picture of their messages. */
import {
  concatMap,
  connect,
  endWith,
  filter,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  of,
  startWith,
  takeWhile,
  timer,
  timestamp,
} from 'rxjs';
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { connectPeers, type Traffic } from '../../streams/connectPeers';
import { followedBy } from '../../streams/followedBy';
import { ofKind } from '../../streams/ofKind';
import { type ClosingDeps, toClosing } from './closing';
import { collapseDeltas } from './collapseDeltas';
import { liveHead } from './live';
import type { Mark } from './mark';
import { type TimedTraffic, toMarks } from './toMarks';
import { type Facts, toVerdict } from './verdict';

/** What is shown: lines, and last whether all was well. */
export type Shown = { kind: 'line'; text: string } | { kind: 'over'; exitCode: number };

/**
 * `client` and `server` are the two peers, `live` draws their messages. `stop$` emits the reason for an early end.
 * `written` reads the file afterwards. `hint` is shown below a question that somebody at the terminal has to answer.
 */
export type DemoDeps = ClosingDeps & {
  client: OperatorFunction<string, string>;
  server: OperatorFunction<string, ServerEvent>;
  live: OperatorFunction<TimedTraffic, string>;
  stop$: Observable<string>;
  limitMs: number;
  written: () => string | undefined;
  hint?: string;
};

type Item = Shown | { kind: 'mark'; mark: Mark } | { kind: 'trouble'; trouble: string };

/**
 * Runs the client against the server and shows it: a line a message as it comes, then the last page.
 * Emits lines, then `over` with 0 when all was as it should be, else 1; completes. Never errors by itself.
 *   client i---c---y------|
 *   server ---I---Q----C--|
 *   out    i--Ic--Qy---C--(pppz|)    (p the last page, z over)
 */
export const demo = (deps: DemoDeps): Observable<Shown> =>
  conversation(deps).pipe(
    timestamp(),
    connect((traffic$) =>
      merge<Item[]>(
        traffic$.pipe(deps.live, map(toLine)),
        traffic$.pipe(
          toMarks(),
          collapseDeltas(),
          concatMap((mark) => [
            { kind: 'mark' as const, mark },
            ...(deps.hint !== undefined && mark.symbol === 'Q' ? [toLine(deps.hint)] : []),
          ]),
        ),
        traffic$.pipe(concatMap(toTroubles)),
      ),
    ),
    followedBy<Item, Sum>(sumUp, { marks: [], trouble: '' }, (sum) => close(deps, sum)),
    filter((item) => item.kind === 'line' || item.kind === 'over'),
    startWith(toLine(liveHead(deps))),
  );

const toLine = (text: string): Shown => ({ kind: 'line', text });

/** Ends with the server, at the time limit, or when `stop$` emits; the reason for the latter two stands for the server's end. */
const conversation = ({ client, server, stop$, limitMs }: DemoDeps): Observable<Traffic<string, ServerEvent>> => {
  const near: OperatorFunction<ServerEvent, string> = (event$) =>
    event$.pipe(
      ofKind('line'),
      map(({ line }) => line),
      client,
    );
  const late$ = timer(limitMs).pipe(map(() => `there was no end within ${limitMs / 1000} s`));
  const cut$ = merge(stop$, late$).pipe(
    mergeMap((trouble) => [{ from: 'far' as const, item: { kind: 'ended' as const, trouble } }, null]),
  );
  return merge(connectPeers(near, server).pipe(endWith(null)), cut$).pipe(takeWhile((item) => item !== null));
};

const toTroubles = ({ value }: TimedTraffic): Item[] =>
  value.from === 'far' && value.item.kind === 'ended' ? [{ kind: 'trouble', trouble: value.item.trouble }] : [];

type Sum = Omit<Facts, 'written'>;

/** The first trouble is the reason; later ones follow from it. */
const sumUp = (sum: Sum, item: Item): Sum => {
  if (item.kind === 'mark') return { ...sum, marks: [...sum.marks, item.mark] };
  if (item.kind === 'trouble') return { ...sum, trouble: sum.trouble || item.trouble };
  return sum;
};

const close = (deps: DemoDeps, sum: Sum): Observable<Shown> => {
  const facts = { ...sum, written: deps.written() };
  const verdict = toVerdict(facts);
  const over: Shown = { kind: 'over', exitCode: verdict.kind === 'shown' ? 0 : 1 };
  return of(...toClosing(facts, verdict, deps).map(toLine), over);
};
