import type { LogFields } from '../../../src/log';
import type { Journal } from '../../../src/patch/applying/journal';
import { openNote } from '../../../src/patch/applying/openNote';

const journal: Journal = { version: 1, id: 'id', host: 'h', pid: 7, folders: [], entries: [] };

/** Opens a note where these operations fail; `done` lists what was done. */
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
  return { done, note: await openNote({ journals: journals as never, log }, journal) };
};
const WRITTEN = ['write', 'id', JSON.stringify(journal)];

describe('openNote', () => {
  it('writes the note, commits it, and removes it', async () => {
    const { done, note } = await open();
    await note.commit.run();
    await note.remove();
    expect(note.commit.failure).toBe('Failed to write the note of the patch');
    expect(done).toEqual([WRITTEN, ['commit', 'id'], ['remove', 'id']]);
  });

  it('goes on without a note where none can be written, and logs it', async () => {
    const { done, note } = await open('write');
    await note.commit.run();
    await note.remove();
    expect(done).toEqual([WRITTEN, ['warning', { reason: 'no write' }]]);
  });

  it('logs a note that cannot be removed', async () => {
    const { done, note } = await open('remove');
    await note.remove();
    expect(done).toEqual([WRITTEN, ['remove', 'id'], ['warning', { id: 'id', reason: 'no remove' }]]);
  });

  it('fails where it cannot be committed', async () => {
    const { note } = await open('commit');
    await expect(note.commit.run()).rejects.toThrow('no commit');
  });
});
