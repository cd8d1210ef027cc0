/** The ways a turn ends, and the last events of each. */
import type { EventMsg } from '../../protocol/codex/eventMsg';

/** Why a turn is stopped from this side: its caller cancelled it, or its time is over. */
export type TurnStop = { kind: 'interrupted' } | { kind: 'expired'; message: string };

/** How a turn ends. `message` of a finished one is the agent's last message, else what went wrong. */
export type TurnEnd = { kind: 'finished'; message: string | null } | { kind: 'failed'; message: string } | TurnStop;

/** The events that end a turn; the last of them is `task_complete` or `turn_aborted`. */
export const closingMsgs = (end: TurnEnd): EventMsg[] => {
  switch (end.kind) {
    case 'finished':
      return [{ type: 'task_complete', last_agent_message: end.message }];
    case 'failed':
      return [
        { type: 'error', message: end.message },
        { type: 'task_complete', last_agent_message: null },
      ];
    case 'interrupted':
      return [ABORTED];
    case 'expired':
      return [{ type: 'error', message: end.message }, ABORTED];
  }
};

const ABORTED: EventMsg = { type: 'turn_aborted', reason: 'interrupted' };
