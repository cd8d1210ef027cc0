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
import { fromRollout, type Importer, type Report, type SourceLine, toMs } from './fromRollout';
import { findSenders, fromDocument, isMessage, type LineReader, logLines, traceLines } from './toCaptured';

/** What can be imported; `auto` detects it by the first lines. */
export const SOURCES = ['auto', 'rollout', 'exec', 'capture', 'log', 'document'] as const;
/** The name of a kind of file that can be imported, or `auto`. */
export type SourceName = (typeof SOURCES)[number];

type Kind = Exclude<SourceName, 'auto'>;

/** How the lines of a file are read. */
export type Format = { kind: Kind; lines: (report: Report) => LineReader };

/** The tape, and the lines that could not be read; undefined if the kind of the file is unknown, or nothing in it is a message. */
type ImportResult = { kind: Kind; items: TapeItem[]; problems: LineProblem[] } | undefined;

/** Imports the lines of a file of another program as one session. */
export const importSession = (lines: readonly string[], name: SourceName, recorder: string): ImportResult => {
  const format = formatOf(lines, name);
  if (format === undefined) return undefined;
  const problems: LineProblem[] = [];
  const { learn, begin, read, end, hasMessage } = sessionImporter(format, recorder, (one) => problems.push(one));
  for (const line of lines) learn(line);
  const items = [...begin(), ...lines.flatMap(read), ...end()];
  return hasMessage() ? { kind: format.kind, items, problems } : undefined;
};

/** Makes the items of a tape. It is given the lines of a file twice, as an `Importer` is. */
export type SessionImporter = {
  /** Takes a line at the first reading. */
  learn: (text: string) => void;
  /** The first items; called between the readings. */
  begin: () => TapeItem[];
  /** The items of a line at the second reading. */
  read: (text: string) => TapeItem[];
  /** The items after the last line. */
  end: () => TapeItem[];
  /** Whether anything was a message. */
  hasMessage: () => boolean;
};

/** Imports a file of this format as one session. */
export const sessionImporter = ({ kind, lines }: Format, recorder: string, report: Report): SessionImporter => {
  const importer = IMPORTERS[kind](report);
  const [learning, reading] = [lines(() => undefined), lines(report)];
  let [learnt, read] = [0, 0];
  const { toItem, last } = itemMaker();
  return {
    learn: (text) => {
      learnt += 1;
      learning.read(text, learnt).forEach(importer.learn);
    },
    begin: () => {
      learning.end().forEach(importer.learn);
      const { meta, entries } = importer.begin();
      const head: Session['meta'] = { version: TAPE_VERSION, recorder, imported: kind, ...meta };
      return [{ kind: 'meta', lineNumber: 1, meta: head }, ...entries.map(toItem)];
    },
    read: (text) => {
      read += 1;
      return reading.read(text, read).flatMap(importer.read).map(toItem);
    },
    end: () => {
      const items = [...reading.end().flatMap(importer.read), ...importer.end()].map(toItem);
      return [...items, toItem({ t: last().t, dir: 'note', line: INPUT_ENDED })]; // no such file records when the client's input ended
    },
    hasMessage: () => last().hasMessage,
  };
};

/** Numbers the entries of a session as items, and knows the last one, and whether any was a message. */
const itemMaker = () => {
  let last = { t: 0, lineNumber: 1, hasMessage: false };
  return {
    toItem: (entry: Entry): TapeItem => {
      last = { t: entry.t, lineNumber: last.lineNumber + 1, hasMessage: last.hasMessage || isOfMessage(entry) };
      return { kind: 'entry', lineNumber: last.lineNumber, entry };
    },
    last: () => last,
  };
};

const isOfMessage = ({ dir, line }: Entry): boolean => {
  const value = dir === 'in' || dir === 'out' ? parseObject(line) : undefined;
  return value !== undefined && isMessage(value);
};

/** The format of a file by its lines, or by the first of them; undefined if it is unknown. */
export const formatOf = (lines: readonly string[], name: SourceName): Format | undefined => {
  const objects = objectLines(() => undefined);
  const source = lines.flatMap((text, at) => objects.read(text, at + 1));
  const kind = name === 'auto' ? kindOf(lines, source) : name;
  switch (kind) {
    case undefined:
      return undefined;
    case 'document':
      return { kind, lines: documentLines };
    case 'log':
      return { kind, lines: isIn(logLines(), lines) ? logLines : traceLines };
    default: {
      const isBare = kind === 'capture' && source.every(({ value }) => isMessage(value) && !isCaptured(value));
      return { kind, lines: isBare ? bareLines : objectLines };
    }
  }
};

const isIn = ({ read, end }: LineReader, lines: readonly string[]): boolean =>
  lines.some((text, at) => read(text, at + 1).length > 0) || end().length > 0;

/** The objects of a file; a line that is neither an object nor blank is reported. */
export const objectLines = (report: Report): LineReader => ({
  read: (text, lineNumber) => {
    if (text.trim() === '') return [];
    const value = parseObject(text);
    if (value !== undefined) return [{ lineNumber, value }];
    report({ lineNumber, reason: 'is not a JSON object' });
    return [];
  },
  end: () => [],
});

const bareLines = (report: Report): LineReader => {
  const objects = objectLines(report);
  const withSender = findSenders();
  return { ...objects, read: (text, lineNumber) => objects.read(text, lineNumber).map(withSender) };
};

const documentLines = (): LineReader => {
  const lines: string[] = [];
  return {
    read: (text) => {
      lines.push(text);
      return [];
    },
    end: () => fromDocument(documentOf(lines)),
  };
};

const documentOf = (lines: readonly string[]): unknown => parseJson(lines.join('\n'));

/** The kind of a file by its first lines; undefined if it is unknown. */
const kindOf = (lines: readonly string[], source: readonly SourceLine[]): Kind | undefined => {
  const head = source[0]?.value;
  const begin = source.slice(0, 8).map(({ value }) => value);
  if (head !== undefined && isSessionStart(head)) return 'rollout';
  if (begin.some(isExecLine)) return 'exec';
  if (begin.some(isCaptured) || (begin.length > 1 && begin.every(isMessage))) return 'capture';
  if (source.length < 2 && fromDocument(documentOf(lines)).length > 0) return 'document';
  return isIn(logLines(), lines) || isIn(traceLines(), lines) ? 'log' : undefined;
};

/** The names of directions, as the client sees them. Source: mcpsnoop 0.16 (`c2s`, `s2c`, `stderr`, `meta`); other proxies and logs. */
const DIRECTIONS = {
  in: /^(?:c2s|client(?:(?:->|-to-|_to_|\u2192)(?:server|agent))?|in|stdin|req(?:uest)?|>>>?|-?->|\u2192|outgoing|out(?:bound)|sen[dt]|sending|tx)$/,
  out: /^(?:s2c|(?:server|agent)(?:(?:->|-to-|_to_|\u2192)client)?|out|stdout|res(?:p|ponse)?|<<<?|<--?|\u2190|incoming|inbound|recv|received?|receiving|rx)$/,
  err: /^(?:stderr|err)$/,
};

const first = (value: JsonObject, names: readonly string[]): unknown =>
  names.map((name) => value[name]).find((member) => member !== undefined && member !== null && member !== '');

const directionOf = (value: JsonObject): string => {
  const direction = first(value, ['direction', 'dir', '_direction', '_dir', 'from']);
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
    begin: () => ({ meta: { ...(started && { started: new Date(started).toISOString() }), ...meta }, entries: [] }),
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

const IMPORTERS: Readonly<Record<Kind, typeof fromRollout>> = {
  rollout: fromRollout,
  exec: fromExec,
  capture: fromCapture,
  log: fromCapture,
  document: fromCapture,
};
