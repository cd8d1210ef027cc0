/** Owns reading captures of other recorders: a line an event, with a direction, a time and a message. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc';
import type { Said, Trouble } from '../tape';
import { type Imported, type SourceLine, toMs } from './source';

/**
 * What recorders call the two directions.
 * Source: mcpsnoop 0.16 (`c2s`, `s2c`, `stderr`, `meta`); the others are seen in proxies of this kind.
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

/** True for a line that says which way something went. */
export const isCaptured = (value: JsonObject): boolean => directionOf(value) !== '';

const messageOf = (value: JsonObject): string | undefined => {
  const message = first(value, ['raw', 'message', 'msg', 'payload', 'data', 'body', 'line', 'text']);
  if (typeof message === 'string') return message;
  return message === undefined ? undefined : JSON.stringify(message);
};

const timeOf = (value: JsonObject): number | undefined => toMs(first(value, ['ts', 'timestamp', 'time', 'at', 't']));

/** Reads a capture. A line without a direction that is known, or without a message, is a trouble and goes on the tape as a note. */
export const fromCapture = (source: readonly SourceLine[], troubles: Trouble[]): Imported => {
  const started = source.map(({ value }) => timeOf(value)).find((ms) => ms !== undefined) ?? 0;
  let t = 0;
  const meta: JsonObject = started === 0 ? {} : { started: new Date(started).toISOString() };
  const entries = source.flatMap(({ lineNumber, value }) => {
    t = Math.max(t, (timeOf(value) ?? started + t) - started);
    const direction = directionOf(value);
    if (direction === 'meta') return Object.assign(meta, aboutSession(value)) && [];
    const said = toSaid(value, DIRECTIONS[direction]);
    if (said.dir === 'note') troubles.push({ lineNumber, reason: 'has no direction that is known, or no message' });
    return [{ t, ...said }];
  });
  return { meta, entries };
};

const toSaid = (value: JsonObject, dir: string | undefined): Said => {
  const line = messageOf(value);
  return dir === undefined || line === undefined ? { dir: 'note', line: JSON.stringify(value) } : { dir, line };
};

/** What a capture says of its server at its beginning. */
const aboutSession = ({ raw, server_label: server }: JsonObject): JsonObject => ({
  ...(typeof server === 'string' && { server }),
  ...(isObject(raw) && Array.isArray(raw.command) && { command: raw.command }),
});
