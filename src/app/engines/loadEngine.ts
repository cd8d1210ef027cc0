/** The engine of a server, which is loaded by its first call or in advance. Its parts take some ten ms each to compile and run. */
import { defer, delayWhen, ignoreElements, map, mergeMap, type Observable, of, type SchedulerLike } from 'rxjs';
import type { ReadyEngine, Wiring } from '../../agent/wiring/wiring';
import type { Engine } from '../../protocol/codex/engine';
import { lazy } from '../../streams/lazy';
import { atOnce, inTurns, type Pausing, startsInTurns } from '../../streams/pausing';
import { after } from '../../streams/time/wait';
import { lazyEngine } from './lazyEngine';

const checksModule = lazy(
  () => require('../../protocol/jsonrpc/checkParams') as typeof import('../../protocol/jsonrpc/checkParams'),
);
const settingsModule = lazy(() => require('../../settings/loadConfig') as typeof import('../../settings/loadConfig'));
const loginModule = lazy(
  () => require('../../agent/native/modelLogin') as typeof import('../../agent/native/modelLogin'),
);
const toolsModule = lazy(
  () => require('../../agent/native/nativeTools') as typeof import('../../agent/native/nativeTools'),
);
const enginesModule = lazy(() => require('./engines') as typeof import('./engines'));

/** The first is small: with it, the text of all is compiled. */
const PARTS = [checksModule, settingsModule, loginModule, toolsModule, enginesModule];

/** An engine, and `warm$`, which makes it before its first call; it emits nothing, and errors if the engine cannot be made. */
type Loaded = { engine: Engine; warm$: Observable<never> };

type LoadDeps = {
  wiring: Wiring;
  /** Runs what makes the engine for a call. */
  first: <T>(make: () => T) => T;
  /** When parts are loaded. Default: in turns of this event loop. */
  starts?: SchedulerLike;
  /** Loads what else the client's first requests need. */
  besides?: (() => unknown) | undefined;
  /** Emits after so many ms. */
  wait?: typeof after;
};

/** A first call that came with the start, and its request to the model, pass what later calls need. */
const AHEAD_MS = 100;

const startsHere = lazy(() => startsInTurns({ now: () => performance.now(), soon: setImmediate }));

/** Loads the engine in turns of the event loop, so that other requests pass. */
export const loadEngine = ({ wiring, first, starts = startsHere(), besides, wait = after }: LoadDeps): Loaded => {
  const made = lazy(() => enginesModule().engines(wiring));
  const isReplayable = wiring.tape !== undefined || wiring.seams !== undefined; // a tape has no time at which the engine was ready
  const made$ = isReplayable ? defer(() => of(atOnce(parts(made)))) : inTurns(starts, () => parts(made));
  return {
    engine: lazyEngine(defer(() => first(() => made$)).pipe(map(({ engine }) => engine))),
    warm$: made$.pipe(
      delayWhen(() => wait(AHEAD_MS)),
      mergeMap(({ warmUp }) => inTurns(starts, () => ahead(besides, warmUp))),
      ignoreElements(),
    ),
  };
};

function* parts(made: () => ReadyEngine): Pausing<ReadyEngine> {
  for (const load of PARTS) {
    load();
    yield;
  }
  return made();
}

function* ahead(besides: LoadDeps['besides'], warmUp: ReadyEngine['warmUp']): Pausing<void> {
  besides?.();
  yield;
  if (warmUp !== undefined) yield* warmUp();
}
