/** Imports a capture of another program: NDJSON with a message and its direction in each line. */
import { isObject, type JsonObject, parseObject, withoutUndefined } from '../../protocol/jsonrpc/json';
import type { Entry, RecordedLine } from '../format/tape';
import { type Importer, type Report, toMs } from './importer';
import { isMessage } from './toCaptured';

/** The names of directions, as the client sees them. Source: mcpsnoop 0.16 (`c2s`, `s2c`, `stderr`, `meta`); other proxies and logs. */
const DIRECTIONS = {
  in: /^(?:c2s|client(?:(?:->|-to-|_to_|\u2192)(?:server|agent))?|in|stdin|req(?:uest)?|>>>?|-?->|\u2192|outgoing|out(?:bound)|sen[dt]|sending|tx|to[_-]server|from[_-]client|writ(?:e|ten))$/,
  out: /^(?:s2c|(?:server|agent)(?:(?:->|-to-|_to_|\u2192)client)?|out|stdout|res(?:p|ponse)?|<<<?|<--?|\u2190|incoming|inbound|recv|received?|receiving|rx|to[_-]client|from[_-]server|read)$/,
  err: /^(?:stderr|err)$/,
};

const first = (value: JsonObject, names: readonly string[]): unknown => {
  const given = names.find((name) => value[name] !== undefined && value[name] !== null && value[name] !== '');
  return given === undefined ? undefined : value[given];
};

const directionOf = (value: JsonObject): string => {
  const direction = first(value, ['direction', 'dir', '_direction', '_dir', 'from', 'sender', 'source']);
  return typeof direction === 'string' ? direction.toLowerCase() : '';
};

/** Whether a line names a direction. */
export const isCaptured = (value: JsonObject): boolean => directionOf(value) !== '';

const messageOf = (value: JsonObject): string | undefined => {
  const message = first(value, ['raw', 'message', 'msg', 'payload', 'data', 'body', 'line', 'text']);
  if (typeof message === 'string') return message;
  if (message !== undefined) return JSON.stringify(message);
  return isMessage(value) ? JSON.stringify(membersOf(value)) : undefined;
};

/** Some recorders write the time and the direction into the message. */
const membersOf = ({ id, method, params, result, error }: JsonObject): JsonObject => ({
  jsonrpc: '2.0',
  ...withoutUndefined({ id, method, params, result, error }),
});

const timeOf = (value: JsonObject): number | undefined => toMs(first(value, ['ts', 'timestamp', 'time', 'at', 't']));

/** Smaller times count from another moment than 1970, such as the beginning of a day or of a program: the year 2000. */
const FIRST_DAY_MS = 946_684_800_000;

/** Reads a capture. A line without a known direction, or without a message, is reported; the tape keeps it as a note. */
export const fromCapture = (report: Report): Importer => {
  const meta: JsonObject = {};
  let started: number | undefined;
  let opening: Entry['dir'] | undefined;
  let t = 0;
  return {
    learn: ({ value }) => {
      started ??= timeOf(value);
      if (directionOf(value) === 'meta') Object.assign(meta, aboutSession(value));
      else opening ??= openingOf(toRecordedLine(value));
    },
    begin: () => ({
      meta: { ...(started && started > FIRST_DAY_MS && { started: new Date(started).toISOString() }), ...meta },
      entries: [],
    }),
    read: ({ lineNumber, value }) => {
      const before = started ?? 0;
      t = Math.max(t, (timeOf(value) ?? before + t) - before);
      if (directionOf(value) === 'meta') return [];
      const recorded = toRecordedLine(value);
      if (recorded.dir === 'note') report({ lineNumber, reason: 'has no known direction, or no message' });
      return [{ t, ...recorded, dir: opening === 'out' ? (OTHER[recorded.dir] ?? recorded.dir) : recorded.dir }];
    },
    end: () => [],
  };
};

/** A program that records a server from its own side has the directions the other way round: the client sends `initialize`. */
const OTHER: Readonly<Partial<Record<Entry['dir'], Entry['dir']>>> = { in: 'out', out: 'in' };

/** The direction of a request that opens a session; undefined for any other line. */
const openingOf = ({ dir, line }: RecordedLine): Entry['dir'] | undefined =>
  dir !== 'note' && dir !== 'err' && parseObject(line)?.method === 'initialize' ? dir : undefined;

const toRecordedLine = (value: JsonObject): RecordedLine => {
  const direction = directionOf(value);
  const [dir] = Object.entries(DIRECTIONS).find(([, names]) => names.test(direction)) ?? [];
  const line = messageOf(value);
  return dir === undefined || line === undefined ? { dir: 'note', line: JSON.stringify(value) } : { dir, line };
};

/** What the first line of a capture states about its server. */
const aboutSession = ({ raw, server_label: server }: JsonObject): JsonObject => ({
  ...(typeof server === 'string' && { server }),
  ...(isObject(raw) && Array.isArray(raw.command) && { command: raw.command }),
});
