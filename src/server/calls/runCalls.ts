/** The calls of one connection on one engine, which all protocol faces of the connection share. */
import { defer, filter, map, merge, type Observable, type OperatorFunction, Subject, scan, takeWhile, tap } from 'rxjs';
import type { Log } from '../../log';
import type { Engine, Op } from '../../protocol/codex';
import { flatten } from '../../streams';
import { type AskDeps, askCaller } from './askCaller';
import { logEvents } from './logEvents';
import { noCalls } from './openCalls';
import { reduceCalls } from './reduceCalls';
import { type CallInput, type CallOutput, type EngineInput, type Step, toStep } from './step';

/** `engine` runs the turns. */
export type CallsDeps = AskDeps & { engine: Engine; log: Log };

/**
 * Runs the calls that the inputs begin. Emits what faces make messages of. Completes with the input `end`, which stops all
 * turns; errors with the engine.
 *   in   b------x-z|    (b begin, x cancel, z end)
 *   out  BE-E---X-|     (B begun, E events, X cancelled)
 */
export const runCalls =
  <C>(deps: CallsDeps): OperatorFunction<CallInput<C>, CallOutput<C>> =>
  (input$) =>
    defer(() => {
      const op$ = new Subject<EngineInput>(); // the wire from the reducer to the engine, which keeps nothing
      // The engine is subscribed before the inputs are: an input that comes synchronously already leads to an operation.
      return merge(runEngine(deps, op$), input$).pipe(
        scan<CallInput<C>, Step<C>>(({ state }, input) => reduceCalls(state, input), toStep(noCalls<C>())),
        takeWhile(({ state }) => !state.ended, true),
        map(toItems),
        flatten(),
        tap((item) => isOp(item) && op$.next(item)),
        filter((item) => !isOp(item)),
      );
    });

const runEngine = ({ engine, log, ...deps }: CallsDeps, op$: Observable<EngineInput>) =>
  op$.pipe(
    filter((item): item is Op => item.kind !== 'verdict' && item.kind !== 'wait'),
    engine(askCaller(deps, op$)),
    logEvents(log),
  );

/** The engine gets its operations when the output has left, for what they cause comes behind it. */
const toItems = <C>({ output, ops }: Step<C>): readonly (CallOutput<C> | EngineInput)[] =>
  ops.length === 0 ? output : [...output, ...ops];

const isOp = <C>(item: CallOutput<C> | EngineInput): item is EngineInput => Object.hasOwn(OPS, item.kind);

const OPS: Record<EngineInput['kind'], true> = {
  ...{ turn: true, input: true, open: true, compact: true, close: true },
  ...{ interrupt: true, interruptThread: true, verdict: true, wait: true },
};
