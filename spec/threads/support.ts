/** A store of rollouts in memory, as far as finding, locking and changing threads need it. */
import { dirname, join } from 'node:path';
import type { Taken } from '../../src/io/files/lockFile';
import type { PrivateFiles } from '../../src/io/files/privateFiles';
import type { LockPlace } from '../../src/threads/lentRecord';
import { parseLines } from '../../src/threads/lines/readRolloutLine';
import { addLines, nothingRead, toThread } from '../../src/threads/lines/storedThread';

export const HOME = '/home';
const DAYS = [1, 2, 3, 4] as const;

/** The ids of threads, of which the second begins as the first. */
export const [A, B, C, D] = [
  '01a20000-0000-7000-8000-000000000001',
  '01a20000-0000-7000-8000-000000000002',
  '02b30000-0000-7000-8000-000000000003',
  '03c40000-0000-7000-8000-000000000004',
] as const;

/** The path of a thread that began on this day of November 2026. */
export const pathOf = (day: (typeof DAYS)[number], id: string): string =>
  join(HOME, `sessions/2026/11/0${day}/rollout-2026-11-0${day}T00-00-00-${id}.jsonl`);
export const archivedPath = (day: number, id: string): string =>
  join(HOME, `archived_sessions/rollout-2026-11-0${day}T00-00-00-${id}.jsonl`);

export const start = (id: string, more = ''): string =>
  `${JSON.stringify({ timestamp: 't', type: 'session_meta', payload: { id, cwd: '/w' } })}\n${more}`;

/** These files, of which `listed` notes the folders that were read; `taken` are locks of others. */
export const placeOf = (texts: Record<string, string>, taken: Record<string, Pick<Taken, 'who' | 'state'>> = {}) => {
  const files = new Map(Object.entries(texts));
  const listed: string[] = [];
  const locks = new Set<string>();
  const list: PrivateFiles['list'] = (folder) => {
    listed.push(folder);
    const names = new Map<string, boolean>();
    for (const path of files.keys()) {
      if (!path.startsWith(`${folder}/`)) continue;
      const [name = '', ...rest] = path.slice(folder.length + 1).split('/');
      names.set(name, rest.length > 0);
    }
    return [...names].map(([name, isFolder]) => ({ name, isFolder }));
  };
  const place = {
    home: HOME,
    systemLock: () => undefined,
    files: {
      list,
      facts: () => ({ size: 1, writtenMs: 0, ino: 1 }),
      read: (path: string) => files.get(path),
      lines: (path: string) =>
        files
          .get(path)
          ?.split(/\n(?!$)/)
          .map((line) => [line.replace(/\n$/, '')]) ?? [],
      open: (path: string) => ({
        append: (text: string) => void files.set(path, (files.get(path) ?? '') + text),
        sync: () => {},
        close: () => {},
      }),
      remove: (path: string) => void files.delete(path),
      move: (from: string, to: string) => {
        files.set(to, files.get(from) ?? '');
        files.delete(from);
      },
      lock: (path: string) => {
        const holder = taken[path.slice(dirname(path).length + 1)];
        if (holder) return { kind: 'taken', holder: { pid: 8, start: 'a', host: 'here' }, ...holder, path };
        locks.add(path);
        return { kind: 'locked', release: () => void locks.delete(path) };
      },
    } as unknown as PrivateFiles,
  } satisfies LockPlace;
  return { place, files, listed, locks };
};

/** The thread of a whole rollout; undefined if its first line does not start one. */
export const readThread = (text: string) => toThread(addLines(nothingRead(), parseLines(text)));
