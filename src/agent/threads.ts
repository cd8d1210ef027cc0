/** Owns which threads there are, and to which of them a turn belongs. */
import { type Config, ConfigError } from '../config';
import type { Log } from '../log';
import { type Event, type Model, type ThreadRef, type ThreadSettings, type TurnOp, toUuid } from '../protocol';
import type { Addressed } from '../streams';
import { NO_TOOLS } from '../toolServers';
import type { Thread, Turn } from './step';

/** `configure` throws ConfigError; `modelOf` makes the model of a thread; `newId` never gives the same id twice. */
export type ThreadDeps = {
  configure: (settings: ThreadSettings) => Config;
  modelOf: (provider: Config['provider']) => Model;
  newId: () => string;
  log: Log;
};

type Refused = Extract<Event, { kind: 'refused' }>;

/**
 * Finds or begins the thread of each turn. Make one per connection, for it remembers them: a reply may come any time.
 * Never throws: what is wrong with a configuration is told the caller, a fault of ours is logged as well.
 */
export const threads = (deps: ThreadDeps): ((op: TurnOp) => Addressed<Turn>) => {
  const known = new Map<string, Thread>();
  let newest: Thread | undefined;
  const begin = (settings: ThreadSettings): Thread => {
    const config = deps.configure(settings);
    const thread = { id: deps.newId(), config, model: deps.modelOf(config.provider) };
    known.set(thread.id, thread);
    return thread;
  };
  const find = (ref: ThreadRef): Thread | undefined => {
    if ('start' in ref) return begin(ref.start);
    return 'newest' in ref ? newest : known.get(toUuid(ref.id));
  };
  return (op) => {
    try {
      const thread = find(op.thread);
      if (!thread) return refuse(op, missing(op.thread));
      newest = thread;
      return {
        kind: 'wanted',
        turn: { op, thread, turnId: deps.newId(), opens: 'start' in op.thread, tools: NO_TOOLS },
      };
    } catch (error) {
      return refuse(op, reasonOf(deps.log, op, error as Error));
    }
  };
};

const refuse = ({ callId }: TurnOp, message: string): Refused => ({ kind: 'refused', callId, message });

const reasonOf = (log: Log, { callId }: TurnOp, error: Error): string => {
  if (error instanceof ConfigError) return `Failed to load Codex configuration: ${error.message}`;
  log('error', 'a thread could not begin by a fault of ours', { callId, stack: error.stack });
  return `internal error: ${error.message}`;
};

const missing = (ref: ThreadRef): string =>
  'id' in ref
    ? `Session not found for thread_id: ${toUuid(ref.id)}. Start one with the tool codex.`
    : 'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.';
