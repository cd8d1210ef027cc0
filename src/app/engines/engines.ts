/** The engines by name, and the choice between them. */
import { concatMap, defer, map, scan, tap } from 'rxjs';
import { installedCodex, mayBeLoggedIn } from '../../agent/appServer/installedCodex';
import { chooseEngine } from '../../agent/chooseEngine';
import { nativeAvailability } from '../../agent/native/modelLogin';
import { configureOf, type ReadyEngine, seamsOf, type Wiring } from '../../agent/wiring/wiring';
import type { Engine } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';
import { lazy } from '../../streams/lazy';
import type { Choice } from '../../tapes/seams/ports';
import { deferredEngine } from './lazyEngine';
import { nativeEngine } from './nativeEngine';

const appServerModule = lazy(
  () => require('../../agent/appServer/appServerEngine') as typeof import('../../agent/appServer/appServerEngine'),
);
const tapeModule = lazy(() => require('./openTapeEngine') as typeof import('./openTapeEngine'));

/** The engines by name, each made when it is first needed. `choice$` emits which engine this machine would use, and why. */
export const enginesOf = (plain: Wiring) => {
  const wiring = { ...plain, seams: seamsOf(plain) }; // the calls of one seam are counted together, whichever engine makes them
  const configure = lazy(() => configureOf(wiring)); // one for the choice and the engine, so that what it read is read once
  const native = lazy(() => nativeEngine(wiring, configure()));
  const appServer = lazy(() => appServerModule().appServerEngine(wiring));
  const byName: Record<Choice['engine'], () => ReadyEngine> = {
    native,
    'app-server': () => appServer().ready,
    tape: () => ({ engine: deferredEngine(tapeModule().openTapeEngine(wiring)) }),
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

/** The engine of the options; with `auto` an engine that this machine can use, chosen at the first call. */
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
 * The engine whose first turn has a warning, and whose first result, failure or rejection ends with the remark. A turn that is stopped has
 * no text, so the next one has it. Without a remark it is the engine itself.
 *   engine  s--c---s--c|     (s task_started, c task_complete)
 *   out     (sW)C--s--c|     (W the warning, C ends with the remark)
 */
export const withRemark =
  (remark: string | undefined) =>
  (engine: Engine): Engine =>
    remark === undefined
      ? engine
      : (ask) => (op$) =>
          engine(ask)(op$).pipe(
            scan(({ phase }: Step, event: Event) => stepOf(remark, phase, event), { phase: 'new', events: [] }),
            concatMap(({ events }) => events),
          );

/** `warned`: the warning was sent; `ended`: a result has the remark. */
type Phase = 'new' | 'warned' | 'ended';
type Step = { phase: Phase; events: Event[] };

const stepOf = (remark: string, phase: Phase, event: Event): Step => {
  if (phase === 'ended') return { phase, events: [event] };
  if (event.kind === 'rejected') {
    return { phase: 'ended', events: [{ ...event, message: withEnd(event.message, remark) }] };
  }
  if (event.kind !== 'event') return { phase, events: [event] };
  const ended = endedBy(event.msg, remark);
  if (ended !== undefined) return { phase: 'ended', events: [{ ...event, msg: ended }] };
  if (phase === 'warned' || event.msg.type !== 'task_started') return { phase, events: [event] };
  return { phase: 'warned', events: [event, { ...event, msg: { type: 'warning', message: remark } }] };
};

/** The event with the remark, if a result is made from its text. */
const endedBy = (msg: EventMsg, remark: string): EventMsg | undefined => {
  if (msg.type === 'error') return { ...msg, message: withEnd(msg.message, remark) };
  if (msg.type !== 'task_complete') return undefined;
  return { ...msg, last_agent_message: withEnd(msg.last_agent_message ?? '', remark) };
};

const withEnd = (text: string, remark: string): string => (text === '' ? remark : `${text}\n\n${remark}`);
