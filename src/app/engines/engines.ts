/** The engines by name, and the one that was chosen. */
import { connect, defer, map, type Observable, shareReplay, switchMap, take, tap } from 'rxjs';
import { installedCodex, mayBeLoggedIn } from '../../agent/appServer/installedCodex';
import { chooseEngine } from '../../agent/chooseEngine';
import { nativeAvailability } from '../../agent/native/nativeAvailability';
import { configureOf, type ReadyEngine, seamsOf, type Wiring } from '../../agent/wiring/wiring';
import type { Engine } from '../../protocol/codex/engine';
import { lazy } from '../../streams/lazy/lazy';
import { mapInTurn } from '../../streams/scanInTurn';
import type { Choice } from '../../tapes/seams/engineChoice';
import { nativeEngine } from './nativeEngine';
import { withRemark } from './withRemark';

const appServerModule = lazy(
  () => require('../../agent/appServer/appServerEngine') as typeof import('../../agent/appServer/appServerEngine'),
);
const tapeModule = lazy(() => require('./openTapeEngine') as typeof import('./openTapeEngine'));

/** The engines by name, each made when it is first needed, and `choice$`: which one this machine would use, and why. */
export const enginesOf = (plain: Wiring) => {
  const wiring = { ...plain, seams: seamsOf(plain) }; // the calls of one seam are counted together, whichever engine makes them
  const configure = lazy(() => configureOf(wiring)); // one for the choice and the engine, so that what it read is read once
  const native = lazy(() => nativeEngine(wiring, configure()));
  const appServer = lazy(() => appServerModule().appServerEngine(wiring));
  const byName: Record<Choice['engine'], () => ReadyEngine> = {
    native,
    'app-server': () => appServer().ready,
    tape: () => ({ engine: deferredEngine(tapeModule().openTapeEngine(wiring)), warmUp: () => {} }),
  };
  const choice$ = chooseEngine(
    {
      native: () => nativeAvailability(wiring, configure()),
      find: installedCodex(wiring),
      mayBeLoggedIn: () => mayBeLoggedIn(wiring),
      account: () => appServer().account(),
    },
    wiring.options.engine,
  );
  return { native, byName, choice$ };
};

/** The engine that was asked for; with `auto` the one that this machine can use, chosen by the first call. */
export const engines = (wiring: Wiring): ReadyEngine => {
  const { native, byName, choice$ } = enginesOf(wiring);
  const { engine: name } = wiring.options;
  if (name !== 'auto') return byName[name]();
  const engine$ = defer(() => seamsOf(wiring).choice(choice$)).pipe(
    tap(({ engine, reason, remedy }) =>
      wiring.log(remedy ? 'warning' : 'info', 'the engine is chosen', { engine, reason, ...(remedy && { remedy }) }),
    ),
    map((choice) => withRemark(remarkOf(choice))(byName[choice.engine]().engine)),
  );
  return { engine: deferredEngine(engine$), warmUp: () => native().warmUp() };
};

/** For the first result, if an installed Codex was passed over. */
const remarkOf = ({ engine, reason, remedy }: Choice): string | undefined => {
  if (remedy === undefined) return undefined;
  return `Note: the engine ${engine} ran this, not the installed Codex: ${reason.replace(/\.$/, '')}. To use Codex, ${remedy}.`;
};

/**
 * An engine that is still being chosen; operations wait, in their order.
 * @param engine$ emits it; subscribed once, and its errors are those of the engine
 *   op      a-b-----c
 *   choice  ----e
 *   out     ----(AB)C    (by e)
 */
export const deferredEngine =
  (engine$: Observable<Engine>): Engine =>
  (ask) =>
  (op$) =>
    defer(() => {
      let isChosen = false;
      const chosen$ = engine$.pipe(
        take(1),
        tap(() => {
          isChosen = true;
        }),
        shareReplay({ bufferSize: 1, refCount: true }),
      );
      return op$.pipe(
        mapInTurn((op) => (isChosen ? op : chosen$.pipe(map(() => op)))),
        connect((waiting$) => chosen$.pipe(switchMap((engine) => engine(ask)(waiting$)))),
      );
    });
