/** Writes prompts of the user to Codex's own file of prompts, from which its terminal offers them again. */
import { join } from 'node:path';
import { concatMap, defer, EMPTY, map, type Observable, range, takeWhile, timer } from 'rxjs';
import type { PrivateFiles } from '../io/files/privateFiles';

/** What a user wrote in a thread. */
export type Prompt = {
  threadId: string;
  text: string;
  /** The most that the file may hold after it. Default: no limit. */
  maxBytes?: number;
};

/** What keeping a prompt needs. */
export type KeepPromptDeps = {
  files: PrivateFiles;
  /** The folder of Codex. */
  home: string;
  /** The process that holds Codex's kind of lock on a file, if the system reveals it. */
  systemLock: (path: string) => number | undefined;
  /** Ms since 1970. */
  now: () => number;
  /** Is called if a prompt is not kept. */
  failed: (reason: string) => void;
};

/** Source: Codex 0.28.0. */
const TRIES = 10;
const PAUSE_MS = 100;

/** What is left of a file that has grown too large, so that not every prompt rewrites it. Source: Codex 0.142.0. */
const KEPT_PART = 0.8;

/**
 * Appends a prompt as one line of `history.jsonl` (0600) while no other process writes there; drops the oldest lines of a file
 * that is larger than it may be. Emits nothing, completes when the prompt is kept or given up, and never errors.
 *   lock   t-------f         (t taken, f free)
 *   out    --100ms-|
 * Source: Codex 0.28.0, CORE 8.3.
 */
export const keepPrompt =
  (deps: KeepPromptDeps) =>
  (prompt: Prompt): Observable<never> =>
    defer(() => {
      const line = toLine(prompt, deps.now());
      return range(1, TRIES).pipe(
        concatMap((attempt) => (attempt === 1 ? [attempt] : timer(PAUSE_MS).pipe(map(() => attempt)))),
        takeWhile((attempt) => {
          const isDone = tryToWrite(deps, prompt, line);
          if (!isDone && attempt === TRIES) deps.failed('another process has the file locked');
          return !isDone;
        }),
        concatMap(() => EMPTY),
      );
    });

const toLine = ({ threadId, text }: Prompt, nowMs: number): string =>
  `${JSON.stringify({ session_id: threadId, ts: Math.floor(nowMs / 1000), text })}\n`;

/** False while another process writes; true once there is nothing more to try. */
const tryToWrite = (
  { files, home, systemLock, failed }: KeepPromptDeps,
  { maxBytes }: Prompt,
  line: string,
): boolean => {
  const path = join(home, 'history.jsonl');
  try {
    if (systemLock(path) !== undefined) return false;
    const lock = files.lock(join(home, 'codex-rx', 'locks', 'history.lock'));
    if (lock.kind === 'taken') return false;
    try {
      append(files, path, line);
      if (maxBytes !== undefined) shorten(files, path, maxBytes);
    } finally {
      lock.release();
    }
  } catch (error) {
    failed((error as Error).message);
  }
  return true;
};

const append = (files: PrivateFiles, path: string, line: string): void => {
  const file = files.open(path);
  try {
    file.append(line);
  } finally {
    file.close();
  }
};

/** Drops the oldest lines of a file that is too large. */
const shorten = (files: PrivateFiles, path: string, maxBytes: number): void => {
  if ((files.facts(path)?.size ?? 0) <= maxBytes) return;
  const lines = (files.read(path) ?? '').split('\n').slice(0, -1);
  const kept = newest(lines, maxBytes * KEPT_PART);
  files.replace(path, kept.map((line) => `${line}\n`).join(''));
};

const newest = (lines: readonly string[], maxBytes: number): readonly string[] => {
  let left = maxBytes; // bytes, within this search
  const tooOld = lines.findLastIndex((line) => {
    left -= Buffer.byteLength(line) + 1;
    return left < 0;
  });
  return lines.slice(Math.min(tooOld + 1, lines.length - 1));
};
