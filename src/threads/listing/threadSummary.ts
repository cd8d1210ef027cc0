/** The summary of a thread, which a list shows. */
import { isObject, textOf } from '../../protocol/jsonrpc/json';
import type { StoredConversation } from '../../protocol/methods/host';
import { clip } from '../../streams/text/trim';
import { parseLine, readRolloutLine } from '../lines/readRolloutLine';
import type { RolloutFile, RolloutPlace } from './rolloutFiles';

/** The texts of a summary; texts that the rollout does not name are ''. */
export type SummaryTexts = Pick<StoredConversation, 'cwd' | 'provider' | 'source' | 'cliVersion' | 'preview'>;

/** What a list shows of a thread. */
export type ThreadSummary = RolloutFile &
  SummaryTexts & {
    /** When the rollout was last written, in ms since 1970. */
    writtenMs: number;
    /** In bytes. */
    size: number;
    /** What a person calls it; absent if nobody has named it. */
    name?: string;
  };

/** Each member is named, which is faster than a spread: ten thousand of these are made at once. */
export const toSummary = (
  { id, startedMs, path, archived }: RolloutFile,
  { size, writtenMs }: Pick<ThreadSummary, 'size' | 'writtenMs'>,
  { cwd, provider, source, cliVersion, preview }: SummaryTexts,
): ThreadSummary => ({ id, startedMs, path, archived, size, writtenMs, cwd, provider, source, cliVersion, preview });

const NONE: SummaryTexts = { cwd: '', provider: '', source: '', cliVersion: '', preview: '' };

const PREVIEW_CHARS = 200;

/** How much of a rollout is read: the first line may hold long instructions, so more is read if the first prompt is not in it. */
const HEAD_BYTES = [65_536, 1_048_576];

/** Reads what a list shows from the beginning of a rollout. Throws FileError. */
export const readSummary = (
  { files }: Pick<RolloutPlace, 'files'>,
  { path }: Pick<RolloutFile, 'path'>,
): SummaryTexts => {
  let texts = NONE;
  for (const maxBytes of HEAD_BYTES) {
    const head = files.read(path, maxBytes) ?? '';
    texts = toSummaryTexts(head);
    if (texts.preview !== '' || Buffer.byteLength(head) < maxBytes) break;
  }
  return texts;
};

/** Reads the texts of a summary. @param head the beginning of the rollout, whose last line may be cut off */
export const toSummaryTexts = (head: string): SummaryTexts => {
  const [line = '', ...rest] = head.split('\n');
  const [first = {}] = parseLine(line);
  const meta = isObject(first.payload) ? first.payload : first;
  return {
    cwd: textOf(meta.cwd),
    provider: textOf(meta.model_provider),
    source: textOf(meta.source),
    cliVersion: textOf(meta.cli_version),
    preview: clip(firstPrompt(rest).trim(), PREVIEW_CHARS),
  };
};

/** No line after the prompt's is parsed. */
const firstPrompt = (lines: readonly string[]): string => {
  for (const line of lines) {
    const prompt = parseLine(line)
      .flatMap((each) => readRolloutLine(each) ?? [])
      .find((item) => item.kind === 'prompt');
    if (prompt !== undefined) return prompt.text;
  }
  return '';
};
