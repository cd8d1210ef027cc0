/** Makes a tape from a file of another program: a rollout or the output of Codex (`fromRollout`), or a capture, a log or a cassette (`fromCapture`). */
import { isObject, type JsonObject, parseJson, parseObject } from '../../protocol/jsonrpc/json';
import { isSessionStart } from '../../threads/lines/sessionStart';
import { type Entry, INPUT_ENDED, type LineProblem, TAPE_VERSION, type TapeItem } from '../format/tape';
import { fromCapture, isCaptured } from './fromCapture';
import { fromExec, isExecLine } from './fromExec';
import { fromRollout } from './fromRollout';
import type { Report, SourceLine } from './importer';
import { readDocument } from './readDocument';
import { findSenders, isMessage, type LineReader, logLines, traceLines } from './toCaptured';

/** What can be imported; `auto` detects it by the first lines. */
export const SOURCES = ['auto', 'rollout', 'exec', 'capture', 'log', 'document'] as const;
/** The name of a kind of file that can be imported, or `auto`. */
export type SourceName = (typeof SOURCES)[number];

type Kind = Exclude<SourceName, 'auto'>;

/** How the lines of a file are read. */
export type Format = { kind: Kind; lines: (report: Report) => LineReader };

/** The tape, and the lines that could not be read; undefined if the kind of the file is unknown, or nothing in it is a message. */
type ImportResult = { kind: Kind; items: TapeItem[]; problems: LineProblem[]; sessions: number } | undefined;

/** Imports the lines of a file of another program as one session. */
export const importSession = (lines: readonly string[], name: SourceName, recorder: string): ImportResult => {
  const format = formatOf(lines, name);
  if (format === undefined) return undefined;
  const problems: LineProblem[] = [];
  const { learn, begin, read, end, sessions } = sessionImporter(format, recorder, (one) => problems.push(one));
  for (const line of lines) learn(line);
  const items = [...begin(), ...lines.flatMap(read), ...end()];
  return sessions() > 0 ? { kind: format.kind, items, problems, sessions: sessions() } : undefined;
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
  /** How many sessions have had a message of the file so far. */
  sessions: () => number;
};

/** Imports a file of this format as one session, or as several if a client has initialized the server again, as in the log of a server that was restarted. */
export const sessionImporter = ({ kind, lines }: Format, recorder: string, report: Report): SessionImporter => {
  const importer = IMPORTERS[kind](report);
  const [learning, reading] = [lines(() => undefined), lines(report)];
  let [learnt, read] = [0, 0];
  const maker = itemMaker();
  return {
    learn: (text) => {
      learnt += 1;
      learning.read(text, learnt).forEach(importer.learn);
    },
    begin: () => {
      learning.end().forEach(importer.learn);
      const { meta, entries } = importer.begin();
      return maker.begin({ version: TAPE_VERSION, recorder, imported: kind, ...meta }, entries);
    },
    read: (text) => {
      read += 1;
      return reading.read(text, read).flatMap(importer.read).flatMap(maker.toItems);
    },
    end: () => [...[...reading.end().flatMap(importer.read), ...importer.end()].flatMap(maker.toItems), ...maker.end()],
    sessions: maker.sessions,
  };
};

/** Numbers the entries of a file as items, and begins a session at each `initialize` that is not the first request. */
const itemMaker = () => {
  const { toItem, toMeta, end } = itemNumberer();
  let head: JsonObject = {};
  let [startMs, sessions] = [0, 0];
  let [hasMessage, isOpen] = [false, false];
  return {
    begin: (meta: JsonObject, entries: readonly Entry[]): TapeItem[] => {
      head = meta;
      return [toMeta(meta), ...entries.map(toItem)];
    },
    toItems: (entry: Entry): TapeItem[] => {
      const message = messageIn(entry);
      const isAgain = isOpen && entry.dir === 'in' && message?.method === 'initialize';
      if (isAgain) startMs = entry.t;
      if (message !== undefined && (isAgain || !hasMessage)) sessions += 1;
      hasMessage ||= message !== undefined;
      isOpen ||= entry.dir === 'in' && typeof message?.method === 'string' && message.method !== 'server/discover';
      const before = isAgain ? [...end(), toMeta(laterBy(startMs, head))] : [];
      return [...before, toItem(startMs === 0 ? entry : { ...entry, t: entry.t - startMs })];
    },
    end,
    sessions: () => sessions,
  };
};

const itemNumberer = () => {
  let last = { t: 0, lineNumber: 0 };
  const toItem = (entry: Entry): TapeItem => {
    last = { t: entry.t, lineNumber: last.lineNumber + 1 };
    return { kind: 'entry', lineNumber: last.lineNumber, entry };
  };
  return {
    toItem,
    toMeta: (meta: JsonObject): TapeItem => {
      last = { t: 0, lineNumber: last.lineNumber + 1 };
      return { kind: 'meta', lineNumber: last.lineNumber, meta };
    },
    /** No file of another program records when the client's input ended. */
    end: (): TapeItem[] => [toItem({ t: last.t, dir: 'note', line: INPUT_ENDED })],
  };
};

const messageIn = ({ dir, line }: Entry): JsonObject | undefined => {
  const value = dir === 'in' || dir === 'out' ? parseObject(line) : undefined;
  return value !== undefined && isMessage(value) ? value : undefined;
};

const laterBy = (ms: number, { started, ...meta }: JsonObject): JsonObject =>
  typeof started === 'string' ? { ...meta, started: new Date(Date.parse(started) + ms).toISOString() } : meta;

/** Whether a file is a tape itself. */
export const isTape = ([first = '']: readonly string[]): boolean => isObject(parseObject(first)?.meta);

/** The format of a file by its lines, or by the first of them; undefined if it is unknown. */
export const formatOf = (lines: readonly string[], name: SourceName): Format | undefined => {
  if (isTape(lines)) return undefined;
  const objects = objectLines(() => undefined);
  const source = lines.flatMap((text, at) => objects.read(text, at + 1));
  const kind = name === 'auto' ? kindOf(lines, source) : name;
  switch (kind) {
    case undefined:
      return undefined;
    case 'document':
      return { kind, lines: documentLines };
    case 'log':
      return {
        kind,
        lines: isIn(
          logLines(() => undefined),
          lines,
        )
          ? logLines
          : traceLines,
      };
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
    end: () => readDocument(documentOf(lines)),
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
  if (source.length < 2 && readDocument(documentOf(lines)).length > 0) return 'document';
  return isIn(
    logLines(() => undefined),
    lines,
  ) || isIn(traceLines(), lines)
    ? 'log'
    : undefined;
};

const IMPORTERS: Readonly<Record<Kind, typeof fromRollout>> = {
  rollout: fromRollout,
  exec: fromExec,
  capture: fromCapture,
  log: fromCapture,
  document: fromCapture,
};
