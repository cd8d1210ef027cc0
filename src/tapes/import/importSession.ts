/** Makes a tape from a file of another program: a rollout or the output of Codex (`fromRollout`), or a capture, a log or a cassette (`fromCapture`). */
import { isObject, type JsonObject, parseJson, parseObject, withoutUndefined } from '../../protocol/jsonrpc/json';
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
import { fromExec, isExecLine } from './fromExec';
import { fromRollout, type Imported, type SourceLine, toMs, toSource } from './fromRollout';
import { fromDocument, fromLogLines, fromMessages, isMessage } from './toCaptured';

/** What can be imported; `auto` detects it by the first lines. */
export const SOURCES = ['auto', 'rollout', 'exec', 'capture', 'log', 'document'] as const;
/** The name of a kind of file that can be imported, or `auto`. */
export type SourceName = (typeof SOURCES)[number];

type Kind = Exclude<SourceName, 'auto'>;

/** The tape, and the lines that could not be read; undefined if the kind of the file is unknown, or nothing in it is a message. */
type ImportResult = { kind: Kind; items: TapeItem[]; problems: LineProblem[] } | undefined;

type Read = { source: readonly SourceLine[]; problems: LineProblem[] };

/** Imports the lines of a file of another program as one session. */
export const importSession = (lines: readonly string[], name: SourceName, recorder: string): ImportResult => {
  const objects = toSource(lines);
  const kind = name === 'auto' ? kindOf(lines, objects.source) : name;
  if (kind === undefined) return undefined;
  const { source, problems } = readAs(kind, lines, objects);
  const { meta, entries } = IMPORTERS[kind](source, problems);
  if (!entries.some(isOfMessage)) return undefined;
  const head: Session['meta'] = { version: TAPE_VERSION, recorder, imported: kind, ...meta };
  const items: TapeItem[] = [
    { kind: 'meta', lineNumber: 1, meta: head },
    ...[...entries, endAfter(entries)].map(
      (entry, index): TapeItem => ({ kind: 'entry', lineNumber: index + 2, entry }),
    ),
  ];
  return { kind, items, problems: problems.sort((a, b) => a.lineNumber - b.lineNumber) };
};

const readAs = (kind: Kind, lines: readonly string[], objects: Read): Read => {
  if (kind === 'log') return { source: fromLogLines(lines), problems: [] };
  if (kind === 'document') return { source: fromDocument(documentOf(lines)), problems: [] };
  const isBare = kind === 'capture' && objects.source.every(({ value }) => isMessage(value) && !isCaptured(value));
  return isBare ? { ...objects, source: fromMessages(objects.source) } : objects;
};

const documentOf = (lines: readonly string[]): unknown => parseJson(lines.join('\n'));

const isOfMessage = ({ dir, line }: Entry): boolean => {
  const value = dir === 'in' || dir === 'out' ? parseObject(line) : undefined;
  return value !== undefined && isMessage(value);
};

/** No such file records when the client's input ended, so it ends with the last entry. */
const endAfter = (entries: readonly Entry[]): Entry => ({ t: entries.at(-1)?.t ?? 0, dir: 'note', line: INPUT_ENDED });

/** The kind of a file by its first lines; undefined if it is unknown. */
const kindOf = (lines: readonly string[], source: readonly SourceLine[]): Kind | undefined => {
  const head = source[0]?.value;
  const begin = source.slice(0, 8).map(({ value }) => value);
  if (head !== undefined && isSessionStart(head)) return 'rollout';
  if (begin.some(isExecLine)) return 'exec';
  if (begin.some(isCaptured) || (begin.length > 1 && begin.every(isMessage))) return 'capture';
  if (source.length < 2 && fromDocument(documentOf(lines)).length > 0) return 'document';
  return fromLogLines(lines).length > 0 ? 'log' : undefined;
};

/**
 * The names that recorders give to directions, as the client sees them.
 * Source: mcpsnoop 0.16 (`c2s`, `s2c`, `stderr`, `meta`); other proxies and logs for the rest.
 */
const DIRECTIONS = {
  in: /^(?:c2s|client(?:(?:->|-to-|_to_|\u2192)(?:server|agent))?|in|stdin|req(?:uest)?|>>>?|-?->|\u2192|outgoing|out(?:bound)|sen[dt]|sending|tx)$/,
  out: /^(?:s2c|(?:server|agent)(?:(?:->|-to-|_to_|\u2192)client)?|out|stdout|res(?:p|ponse)?|<<<?|<--?|\u2190|incoming|inbound|recv|received?|receiving|rx)$/,
  err: /^(?:stderr|err)$/,
};

const first = (value: JsonObject, names: readonly string[]): unknown =>
  names.map((name) => value[name]).find((member) => member !== undefined && member !== null && member !== '');

const directionOf = (value: JsonObject): string =>
  String(first(value, ['direction', 'dir', '_direction', '_dir', 'from']) ?? '').toLowerCase();

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
  return { meta, entries: asClient(entries) };
};

/** A program that records a server from its own side has the directions the other way round: the client sends `initialize`. */
const asClient = (entries: Entry[]): Entry[] => {
  const begin = entries.find(
    ({ dir, line }) => dir !== 'note' && dir !== 'err' && parseObject(line)?.method === 'initialize',
  );
  if (begin?.dir !== 'out') return entries;
  const other = { in: 'out', out: 'in' } as const;
  return entries.map((entry) =>
    entry.dir === 'in' || entry.dir === 'out' ? { ...entry, dir: other[entry.dir] } : entry,
  );
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

const IMPORTERS: Readonly<Record<Kind, typeof fromRollout>> = {
  rollout: fromRollout,
  exec: fromExec,
  capture: fromCapture,
  log: fromCapture,
  document: fromCapture,
};
