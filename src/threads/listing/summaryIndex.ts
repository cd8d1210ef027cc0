/** The index of stored threads: what a list shows of each, so that only rollouts that changed are read. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { parseLines } from '../lines/parseLines';
import type { RolloutFile } from './rolloutFiles';
import type { SummaryTexts } from './threadSummary';

/** What a rollout was like when it was read. If any member differs now, the file has changed since. */
export type FileFacts = { size: number; writtenMs: number; ino: number };

/** One thread of the index; `path` is that of its rollout below the home. */
export type IndexRow = FileFacts & SummaryTexts & { path: string };

/** Rows by path. */
export type SummaryIndex = ReadonlyMap<string, IndexRow>;

/** Another number is another format, which is read as an empty index. */
const VERSION = 1;

/** A file that was written this shortly before it was read may change once more within one tick of its clock. */
const SETTLED_MS = 2_000;

/** The path of a thread in the index. */
export const toIndexPath = (home: string, { path }: Pick<RolloutFile, 'path'>): string => path.slice(home.length + 1);

/** Reads the text of an index. Lines that are damaged, and an index of another version, hold no rows. */
export const readIndex = (text: string): SummaryIndex => {
  const [head, ...lines] = parseLines(text);
  const rows = new Map<string, IndexRow>(); // fills in place: ten thousand rows are usual
  if (head?.version !== VERSION) return rows;
  for (const row of lines) if (isRow(row)) rows.set(row.path, row);
  return rows;
};

/** The text of an index: a line that names the version, and one per thread. */
export const toIndexText = (index: SummaryIndex): string =>
  [{ version: VERSION }, ...index.values()].map((line) => `${JSON.stringify(line)}\n`).join('');

/** What the index has of a rollout that has not changed. */
export const unchanged = (index: SummaryIndex, path: string, facts: FileFacts): IndexRow | undefined => {
  const row = index.get(path);
  const isSame = row?.size === facts.size && row.writtenMs === facts.writtenMs && row.ino === facts.ino;
  return isSame ? row : undefined;
};

/** Whether the facts of a rollout will show every change after it is read now. */
export const isSettled = ({ writtenMs }: Pick<FileFacts, 'writtenMs'>, nowMs: number): boolean =>
  nowMs - writtenMs > SETTLED_MS;

const NUMBERS = ['size', 'writtenMs', 'ino'] as const;
const TEXTS = ['path', 'cwd', 'provider', 'source', 'cliVersion', 'preview'] as const;

const isRow = (line: JsonObject): line is IndexRow =>
  NUMBERS.every((key) => typeof line[key] === 'number') && TEXTS.every((key) => typeof line[key] === 'string');
