/** Operations: what an engine is asked to do. */
import type { ThreadSettings } from './settings';

/** The thread a turn belongs to: a new one, the newest of this connection, or one by id. */
export type ThreadRef = { start: ThreadSettings } | { newest: true } | { id: string };

/**
 * What an engine is asked to do. `callId` names one call of one client and comes back in every event it causes.
 * `eventId` becomes the `id` of the events of its turn; `askable`: a person can be asked; `cannotAsk`: why a client that declared
 * so cannot be asked all the same.
 */
export type Op =
  | {
      kind: 'turn';
      callId: string;
      eventId: string;
      thread: ThreadRef;
      prompt: string;
      askable: boolean;
      cannotAsk?: string;
    }
  | { kind: 'interrupt'; callId: string };

export type TurnOp = Extract<Op, { kind: 'turn' }>;
