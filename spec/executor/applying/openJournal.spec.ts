import type { Journal } from '../../../src/executor/applying/journal';
import { openJournal } from '../../../src/executor/applying/transact';
import type { LogFields } from '../../../src/protocol/log';

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

  it('goes on without a journal where none can be written, and logs it', async () => {
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

  it('fails where it cannot be committed', async () => {
    const { opened } = await open('commit');
    await expect(opened.commit.run()).rejects.toThrow('no commit');
  });
});
