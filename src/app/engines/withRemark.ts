/** Adds a remark to the first result of an engine. */
import { concatMap, scan } from 'rxjs';
import type { Engine } from '../../protocol/codex/engine';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';

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
