/** The stored threads of this machine, for a person. */
import { randomUUID } from 'node:crypto';
import { map, type Observable } from 'rxjs';
import type { EngineOptions } from '../../agent/engineOptions';
import { configDeps } from '../../agent/wiring/wiring';
import { openThreads } from '../../app/openThreads';
import { writeNew } from '../../app/tapes/writeNew';
import { toVisibleLines } from '../../io/log/toPlain';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { Paint } from '../../io/terminal/paint';
import type { Log } from '../../protocol/log';
import { readThreadStore } from '../../settings/readThreadStore';
import { toChart } from '../../tapes/diagram/toChart';
import { toTerminal } from '../../tapes/drawing/toTerminal';
import { toSessions } from '../../tapes/format/sessions';
import { toTapeLine } from '../../tapes/format/toTapeLine';
import { importSession } from '../../tapes/import/importSession';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';
import { threadFolder } from '../../threads/listing/rolloutFiles';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { ThreadError } from '../../threads/threadError';
import type { ThreadStore } from '../../threads/threadStore';

export type ThreadsDeps = { processInfo: ProcessInfo; options: EngineOptions; log: Log };

/** @param width characters of a line */
export type Look = { paint: Paint; width: number };

/**
 * `show` draws a thread in marbles; `toTape` makes a tape of it, which is written where a file is named. All emit once; they error with
 * ThreadError, FileError or TapeError. `folder` is where threads are: a folder, or the address of their store.
 */
export type ThreadsHere = Pick<ThreadStore, 'list' | 'archive' | 'restore' | 'remove'> & {
  folder: (of: { archived: boolean }) => string;
  fork: (ref: string) => Observable<ThreadSummary>;
  show: (ref: string, look: Look) => Observable<{ summary: ThreadSummary; lines: string[] }>;
  toTape: (ref: string, out: string | undefined) => Observable<{ summary: ThreadSummary; text: string }>;
};

/** The threads of the store that the configuration names. Throws ConfigError. */
export const threadsHere = (deps: ThreadsDeps): ThreadsHere => {
  const store = openThreads(deps);
  const items = (ref: string) =>
    store.read(ref).pipe(map(({ summary, text }) => ({ summary, items: toItems(deps, summary, text) })));
  return {
    ...store,
    folder: (of) => readThreadStore(configDeps(deps)) ?? threadFolder(deps.processInfo.codexHome, of),
    fork: (ref) => store.fork(ref, randomUUID()),
    show: (ref, look) =>
      items(ref).pipe(
        map(({ summary, items }) => {
          const [session] = toSessions(items).sessions;
          const lines =
            session === undefined ? [] : toTerminal(toChart(toSessionIndex(session)), { ...look, axis: 'ordinal' });
          return { summary, lines };
        }),
      ),
    toTape: (ref, out) =>
      items(ref).pipe(
        map(({ summary, items }) => {
          const text = items.map(toTapeLine).join('\n');
          if (out !== undefined) writeNew(out, `${text}\n`);
          return { summary, text: toVisibleLines(text) };
        }),
      ),
  };
};

const toItems = ({ processInfo }: ThreadsDeps, { id, path }: ThreadSummary, text: string) => {
  const imported = importSession(text.split('\n'), 'rollout', `codex-rx ${processInfo.version} threads`);
  if (imported === undefined) throw new ThreadError(`The thread ${id} holds nothing: ${path} is empty.`);
  return imported.items;
};
