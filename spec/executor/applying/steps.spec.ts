import { toEntry } from '../../../src/executor/applying/journal';
import { openFolders } from '../../../src/executor/applying/openFolders';
import { type PatchStep, runSteps, stepsOf } from '../../../src/executor/applying/transact';
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
