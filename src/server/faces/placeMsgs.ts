/** Messages as events in the place of one, in 0.153: the id of an event is that of its turn. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';

/** The call, the thread and the id of the event that the messages replace, and the question that it asks. */
type Origin = { callId: string; threadId: string; id: string; question?: number };

type Group = { isDelta: boolean; msgs: readonly EventMsg[] };

/** Deltas that follow each other stay together. The question goes with the request for an approval; servers have no turn. */
export const placeMsgs = (origin: Origin, msgs: readonly EventMsg[]): Event[] =>
  msgs.reduce(grouped, []).flatMap(({ isDelta, msgs: some }): Event[] => {
    const { callId, threadId, id } = origin;
    const about = { callId, threadId, id, turnId: id };
    return isDelta && some.length > 1
      ? [{ kind: 'deltas', ...about, msgs: some }]
      : some.map((msg) => ({
          kind: 'event',
          ...about,
          ...(isOfThread(msg) && { id: '' }),
          msg,
          ...askedBy(origin, msg),
        }));
  });

const grouped = (groups: readonly Group[], msg: EventMsg): Group[] => {
  const isDelta = msg.type.endsWith('_delta');
  const last = groups.at(-1);
  return isDelta && last?.isDelta
    ? [...groups.slice(0, -1), { isDelta, msgs: [...last.msgs, msg] }]
    : [...groups, { isDelta, msgs: [msg] }];
};

const isOfThread = ({ type }: EventMsg): boolean => type === 'mcp_startup_complete' || type === 'mcp_startup_update';

const askedBy = ({ question }: Origin, { type }: EventMsg): { question?: number } =>
  question !== undefined && ASKING.includes(type) ? { question } : {};

const ASKING: readonly EventMsg['type'][] = [
  'exec_approval_request',
  'apply_patch_approval_request',
  'elicitation_request',
];
