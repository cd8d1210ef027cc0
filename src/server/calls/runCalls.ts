/** The calls of one connection on one engine, which all protocol faces of the connection share. */
import { defer, filter, merge, type Observable, type OperatorFunction, Subject } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { Event } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import type { Log } from '../../protocol/log';
import { gather } from '../../streams/gather';
import { type AskDeps, askCaller } from './askCaller';
import { withoutErrors } from './engineErrors';
import { logEvents } from './logEvents';
import type { EngineInput } from './step';

/** `engine` runs the turns. */
export type CallsDeps = AskDeps & { engine: Engine; log: Log };

/**
 * The reducer of a connection: what it knows, how an input or an event of the engine changes it, and whether it is over. It may be that
 * of the calls alone, or one that has it as a part.
 */
export type ConnectionReducer<S, I, O> = {
  initial: S;
  reduce: (state: S, input: I | Event) => { state: S; output: readonly O[]; ops: readonly EngineInput[] };
  isEnded: (state: S) => boolean;
};

/**
 * Runs the calls that the inputs begin. Emits what faces make messages of. Completes with the input `end`, which stops all
 * turns. An error of the engine ends the calls that are open, see `withoutErrors`.
 *   in   b------x-z|    (b begin, x cancel, z end)
 *   out  BE-E---X-|     (B begun, E events, X cancelled)
 */
export const runCalls =
  <S, I, O>(deps: CallsDeps, { initial, reduce, isEnded }: ConnectionReducer<S, I, O>): OperatorFunction<I, O> =>
  (input$) =>
    defer(() => {
      const op$ = new Subject<EngineInput>(); // the wire from the reducer to the engine, which keeps nothing
      // The engine is subscribed before the inputs are: an input that comes synchronously already leads to an operation.
      return merge(runEngine(deps, op$), input$).pipe(
        gather<I | Event, O>(() => {
          let state = initial;
          return {
            next: (input, emit, complete) => {
              const step = reduce(state, input);
              state = step.state;
              step.output.forEach(emit);
              for (const op of step.ops) op$.next(op); // when the output has left, for what they cause comes after it
              if (isEnded(step.state)) complete();
            },
          };
        }),
      );
    });

const runEngine = ({ engine, log, ...deps }: CallsDeps, op$: Observable<EngineInput>) =>
  op$.pipe(
    filter((item): item is Op => item.kind !== 'verdict' && item.kind !== 'wait'),
    withoutErrors(log, engine)(askCaller(deps, op$)),
    logEvents(log),
  );
