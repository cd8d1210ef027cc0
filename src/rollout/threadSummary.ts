/** What a list shows of a thread. */
import { isObject } from '../protocol/jsonrpc';
import { clip } from '../text';
import { parseLines } from './parseLines';
import { readRolloutLine } from './readRolloutLine';
import type { RolloutFile } from './rolloutFiles';

/** `writtenMs`: the last write in ms since 1970; `preview`: the first prompt; members that the rollout does not name are ''. */
export type ThreadSummary = RolloutFile & {
  writtenMs: number;
  size: number;
  cwd: string;
  provider: string;
  source: string;
  cliVersion: string;
  preview: string;
};

const PREVIEW_CHARS = 200;

/** @param head the beginning of the rollout, whose last line may be cut off */
export const toSummary = (
  file: RolloutFile,
  { size, writtenMs }: { size: number; writtenMs: number },
  head: string,
): ThreadSummary => {
  const [first = {}, ...rest] = parseLines(head);
  const meta = isObject(first.payload) ? first.payload : first;
  const prompt = rest.flatMap((line) => readRolloutLine(line) ?? []).find((item) => item.kind === 'prompt');
  return {
    ...file,
    writtenMs,
    size,
    cwd: textOf(meta.cwd),
    provider: textOf(meta.model_provider),
    source: textOf(meta.source),
    cliVersion: textOf(meta.cli_version),
    preview: clip(prompt?.text.trim() ?? '', PREVIEW_CHARS),
  };
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
