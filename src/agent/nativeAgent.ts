/** Owns the native engine: many conversations in this process, each with a model of its own. */
import {
  connect,
  filter,
  groupBy,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  scan,
  shareReplay,
  startWith,
} from 'rxjs';
import { type Config, ConfigError } from '../config';
import type { Engine, Event, Model, Op, ThreadRef, ThreadSettings, TurnOp } from '../protocol';
import { ofKind } from '../streams';
import { type SessionDeps, session, type Wanted } from './session';
import type { Thread } from './step';

/** `configure` throws ConfigError; `modelOf` makes the model of a thread; the rest is what sessions need. */
export type NativeDeps = Omit<SessionDeps, 'ask'> & {
  configure: (settings: ThreadSettings) => Config;
  modelOf: (provider: Config['provider']) => Model;
};

/**
 * An engine that runs turns in this process. Threads run side by side, turns of one thread one after another.
 * A call that cannot begin is refused with the reason. An interrupt also reaches a turn that still waits.
 */
export const nativeAgent =
  (deps: NativeDeps): Engine =>
  (ask) =>
  (op$) =>
    op$.pipe(
      connect((shared$) => {
        const stopped$ = interrupted(shared$);
        const stopped = (callId: string) => stopped$.pipe(filter((callIds) => callIds.has(callId)));
        return merge(
          stopped$.pipe(ignoreElements()),
          shared$.pipe(
            ofKind('turn'),
            scan((known, op) => address(deps, known, op), nothing()),
            map(({ found }) => found as Wanted | Refused),
            connect((found$) =>
              merge(
                found$.pipe(ofKind('refused')),
                found$.pipe(
                  ofKind('wanted'),
                  groupBy(({ thread }) => thread.id),
                  mergeMap(session({ ...deps, ask }, stopped)),
                ),
              ),
            ),
          ),
        );
      }),
    );

/** The calls that were interrupted so far; whoever comes late learns of them at once. */
const interrupted = (op$: Observable<Op>): Observable<ReadonlySet<string>> =>
  op$.pipe(
    ofKind('interrupt'),
    scan((callIds, { callId }) => new Set([...callIds, callId].slice(-MAX_REMEMBERED)), new Set<string>()),
    startWith(new Set<string>()),
    shareReplay({ bufferSize: 1, refCount: true }),
  );

const MAX_REMEMBERED = 1_000;

type Refused = Extract<Event, { kind: 'refused' }>;
type Known = { threads: Map<string, Thread>; newest?: Thread; found?: Wanted | Refused };

const nothing = (): Known => ({ threads: new Map() });

/** Finds or begins the thread that a turn belongs to. */
const address = (deps: NativeDeps, known: Known, op: TurnOp): Known => {
  const { thread } = op;
  if ('start' in thread) return begin(deps, known, op, thread.start);
  const old = 'newest' in thread ? known.newest : known.threads.get(toUuid(thread.id));
  return old
    ? { ...known, newest: old, found: { kind: 'wanted', op, thread: old, opens: false } }
    : { ...known, found: refuse(op, missing(thread)) };
};

const begin = (
  { configure, modelOf, newId }: NativeDeps,
  known: Known,
  op: TurnOp,
  settings: ThreadSettings,
): Known => {
  try {
    const config = configure(settings);
    const thread = { id: newId(), config, model: modelOf(config.provider) };
    known.threads.set(thread.id, thread);
    return { ...known, newest: thread, found: { kind: 'wanted', op, thread, opens: true } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { ...known, found: refuse(op, `Failed to load Codex configuration: ${error.message}`) };
  }
};

const refuse = ({ callId }: TurnOp, message: string): Refused => ({ kind: 'refused', callId, message });

const missing = (thread: Exclude<ThreadRef, { start: unknown }>): string =>
  'newest' in thread
    ? 'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.'
    : `Session not found for thread_id: ${toUuid(thread.id)}. Start one with the tool codex.`;

/** Any notation of a UUID as the one with hyphens; other text as it is. */
const toUuid = (id: string): string => {
  const hex = id.toLowerCase().replaceAll(/[{}-]|^urn:uuid:/g, '');
  return /^[0-9a-f]{32}$/.test(hex) ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : id;
};
