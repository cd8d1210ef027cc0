import { queueScheduler } from 'rxjs';
import { privateFiles } from '../../src/io/files/privateFiles';
import { fileThreads } from '../../src/threads/fileThreads';
import { threadStoreContract } from '../contract/threadStore';
import { lockDeps, openFolder, ownersOf, removeFolders } from '../support/files';

afterAll(removeFolders);

threadStoreContract('in files', () => {
  const home = openFolder();
  const starts: Record<number, string> = {};
  let last = 0;
  let nowMs = Date.UTC(2026, 10, 22);
  const pids = new Map<unknown, number>();
  const open = () => {
    last += 1;
    const pid = last;
    starts[pid] = 'a';
    const self = { pid, start: 'a', host: 'here' };
    let names = 0;
    const newName = () => {
      names += 1;
      return `${pid}-${names}`;
    };
    const deps = { ...lockDeps(home, starts), owners: ownersOf(self, starts), newName };
    const store = fileThreads({
      files: privateFiles(deps),
      home,
      version: '1.2.3',
      systemLock: () => undefined,
      now: () => nowMs,
      soon: () => {},
      starts: queueScheduler,
      later: () => {},
      recovered: () => {},
      failed: (error) => {
        throw error;
      },
    });
    pids.set(store, pid);
    return store;
  };
  return {
    open,
    tick: () => {
      nowMs += 1_000;
    },
    crash: (store) => {
      delete starts[pids.get(store) ?? 0];
    },
  };
});
