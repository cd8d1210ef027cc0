/** Makes a tape from a file of another program: a rollout of Codex (`fromRollout`), or a capture of another recorder (`fromCapture`). */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { isSessionStart } from '../../threads/lines/sessionStart';
import {
  type Entry,
  INPUT_ENDED,
  type LineProblem,
  type RecordedLine,
  type Session,
  TAPE_VERSION,
  type TapeItem,
} from '../format/tape';
import { fromRollout, type Imported, type SourceLine, toMs, toSource } from './fromRollout';

/** What can be imported; `auto` detects it by the first lines. */
export const SOURCES = ['auto', 'rollout', 'capture'] as const;
/** The name of a kind of file that can be imported, or `auto`. */
export type SourceName = (typeof SOURCES)[number];

/** The tape, and the lines that could not be read; undefined if the kind of the file is unknown. */
type ImportResult = { kind: Exclude<SourceName, 'auto'>; items: TapeItem[]; problems: LineProblem[] } | undefined;

/** Imports the lines of a rollout of Codex, or of a capture of another recorder, as one session. */
export const importSession = (lines: readonly string[], name: SourceName, recorder: string): ImportResult => {
  const { source, problems } = toSource(lines);
  const kind = name === 'auto' ? kindOf(source) : name;
  if (kind === undefined || source.length === 0) return undefined;
  const { meta, entries } = (kind === 'rollout' ? fromRollout : fromCapture)(source, problems);
  const head: Session['meta'] = { version: TAPE_VERSION, recorder, imported: kind, ...meta };
  const items: TapeItem[] = [
    { kind: 'meta', lineNumber: 1, meta: head },
    ...[...entries, endAfter(entries)].map(
      (entry, index): TapeItem => ({ kind: 'entry', lineNumber: index + 2, entry }),
    ),
  ];
  return { kind, items, problems: problems.sort((a, b) => a.lineNumber - b.lineNumber) };
};

/** No such file records when the client's input ended, so it ends with the last entry. */
const endAfter = (entries: readonly Entry[]): Entry => ({ t: entries.at(-1)?.t ?? 0, dir: 'note', line: INPUT_ENDED });

/** The kind of a file by its first lines; undefined if it is unknown. */
const kindOf = (source: readonly SourceLine[]): Exclude<SourceName, 'auto'> | undefined => {
  const head = source[0]?.value;
  if (head === undefined) return undefined;
  if (isSessionStart(head)) return 'rollout';
  return source.slice(0, 8).some(({ value }) => isCaptured(value)) ? 'capture' : undefined;
};

/**
 * The names that recorders give to directions.
 * Source: mcpsnoop 0.16 (`c2s`, `s2c`, `stderr`, `meta`); other proxies for the rest.
 */
const DIRECTIONS = {
  in: /^(?:c2s|client(?:(?:->|-to-|_to_|\u2192)server)?|in|stdin|request)$/,
  out: /^(?:s2c|server(?:(?:->|-to-|_to_|\u2192)client)?|out|stdout|response)$/,
  err: /^(?:stderr|err)$/,
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
    const [dir] = Object.entries(DIRECTIONS).find(([, names]) => names.test(direction)) ?? [];
    const recorded = toRecordedLine(value, dir);
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
