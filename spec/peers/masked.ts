/** Owns making messages of two runs comparable: what differs from run to run gets a name. */

import type { Json } from '../support/daemon/peer';
import type { Home } from '../support/home';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** When a rollout began, by its name. */
const ROLLOUT_TIME = /\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d/g;

/** Members whose values differ from run to run. */
const VARYING = /^(?:duration|user_agent)$|_(?:at|ms)$/;

/** An event of a turn bears the id of its request, or of the turn inside the server. */
const isEventId = (key: string, owner: object): boolean => key === 'codex_event_id' || (key === 'id' && 'msg' in owner);

/** Home and work folder, ids of threads and events (by order of appearance), times and the user agent are masked. */
export const masked = (messages: Json[], { path }: Home): Json[] => {
  const named =
    (what: string, ids = new Map<string, string>()) =>
    (id: string) =>
      ids.get(id) ?? (ids.set(id, `(${what} ${ids.size})`).get(id) as string);
  const [uuid, eventId] = [named('uuid'), named('event')];
  const visit = (value: unknown, key = ''): unknown => {
    if (VARYING.test(key)) return `(${key})`;
    if (typeof value === 'string')
      return value.replaceAll(path, '~').replaceAll(UUID, uuid).replaceAll(ROLLOUT_TIME, '(time)');
    if (Array.isArray(value)) return value.map((one) => visit(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        name,
        isEventId(name, value) ? eventId(String(one)) : visit(one, name),
      ]),
    );
  };
  return messages.map((message) => visit(message) as Json);
};
