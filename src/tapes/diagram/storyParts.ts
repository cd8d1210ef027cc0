/** Collects the sessions of a story from the items of tapes, within a time and within bounds. */
import { basename } from 'node:path';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { Entry, NumberedEntry, TapeItem } from '../format/tape';
import { toSessionIndex } from '../session/toSessionIndex';
import { isDrawn } from './looks';
import type { StoryPart } from './toStory';

/** What belongs to a story. */
type StoryBounds = {
  /** In ms since 1970. */
  fromMs: number;
  /** In ms since 1970; not part of it. */
  untilMs: number;
  /** How many lines it has at most. */
  maxLines: number;
  /** How many characters its lines have at most. */
  maxChars: number;
};

type Collecting = { tape: string; meta: JsonObject; startMs: number; entries: NumberedEntry[] };

/** What was collected. */
export type CollectedStory = {
  parts: StoryPart[];
  /** Lines within the time that were too many. */
  left: number;
  /** Sessions without a date, which have no place on the time line. */
  undated: number;
};

/** Takes the items of one tape after the other. */
export const storyCollector = (bounds: StoryBounds) => {
  const sessions: Collecting[] = [];
  let undated = 0;
  const { belongs, left } = countingBounds(bounds);
  /** The items of one tape. @param tape its name for people */
  const open = (tape: string) => {
    let session: Collecting | undefined;
    return (item: TapeItem): void => {
      if (item.kind === 'meta') {
        session = { tape, meta: item.meta, startMs: startOf(item.meta), entries: [] };
        sessions.push(session);
        if (Number.isNaN(session.startMs)) undated += 1;
      }
      if (item.kind === 'entry' && session && belongs(session.startMs, item.entry))
        session.entries.push({ lineNumber: item.lineNumber, entry: item.entry });
    };
  };
  const end = (): CollectedStory => ({
    parts: sessions.filter(({ entries }) => entries.length > 0).map(toPart),
    left: left(),
    undated,
  });
  return { open, end };
};

/** Whether an entry belongs to the story; counts what is taken, and what is left. */
const countingBounds = ({ fromMs, untilMs, maxLines, maxChars }: StoryBounds) => {
  let [lines, chars, left] = [0, 0, 0];
  const belongs = (startMs: number, entry: Entry): boolean => {
    const atMs = startMs + entry.t;
    if (!(atMs >= fromMs && atMs < untilMs) || !isDrawn(entry) || entry.line.trim() === '') return false;
    if (lines >= maxLines || chars + entry.line.length > maxChars) {
      left += 1;
      return false;
    }
    lines += 1;
    chars += entry.line.length;
    return true;
  };
  return { belongs, left: () => left };
};

/** The latest time that a Date can hold. */
const MAX_MS = 8.64e15;

const startOf = ({ started }: JsonObject): number => {
  const ms = typeof started === 'string' ? Date.parse(started) : Number.NaN;
  return Math.abs(ms) <= MAX_MS ? ms : Number.NaN;
};

const toPart = ({ tape, meta, startMs, entries }: Collecting): StoryPart => {
  const index = toSessionIndex({ meta, entries });
  const isOfAcp = /^ACP /.test(String(index.parties.protocol ?? meta.protocol));
  const isAgent = isOfAcp || typeof meta.thread === 'string' || index.seamCalls.length > 0;
  return { name: nameOf(meta, index.parties.server), role: isAgent ? 'agent' : 'server', tape, startMs, index };
};

const nameOf = ({ thread, server, command }: JsonObject, party: JsonObject | undefined): string => {
  if (typeof thread === 'string') return `agent ${thread.slice(0, 8)}`;
  const [program] = Array.isArray(command) ? command : [];
  const names = [
    party?.name,
    isObject(server) ? server.name : server,
    typeof program === 'string' ? basename(program) : '',
  ];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? 'server';
};
