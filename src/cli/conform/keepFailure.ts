/** What is kept of a case that failed: the tape of its session, and the place that a report names. */
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { version } from '../../../package.json';
import { writeNew } from '../../app/tapes/writeFiles';
import { makeNamedFolder } from '../../io/disk/namedHere';
import { isHttpUrl, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { isFile } from '../../io/paths/look';
import { TAPE_VERSION } from '../../tapes/format/tape';
import type { Place, Result } from '../../testing/conform/conform';
import { nameOf } from '../../testing/conform/knownFailures';
import type { Conform } from './options';

/** Writes the tape of a failure, if there is a folder for it. Emits the result with its place and without its lines, which may be many megabytes. */
export const keepFailure = ({ record: folder, url, command }: Conform): ((one: Result) => Result) => {
  const server = (url === undefined ? command : [url]).map(withoutSecrets);
  const starter = [...command, 'package.json'].find(isFile);
  return ({ lines, ...one }) => {
    if (one.verdict !== 'failed') return one;
    const own = starter === undefined ? one : { ...one, place: { uri: toUri(starter), line: 1 } };
    return folder === undefined || lines === undefined
      ? own
      : { ...one, place: toTape({ folder, server }, one, lines) };
  };
};

const withoutSecrets = (word: string): string => (isHttpUrl(word) ? toPublicUrl(new URL(word)) : word);

/** Lines of a tape before its first entry, and lines count from 1. */
const LINES_BEFORE = 2;

/** Writes the session of a failed case. The failure is in the last line of the server. */
const toTape = (
  { folder, server }: { folder: string; server: readonly string[] },
  one: Result,
  lines: NonNullable<Result['lines']>,
): Place => {
  makeNamedFolder(folder);
  const path = join(folder, `${nameOf(one)}.jsonl`);
  const meta = { meta: { version: TAPE_VERSION, recorder: `codex-rx ${version}`, command: server, case: nameOf(one) } };
  writeNew(path, `${[meta, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`);
  return { uri: toUri(path), line: lines.findLastIndex(({ dir }) => dir === 'out') + LINES_BEFORE };
};

const toUri = (path: string): string => {
  const whole = resolve(path);
  const own = relative(process.cwd(), whole);
  const isOutside = own.startsWith('..') || isAbsolute(own);
  const uri = (isOutside ? `file:///${whole}` : own).replaceAll(sep, '/');
  return encodeURI(uri.replace('file:////', 'file:///'));
};
