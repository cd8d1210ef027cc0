import { posix } from 'node:path';
import { defer, of, Subject } from 'rxjs';
import { changeByFiles } from '../../../src/agent/elsewhere/filesElsewhere';
import type { FileChange } from '../../../src/executor/files';
import type { WholeFiles } from '../../../src/executor/remote/remoteFiles';

/** A machine as files with their modes; what it is asked to do is noted, and some of it fails. */
const machine = (disk: Record<string, [text: string, mode?: number]>, failing: readonly string[] = []) => {
  const asked: string[] = [];
  const missing = () => Object.assign(new Error('No such file or directory (os error 2)'), { code: 'ENOENT' });
  const act = <T>(name: string, run: () => T) =>
    defer(() => {
      if (!name.startsWith('read')) asked.push(name);
      if (failing.includes(name)) throw new Error('No space left on device (os error 28)');
      return of(run());
    });
  const at = (path: string) => {
    if (disk[path] === undefined) throw missing();
    return disk[path] as [string, number?];
  };
  const files = {
    read: (path: string, maxBytes: number) => act(`read ${path}`, () => Buffer.from(at(path)[0]).subarray(0, maxBytes)),
    write: (path: string, bytes: Uint8Array) =>
      act(`write ${path}`, () => {
        disk[path] = [Buffer.from(bytes).toString(), disk[path]?.[1]];
      }),
    remove: (path: string, { force }: { force: boolean }) =>
      act(`remove ${path}`, () => {
        if (!force) at(path);
        delete disk[path];
      }),
    copy: (from: string, to: string) =>
      act(`copy ${from} ${to}`, () => {
        disk[to] = at(from);
      }),
    makeDirectory: (path: string) => act(`folder ${path}`, () => {}),
  } as unknown as WholeFiles;
  return { files, asked, disk };
};

const content = (text: string) => ({ bytes: Buffer.from(text), mode: 'default' as const });
const change = (real: string, before?: string, after?: string, own: Partial<FileChange> = {}): FileChange => ({
  path: posix.basename(real),
  absolute: real,
  real,
  found: before === undefined ? 'nothing' : 'file',
  ...(before !== undefined && { before: content(before) }),
  ...(after !== undefined && { after: content(after) }),
  ...own,
});
const outcomeOf = ({ files }: { files: WholeFiles }, ...changes: FileChange[]) =>
  new Promise<unknown>((resolve) => changeByFiles(files, changes).subscribe(resolve));

describe('changeByFiles', () => {
  it('writes files, makes their folders, and removes last what is to go', async () => {
    const there = machine({ '/w/a': ['1', 0o755], '/w/gone': ['x'], '/w/same': ['s'] });
    const changes = [
      change('/w/gone', 'x'),
      change('/w/a', '1', '2'),
      change('/w/d/new', undefined, 'n'),
      change('/w/same', 's', 's'),
    ];
    expect(await outcomeOf(there, ...changes)).toEqual({ kind: 'applied' });
    expect(there.asked).toEqual(['write /w/a', 'folder /w/d', 'write /w/d/new', 'remove /w/gone']);
    expect(there.disk).toEqual({ '/w/a': ['2', 0o755], '/w/d/new': ['n', undefined], '/w/same': ['s'] });
  });

  it('keeps the mode of a file that moves', async () => {
    const there = machine({ '/w/a': ['1', 0o755] });
    const changes = [change('/w/a', '1', undefined, { movedTo: '/w/b' }), change('/w/b', undefined, '2')];
    expect(await outcomeOf(there, ...changes)).toEqual({ kind: 'applied' });
    expect(there.disk).toEqual({ '/w/b': ['2', 0o755] });
  });

  it.each<[string, FileChange, string]>([
    ['has changed', change('/w/a', '0', '2'), 'Failed to write file a: it has changed since the patch was checked;'],
    ['is longer now', change('/w/a', '', '2'), 'Failed to write file a: it has changed'],
    ['is gone', change('/w/b', '1'), 'Failed to delete file b: it has changed'],
    ['has come', change('/w/a', undefined, '2'), 'Failed to write file a: it has changed'],
    ['is a link', change('/w/a', '1', '2', { found: 'link' }), 'Failed to write file a: it is a link,'],
  ])('changes nothing where a file %s', async (_, wrong, words) => {
    const there = machine({ '/w/a': ['1'], '/w/first': ['f'] });
    expect(await outcomeOf(there, change('/w/first', 'f', 'g'), wrong)).toEqual({
      kind: 'failed',
      message: expect.stringMatching(new RegExp(`^${words}.*No file was changed$`)),
    });
    expect(there.asked).toEqual([]);
  });

  it('rolls back what was done where a file fails', async () => {
    const there = machine({ '/w/a': ['1', 0o755], '/w/b': ['b'], '/w/c': ['c'] }, ['remove /w/c']);
    const changes = [
      change('/w/a', '1', '2'),
      change('/w/n', undefined, 'n'),
      change('/w/b', 'b'),
      change('/w/c', 'c'),
    ];
    expect(await outcomeOf(there, ...changes)).toEqual({
      kind: 'failed',
      message: 'Failed to delete file c: No space left on device (os error 28). No file was changed',
    });
    expect(there.disk).toEqual({ '/w/a': ['1', 0o755], '/w/b': ['b', undefined], '/w/c': ['c'] });
    expect(there.asked.slice(-4)).toEqual(['remove /w/c', 'write /w/b', 'remove /w/n', 'write /w/a']);
  });

  it('removes a link', async () => {
    const there = machine({ '/w/l': ['1'] });
    expect(await outcomeOf(there, change('/w/l', '1', undefined, { found: 'link' }))).toEqual({ kind: 'applied' });
    expect(there.disk).toEqual({});
  });

  it('names the files that could not be brought back', async () => {
    const there = machine({ '/w/a': ['1'] }, ['write /w/b', 'remove /w/b']);
    expect(await outcomeOf(there, change('/w/b', undefined, 'b'))).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/^Failed to write file b: .*These files could not be brought back: b \(No space/),
    });
  });

  it('goes no further when nobody waits any more, and rolls back what was done and nothing else', async () => {
    const gate = new Subject<void>();
    const there = machine({ '/w/a': ['1'], '/w/b': ['b'] });
    const slow = {
      ...there.files,
      write: (path: string, bytes: Uint8Array) =>
        defer(() => {
          there.files.write(path, bytes).subscribe();
          return gate;
        }),
    };
    const leaving = changeByFiles(slow, [change('/w/a', '1', '2'), change('/w/b', 'b', 'c')]).subscribe();
    while (there.asked.length === 0) await new Promise(setImmediate);
    leaving.unsubscribe();
    Object.assign(slow, there.files);
    there.disk['/w/b'] = ['of somebody else'];
    gate.next();
    while (there.asked.length < 2) await new Promise(setImmediate);
    for (let turn = 0; turn < 9; turn += 1) await new Promise(setImmediate); // nothing more follows
    expect(there.asked).toEqual(['write /w/a', 'write /w/a']);
    expect(there.disk).toEqual({ '/w/a': ['1', undefined], '/w/b': ['of somebody else'] });
  });
});
