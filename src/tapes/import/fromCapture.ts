/** Imports captures of other recorders: each line an event with a direction, a time and a message. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { LineProblem, RecordedLine } from '../format/tape';
import { type Imported, type SourceLine, toMs } from './source';

/**
 * The names that recorders give to directions.
 * Source: mcpsnoop 0.16 (`c2s`, `s2c`, `stderr`, `meta`); other proxies for the rest.
 */
const DIRECTIONS: Record<string, string> = {
  c2s: 'in',
  'client->server': 'in',
  'client-to-server': 'in',
  client_to_server: 'in',
  'client→server': 'in',
  client: 'in',
  in: 'in',
  stdin: 'in',
  request: 'in',
  s2c: 'out',
  'server->client': 'out',
  'server-to-client': 'out',
  server_to_client: 'out',
  'server→client': 'out',
  server: 'out',
  out: 'out',
  stdout: 'out',
  response: 'out',
  stderr: 'err',
  err: 'err',
};

const first = (value: JsonObject, names: readonly string[]): unknown =>
  names.map((name) => value[name]).find((member) => member !== undefined && member !== null && member !== '');

const directionOf = (value: JsonObject): string =>
  String(first(value, ['direction', 'dir', 'from']) ?? '').toLowerCase();

/** Whether a line names a direction. */
export const isCaptured = (value: JsonObject): boolean => directionOf(value) !== '';

const messageOf = (value: JsonObject): string | undefined => {
  const message = first(value, ['raw', 'message', 'msg', 'payload', 'data', 'body', 'line', 'text']);
  if (typeof message === 'string') return message;
  return message === undefined ? undefined : JSON.stringify(message);
};

const timeOf = (value: JsonObject): number | undefined => toMs(first(value, ['ts', 'timestamp', 'time', 'at', 't']));

/** Reads a capture. A line without a known direction, or without a message, is a problem; the tape keeps it as a note. */
export const fromCapture = (source: readonly SourceLine[], problems: LineProblem[]): Imported => {
  const started = source.map(({ value }) => timeOf(value)).find((ms) => ms !== undefined) ?? 0;
  let t = 0;
  const meta: JsonObject = started === 0 ? {} : { started: new Date(started).toISOString() };
  const entries = source.flatMap(({ lineNumber, value }) => {
    t = Math.max(t, (timeOf(value) ?? started + t) - started);
    const direction = directionOf(value);
    if (direction === 'meta') return Object.assign(meta, aboutSession(value)) && [];
    const recorded = toRecordedLine(value, Object.hasOwn(DIRECTIONS, direction) ? DIRECTIONS[direction] : undefined);
    if (recorded.dir === 'note') problems.push({ lineNumber, reason: 'has no known direction, or no message' });
    return [{ t, ...recorded }];
  });
  return { meta, entries };
};

const toRecordedLine = (value: JsonObject, dir: string | undefined): RecordedLine => {
  const line = messageOf(value);
  return dir === undefined || line === undefined ? { dir: 'note', line: JSON.stringify(value) } : { dir, line };
};

/** What the first line of a capture states about its server. */
const aboutSession = ({ raw, server_label: server }: JsonObject): JsonObject => ({
  ...(typeof server === 'string' && { server }),
  ...(isObject(raw) && Array.isArray(raw.command) && { command: raw.command }),
});
