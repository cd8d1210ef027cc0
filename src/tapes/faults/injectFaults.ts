/** Injects faults into the lines that one side of a session sends. */
import {
  concat,
  concatMap,
  connect,
  defer,
  delayWhen,
  EMPTY,
  finalize,
  type MonoTypeOperatorFunction,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  takeWhile,
  timer,
} from 'rxjs';
import { damagedText, type Fate, type Faults, fateText, faultRow } from './faults';

/** A line that passes; `bytes` if it is not UTF-8. */
type Line = { kind: 'line'; line: string; bytes?: string };

/** A text for the person who watches. A crash or an end of the server comes last. */
export type FaultRemark =
  | { kind: 'fault'; text: string }
  | { kind: 'crash'; text: string }
  | { kind: 'end'; text: string };

/** An event, and what happens to it if it is a line. */
export type Decided<E> = { event: E; fate?: Fate };

const isOver = (fate: Fate | undefined): boolean => fate?.kind === 'crash' || fate?.kind === 'end';

const isLine = (event: { kind: string }): event is Line => event.kind === 'line';

/**
 * Decides what happens to each line, when it comes. Completes with the source, and at a crash or an end; errors with the source.
 * @param next the fate of the next line; streams may share it
 */
export const decideFates =
  <E extends { kind: string }>(next: () => Fate | undefined): OperatorFunction<E, Decided<E>> =>
  (event$) =>
    event$.pipe(
      map((event): Decided<E> => ({ event, fate: isLine(event) ? next() : undefined })),
      takeWhile(({ fate }) => !isOver(fate), true),
    );

/** What faults need. */
export type FaultDeps<E> = {
  /** Names a line for people by its number. */
  nameOf: (line: E, number: number) => string;
  /** Called when a line begins to wait; returns what is called when it waits no more. `whole` if all lines behind it wait too. */
  hold: (line: E, what: 'whole' | 'copy') => () => void;
  /** Once it has emitted, no line waits any more. It replays that to whoever subscribes later. */
  stopped$: Observable<unknown>;
};

/**
 * Drops, doubles, cuts, garbles and delays lines, and ends with a crash. Emits a remark before each line that waits or is not passed.
 * Completes with the source, once all lines have come; at a crash or an end at once; errors with the source.
 *   fates  x D
 *   in     a-b-c----|
 *   out    f-(fbb)c-|    (f the remark)
 */
export const applyFates =
  <E extends { kind: string }>(deps: FaultDeps<E>): OperatorFunction<Decided<E>, E | FaultRemark> =>
  (decided$) =>
    decided$.pipe(
      connect((shared$) =>
        merge(
          shared$.pipe(concatMap((decided) => inOrder(deps, decided))),
          shared$.pipe(mergeMap((decided) => lateCopy(deps, decided))),
        ),
      ),
      takeWhile(({ kind }) => kind !== 'crash' && kind !== 'end', true),
    );

const inOrder = <E extends { kind: string }>(
  { nameOf, hold, stopped$ }: FaultDeps<E>,
  { event, fate }: Decided<E>,
): Observable<E | FaultRemark> => {
  if (fate === undefined) return of(event);
  const { number, afterMs } = fate;
  const name = nameOf(event, number);
  const what = fateText(fate);
  const remarks: FaultRemark[] = what === undefined ? [] : [{ kind: 'fault', text: `fault: ${name} ${what}` }];
  const passed = passedOf(event, fate, name);
  if (afterMs === 0) return of(...remarks, ...passed);
  return defer(() => {
    const release = hold(event, 'whole');
    return concat(of(...remarks), of(...passed).pipe(waits(afterMs, stopped$))).pipe(finalize(release));
  });
};

const passedOf = <E extends { kind: string }>(event: E, { kind, againMs }: Fate, name: string): (E | FaultRemark)[] => {
  switch (kind) {
    case 'drop':
      return [];
    case 'double':
      return againMs === undefined ? [event, event] : [event];
    case 'crash':
      return [{ kind: 'crash', text: `fault: the server crashes before ${name}` }];
    case 'end':
      return [{ kind: 'end', text: `fault: the server ends before ${name}` }];
    case 'pass':
      return [event];
    default:
      return [
        isLine(event) ? Object.assign({}, event, { line: damagedText(kind, event.line), bytes: undefined }) : event,
      ];
  }
};

const lateCopy = <E extends { kind: string }>(
  { hold, stopped$ }: FaultDeps<E>,
  { event, fate }: Decided<E>,
): Observable<E> => {
  if (fate?.againMs === undefined) return EMPTY;
  const { afterMs, againMs } = fate;
  return defer(() => of(event).pipe(waits(afterMs + againMs, stopped$), finalize(hold(event, 'copy'))));
};

const waits = <E>(ms: number, stopped$: Observable<unknown>): MonoTypeOperatorFunction<E> =>
  delayWhen(() => merge(timer(ms), stopped$));

/** Both in one: decides and applies, for lines that may wait here without bound. */
export const injectFaults =
  <E extends { kind: string }>(
    faults: Faults,
    seed: number,
    nameOf: FaultDeps<E>['nameOf'],
  ): OperatorFunction<E, E | FaultRemark> =>
  (event$) =>
    defer(() =>
      event$.pipe(decideFates(faultRow(faults, seed)), applyFates({ nameOf, hold: () => () => {}, stopped$: NEVER })),
    );
