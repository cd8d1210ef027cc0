import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { concat, EMPTY, lastValueFrom, NEVER, of, toArray } from 'rxjs';
import { afterSettling, hasJournals, settled, settleNow } from '../../../src/executor/localPatch/settleFirst';
import { type Log, silentLog } from '../../../src/protocol/log';
import { openFolder, removeFolders } from '../../support/files';

afterAll(removeFolders);

/** A home with these files where journals are. */
const homeWith = (...names: string[]) => {
  const codexHome = openFolder();
  const folder = join(codexHome, 'codex-rx', 'patches');
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), '');
  return { codexHome, folder, platform: process.platform, log: silentLog };
};

describe('settleNow', () => {
  it('settles what is left, and has nothing to do otherwise', async () => {
    const left = homeWith('ab.open');
    expect([settleNow(homeWith('settle.lock')), settleNow({ ...left, codexHome: '/none' })]).toEqual([
      undefined,
      undefined,
    ]);
    await settleNow(left);
    expect(hasJournals(left.folder)).toBe(false);
  });
});

describe('settled', () => {
  it('emits at once if there is nothing to wait for', () => {
    const seen: unknown[] = [];
    settled({ log: silentLog }, [undefined, undefined]).subscribe({
      next: () => seen.push('x'),
      complete: () => seen.push('|'),
    });
    expect(seen).toEqual(['x', '|']);
  });

  it('waits for all, but not for ever, and logs that', async () => {
    jest.useFakeTimers();
    const logged: string[] = [];
    const log: Log = (_, message) => void logged.push(message);
    const seen = lastValueFrom(settled({ log }, [Promise.resolve(), new Promise(() => {})]).pipe(toArray()));
    await jest.advanceTimersByTimeAsync(8_100);
    jest.useRealTimers();
    expect(await seen).toHaveLength(1);
    expect(logged).toEqual(['patches that were interrupted are not settled yet: commands may see a part of them']);
  });
});

describe('afterSettling', () => {
  const serving = (started: string[]) =>
    concat(
      of(0).pipe((source$) => {
        started.push('served');
        return source$;
      }),
      EMPTY,
    ) as never;

  it('serves at once if nothing is left, and does not serve if a signal comes before', async () => {
    const started: string[] = [];
    await lastValueFrom(afterSettling(homeWith(), NEVER)(serving(started)), { defaultValue: 0 });
    expect(started).toEqual(['served']);
    const seen: unknown[] = [];
    afterSettling(homeWith('ab.open'), of('SIGTERM'))(NEVER).subscribe({ complete: () => seen.push('|') });
    expect(seen).toEqual(['|']);
  });
});
