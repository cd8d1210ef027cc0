/** Leaves out what a client cancels before it was sent. */
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { cancelledBy } from './cancelledBy';

/** A line that waits to be sent. `id` is that of its request, and `cancels` that of the request which it cancels; a batch has neither. */
export type WaitingLine = { line: string; isRequest: boolean; id?: RequestId; cancels?: RequestId };

/** Reads what of a line decides when it is sent. */
export const toWaiting = (line: string): WaitingLine => {
  const { messages } = parseLine(line);
  const isRequest = messages.some(({ kind }) => kind === 'request');
  const [message, ...others] = messages;
  if (others.length > 0) return { line, isRequest };
  if (message?.kind === 'request') return { line, isRequest, id: message.id };
  const cancels = message?.kind === 'notification' ? cancelledBy(message) : undefined;
  return { line, isRequest, ...(cancels !== undefined && { cancels }) };
};

/** `arrive` takes each line when it comes; `isLeftOut` takes each one again in its turn, in the same order, and says whether it is not to be sent. */
export type Withdrawals = { arrive: (line: WaitingLine) => void; isLeftOut: (line: WaitingLine) => boolean };

/**
 * A request whose cancellation has come before its turn is left out, and so is that cancellation: whoever cancelled it takes it for over, so it must have
 * no effect any more.
 */
export const withdrawals = (): Withdrawals => {
  const cancelled = new Set<string>(); // the requests whose cancellation waits for its turn
  return {
    arrive: ({ cancels }) => void (cancels !== undefined && cancelled.add(idKey(cancels))),
    isLeftOut: ({ id, cancels }) => {
      if (id !== undefined) return cancelled.delete(idKey(id));
      return cancels !== undefined && !cancelled.delete(idKey(cancels));
    },
  };
};
