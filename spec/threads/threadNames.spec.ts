import fs from 'node:fs';
import { join } from 'node:path';
import { privateFiles } from '../../src/io/files/privateFiles';
import type { ThreadSummary } from '../../src/threads/listing/threadSummary';
import { nameThread, withNames } from '../../src/threads/threadNames';
import { lockDeps, openFolder, removeFolders } from '../support/files';

afterEach(removeFolders);

const around = () => {
  const home = openFolder();
  return { home, files: privateFiles(lockDeps(home)), path: join(home, 'session_index.jsonl') };
};

const threads = [{ id: 'a' }, { id: 'b' }] as ThreadSummary[];

describe('the names of threads', () => {
  it('are kept in the file of Codex, one line for each, and the last one counts', () => {
    const place = around();
    nameThread(place, { id: 'a', name: 'first' }, 0);
    nameThread(place, { id: 'a', name: 'two\nlines' }, 1_000);
    expect(fs.readFileSync(place.path, 'utf8')).toBe(
      '{"id":"a","thread_name":"first","updated_at":"1970-01-01T00:00:00.000Z"}\n' +
        '{"id":"a","thread_name":"two\\nlines","updated_at":"1970-01-01T00:00:01.000Z"}\n',
    );
    expect(fs.statSync(place.path).mode & 0o777).toBe(0o600);
    expect(withNames(place)(threads)).toEqual([{ id: 'a', name: 'two\nlines' }, { id: 'b' }]);
  });

  it('are absent without the file, and those of other lines are left out', () => {
    const place = around();
    expect(withNames(place)(threads)).toBe(threads);
    fs.writeFileSync(place.path, 'no JSON\n{"id":5,"thread_name":"x"}\n{"id":"b","thread_name":"B"}\n{"id":"a"}\n', {
      mode: 0o600,
    });
    expect(withNames(place)(threads)).toEqual([{ id: 'a' }, { id: 'b', name: 'B' }]);
  });

  it('are absent if a link leads to the file, and nothing is written through it', () => {
    const place = around();
    const other = join(openFolder(), 'other');
    fs.writeFileSync(other, '{"id":"a","thread_name":"forged"}\n');
    fs.symlinkSync(other, place.path);
    expect(withNames(place)(threads)).toEqual(threads);
    expect(() => nameThread(place, { id: 'a', name: 'x' }, 0)).toThrow(/link/);
    expect(fs.readFileSync(other, 'utf8')).not.toContain('"x"');
  });
});
