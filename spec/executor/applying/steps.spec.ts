import { openFolders } from '../../../src/executor/applying/fileSteps';
import { type Journal, toEntry } from '../../../src/executor/applying/journal';
import { attempt, openJournal, type PatchStep, runSteps, stepsOf } from '../../../src/executor/applying/transact';
import { systemText } from '../../../src/executor/systemErrors';
import type { LogFields } from '../../../src/protocol/log';
import { memoryDisk, systemError } from './memoryDisk';
import { AFTER, BEFORE, theOrder } from './support';

const digest = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const never = new AbortController().signal;

describe('stepsOf', () => {
  it('makes folders, stages all files, keeps all old contents, then swaps, and syncs at last', async () => {
    const { plan } = theOrder();
    const disk = memoryDisk(BEFORE);
    const files = plan.files.map((one, index) => ({ plan: one, entry: toEntry('1', digest, { plan: one, index }) }));
    const missing = files
      .filter(({ plan: { path } }) => path === 'new/deep/n.txt')
      .flatMap(({ plan: one }) => ['/ws/new', '/ws/new/deep'].map((path) => ({ path, plan: one })));
    const steps = stepsOf(files, { folders: openFolders(disk.disk), missing, digest });
    expect(steps.map(({ failure }) => failure)).toEqual([
      ...missing.map(() => 'Failed to create parent directories for new/deep/n.txt'),
      ...[1, 2, 3].flatMap(() =>
        files.map(({ plan: { path, after, movedTo } }) => {
          if (after !== undefined) return `Failed to write file ${path}`;
          return movedTo === undefined ? `Failed to delete file ${path}` : `Failed to remove original ${path}`;
        }),
      ),
      'Failed to write the folders to the disk',
    ]);
    expect(await runSteps(steps, never)).toBeUndefined();
    const named = Object.entries(disk.texts()).filter(([path]) => !path.includes('.codex-rx-'));
    expect(Object.fromEntries(named)).toEqual(AFTER);
    expect(disk.operations.filter((operation) => operation.startsWith('sync')).length).toBeGreaterThan(0);
  });
});

describe('runSteps', () => {
  /** Runs three steps, of which the second does this. */
  const run = async (second: () => Promise<void>, signal = never) => {
    const ran: number[] = [];
    const step = (n: number, act = async () => {}): PatchStep => ({
      failure: `step ${n} failed`,
      run: async () => {
        ran.push(n);
        await act();
      },
    });
    return { outcome: await runSteps([step(1), step(2, second), step(3)], signal), ran };
  };

  it('runs one step after another', async () => {
    expect(await run(async () => {})).toEqual({ outcome: undefined, ran: [1, 2, 3] });
  });

  it('ends with the first that fails, and names why', async () => {
    const outcome = 'step 2 failed: No space left on device (os error 28)';
    expect(await run(() => Promise.reject(systemError('ENOSPC', -28)))).toEqual({ outcome, ran: [1, 2] });
  });

  it('begins none after a stop', async () => {
    const stop = new AbortController();
    const outcome = 'The patch was stopped';
    expect(await run(async () => stop.abort(), stop.signal)).toEqual({ outcome, ran: [1, 2] });
    expect(await run(async () => {}, AbortSignal.abort())).toEqual({ outcome, ran: [] });
  });
});

describe('attempt', () => {
  it('is undefined for what was done', async () => {
    expect(await attempt(async () => {})).toBeUndefined();
  });

  it('is the text of the error else', async () => {
    const error = Object.assign(new Error('x'), { code: 'ENOENT', errno: -2 });
    expect(await attempt(() => Promise.reject(error))).toBe(systemText(error));
  });
});

const journal: Journal = { version: 1, id: 'id', host: 'h', pid: 7, start: '1', folders: [], entries: [] };

/** Opens a journal where these operations fail; `done` lists what was done. */
const open = async (...failing: string[]) => {
  const done: unknown[] = [];
  const act =
    (name: string) =>
    async (...args: unknown[]) => {
      done.push([name, ...args]);
      if (failing.includes(name)) throw new Error(`no ${name}`);
    };
  const log = (level: string, _message: string, fields?: LogFields) => void done.push([level, fields]);
  const journals = { write: act('write'), commit: act('commit'), remove: act('remove'), all: async () => [] };
  return { done, opened: await openJournal({ journals: journals as never, log }, journal) };
};
const WRITTEN = ['write', 'id', JSON.stringify(journal)];

describe('openJournal', () => {
  it('writes the journal, commits it, and removes it', async () => {
    const { done, opened } = await open();
    await opened.commit.run();
    await opened.remove();
    expect(opened.commit.failure).toBe('Failed to write the journal of the patch');
    expect(done).toEqual([WRITTEN, ['commit', 'id'], ['remove', 'id']]);
  });

  it('goes on without a journal if none can be written, and logs it', async () => {
    const { done, opened } = await open('write');
    await opened.commit.run();
    await opened.remove();
    expect(done).toEqual([WRITTEN, ['warning', { reason: 'no write' }]]);
  });

  it('logs a journal that cannot be removed', async () => {
    const { done, opened } = await open('remove');
    await opened.remove();
    expect(done).toEqual([WRITTEN, ['remove', 'id'], ['warning', { id: 'id', reason: 'no remove' }]]);
  });

  it('fails if it cannot be committed', async () => {
    const { opened } = await open('commit');
    await expect(opened.commit.run()).rejects.toThrow('no commit');
  });
});
