/** Owns making messages of two runs comparable: what differs from run to run gets a name. */
import type { Home } from '../support/home';
import type { Json } from '../support/peer';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Members whose values differ from run to run. */
const VARYING = new Set(['duration', 'user_agent']);

/** Home and work folder, ids (by order of appearance), times and the user agent are masked. */
export const masked = (messages: Json[], { path }: Home): Json[] => {
  const ids = new Map<string, string>();
  const name = (id: string) => ids.get(id) ?? (ids.set(id, `uuid-${ids.size}`).get(id) as string);
  const visit = (value: unknown, key = ''): unknown => {
    if (VARYING.has(key)) return `(${key})`;
    if (typeof value === 'string') return value.replaceAll(path, '~').replaceAll(UUID, name);
    if (Array.isArray(value)) return value.map((one) => visit(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one, name)]));
  };
  return messages.map((message) => visit(message) as Json);
};
