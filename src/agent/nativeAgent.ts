/** Owns the native engine: many conversations in this process, each with a model of its own. */
import { type Observable, Subject, using } from 'rxjs';
import type { Engine } from '../protocol';
import { byThread } from '../streams';
import { type SessionDeps, session } from './session';
import { type ThreadDeps, threads } from './threads';

/** @param openTools makes the `toolsOf` of a connection, whose servers end when `over$` emits */
export type NativeDeps = ThreadDeps &
  Omit<SessionDeps, 'ask' | 'toolsOf'> & { openTools: (over$: Observable<void>) => SessionDeps['toolsOf'] };

/**
 * An engine that runs turns in this process. Threads run side by side, turns of one thread one after another.
 * A call that cannot begin is refused with the reason. An interrupt also reaches a turn that still waits.
 * Threads live as long as the connection, for a reply to one may come any time, and so do the MCP servers that some of
 * them needed. Unsubscribing stops all turns.
 *   op   a-b-c---|        (a, b on one thread, c on another; t told, z the last event)
 *   out  t---t-(zt)--z-(z|)
 */
export const nativeAgent =
  (deps: NativeDeps): Engine =>
  (ask) =>
  (op$) =>
    using(lifetime, (life) => {
      const { over$ } = life as Lifetime;
      const toolsOf = deps.openTools(over$);
      const run = (cancelled$: Observable<string>) => session({ ...deps, ask, toolsOf }, cancelled$);
      return op$.pipe(byThread({ address: threads(deps), threadOf: ({ thread }) => thread.id, run }));
    });

type Lifetime = { over$: Subject<void>; unsubscribe: () => void };

/** Emits when the connection ends. */
const lifetime = (): Lifetime => {
  const over$ = new Subject<void>();
  return { over$, unsubscribe: () => over$.next() };
};
