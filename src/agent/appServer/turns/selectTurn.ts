/** Selects the messages of a thread that belong to the running turn. */
import { map, type OperatorFunction, pipe, scan } from 'rxjs';
import type { Request } from '../../../protocol/jsonrpc/messages';
import { flatten } from '../../../streams/gather';
import { isTurnStart, type ServerMessage, turnIdOf } from '../connection/serverMessage';

/** The id of the turn is known: from the response to `turn/start`, or from `turn/started`, which may come first. */
export type TurnBegun = { kind: 'begun'; turnId: string };

/** A request of the thread that belongs to another turn. */
export type ForeignRequest = { kind: 'foreign'; request: Request };

export type TurnMessage = ServerMessage | TurnBegun | ForeignRequest;

/** `previousTurnId`: until the id of this turn is known, it identifies late messages of the previous turn. */
export type Selection = { kind: 'starting'; previousTurnId: string } | { kind: 'started'; turnId: string };

type Selected = { selection: Selection; output: TurnMessage[] };

/**
 * The selection after a message, and the part of it that belongs to the turn. A message that names no turn belongs to the current one; while its id
 * is not known, the only other message that does is the one that starts it.
 * Source: codex app-server 0.142.0 and 0.169.0, which send the tokens of the last turn when a thread is loaded; a prompt may go
 * into the previous turn, if that has not ended.
 */
export const selectMessage = (selection: Selection, message: ServerMessage | TurnBegun): Selected => {
  if (message.kind === 'begun') return begin(selection, message.turnId);
  const turnId = turnIdOf(message);
  if (turnId === '') return { selection, output: [message] };
  if (selection.kind === 'starting' && isTurnStart(message) && turnId !== selection.previousTurnId) {
    const { output, ...begun } = begin(selection, turnId);
    return { ...begun, output: [...output, message] };
  }
  if (selection.kind === 'started' && turnId === selection.turnId) return { selection, output: [message] };
  return { selection, output: message.kind === 'request' ? [{ kind: 'foreign', request: message }] : [] };
};

const begin = (selection: Selection, turnId: string): Selected =>
  turnId === ''
    ? { selection, output: [] }
    : { selection: { kind: 'started', turnId }, output: [{ kind: 'begun', turnId }] };

/**
 * Emits the messages that belong to the turn. Completes and errors with the source.
 *   in   -m-b-m-n---|     (b the response to turn/start, m of this turn, n of another)
 *   out  ---b-m-----|
 */
export const selectTurn = (previousTurnId: string): OperatorFunction<ServerMessage | TurnBegun, TurnMessage> =>
  pipe(
    scan(({ selection }: Selected, message: ServerMessage | TurnBegun) => selectMessage(selection, message), {
      selection: { kind: 'starting', previousTurnId },
      output: [],
    }),
    map(({ output }) => output),
    flatten(),
  );
