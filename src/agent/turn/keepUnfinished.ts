/** What stays in the conversation of a turn that was stopped, or failed, before it was done. */
import { defer, finalize, type Observable, tap } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type Event, endsTurn } from '../../protocol/codex/events';
import type { ResponseItem } from '../../protocol/model/items';
import { stoppedNote } from '../../threads/lines/prompts';
import { toMessage } from '../thread/context';
import { closeAnswer, type History } from '../thread/history';

/**
 * What a person has seen of a message that is not complete. `isBroken`: its answer broke off, so the next delta begins a new text. `fault`: the
 * last error of the turn.
 */
export type Shown = { text: string; isBroken: boolean; fault?: string };

/** Before the first event of a turn. */
export const NOTHING_SHOWN: Shown = { text: '', isBroken: false };

/** What a person has seen after an event; the same object if that changes nothing. */
export const show = (shown: Shown, msg: EventMsg): Shown => {
  switch (msg.type) {
    case 'agent_message_delta':
      return { ...shown, isBroken: false, text: shown.isBroken ? msg.delta : shown.text + msg.delta };
    case 'agent_message':
      return { ...shown, isBroken: false, text: '' };
    case 'stream_error':
      return { ...shown, isBroken: true };
    case 'error':
      return { ...shown, fault: msg.message };
    default:
      return shown;
  }
};

/**
 * The history of a turn that its last event ends, closed by what was seen of an incomplete message and a note for the model; undefined for a turn
 * that was done. Source: Codex 0.142.0 and 0.153.4, which add the same note, and forget the message.
 */
export const unfinished = (history: History, { text, fault }: Shown, last: EventMsg): History | undefined => {
  const isDone = last.type !== 'turn_aborted' && fault === undefined;
  return isDone ? undefined : closeAnswer(history, ...partial(text), toMessage('user', stoppedNote(fault)));
};

const partial = (text: string): ResponseItem[] =>
  text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];

/**
 * Keeps what a turn has shown and done if it does not come to its end, before its last event. If the turn is unsubscribed, as at the end of the
 * connection, an incomplete message is kept; who resumes the thread adds the note. Emits the events unchanged.
 *   run    s-d-a         (d text, a turn_aborted)
 *   out    s-d-a
 *   keep   ----K         (K the text and the note)
 * @param run the turn; it calls its `keep` with each new history
 */
export const keepUnfinished = (
  keep: (history: History) => void,
  run: (keep: (history: History) => void) => Observable<Event>,
): Observable<Event> =>
  defer(() => {
    let history: History | undefined;
    let shown = NOTHING_SHOWN;
    let isOver = false;
    const see = (event: Event) => {
      const msgs = event.kind === 'event' ? [event.msg] : event.kind === 'deltas' ? event.msgs : [];
      shown = msgs.reduce(show, shown);
      if (event.kind !== 'event' || !endsTurn(event)) return;
      isOver = true;
      const closed = history && unfinished(history, shown, event.msg);
      if (closed) keep(closed);
    };
    return run((next) => {
      history = next;
      keep(next);
    }).pipe(
      tap(see),
      finalize(() => {
        const items = isOver || history === undefined ? [] : partial(shown.text);
        if (history && items.length > 0) keep({ ...history, items: [...history.items, ...items] });
      }),
    );
  });
