/** Real files, in a folder of their own. */
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sandboxFiles as files } from '../../../src/executor/sandbox/sandboxFilesHere';
import { needs } from '../../support/needs/needs';

describe('sandboxFiles', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-files-')));
  const at = (name: string) => join(base, name);
  beforeAll(() => {
    mkdirSync(at('folder'));
    writeFileSync(at('file'), 'text');
    symlinkSync('file', at('link'));
    symlinkSync('nowhere', at('dangling'));
  });
  afterAll(() => rmSync(base, { recursive: true }));

  it.each([
    ['folder', 'folder', 'folder', undefined],
    ['file', 'file', 'file', 'text'],
    ['link', 'link', 'file', 'text'],
    ['dangling', 'link', undefined, undefined],
    ['missing', undefined, undefined, undefined],
  ])('knows of %s its kind, path and text', (name, kind, real, text) => {
    expect([files.kindOf(at(name)), files.realpath(at(name)), files.readText(at(name))]).toEqual([
      kind,
      real && at(real),
      text,
    ]);
    expect(files.kindOf('/dev/null')).toBe('other');
  });

  it('knows what belongs to this user, and to a user other than root', () => {
    expect([files.isOwn(at('file')), files.ofStranger(at('file'))]).toEqual([true, undefined]);
    expect([files.isOwn(at('missing')), files.ofStranger(at('missing')), files.ofStranger('/')]).toEqual([
      false,
      undefined,
      undefined,
    ]);
    if (process.getuid?.() !== 0) return; // only root can give a file away
    writeFileSync(at('theirs'), '');
    chownSync(at('theirs'), 54_321, 54_321);
    chmodSync(at('theirs'), 0o666);
    expect([files.isOwn(at('theirs')), files.ofStranger(at('theirs'))]).toEqual([false, 'open']);
    chmodSync(at('theirs'), 0o644);
    expect(files.ofStranger(at('theirs'))).toBe('closed'); // root could write it, a command without capabilities cannot
    rmSync(at('theirs'));
  });

  it('knows the names of a socket', async () => {
    const server = createServer().listen(at('socket'));
    await once(server, 'listening');
    linkSync(at('socket'), at('second'));
    expect(['socket', 'second', 'file', 'missing'].map((name) => files.namesOfSocket(at(name)))).toEqual([2, 2, 0, 0]);
    rmSync(at('second'));
    expect(files.namesOfSocket(at('socket'))).toBe(1);
    server.close();
  });

  needs('root').it('knows what is in a folder that only another user may enter', () => {
    mkdirSync(at('closed/inner'), { recursive: true });
    for (const name of ['closed/own', 'closed/inner/theirs']) writeFileSync(at(name), '');
    chmodSync(at('closed/inner/theirs'), 0o666);
    for (const name of ['closed', 'closed/inner/theirs']) chownSync(at(name), 54_321, 54_321);
    const seen = () => ['closed/own', 'closed/inner/theirs'].map((name) => files.ofStranger(at(name)));
    const byMode = [0o755, 0o711, 0o750, 0o700].map((mode) => {
      chmodSync(at('closed'), mode);
      return seen();
    });
    const [open, closed] = [
      [undefined, 'open'],
      ['closed', 'closed'],
    ];
    expect(byMode).toEqual([open, open, closed, closed]);
    rmSync(at('closed'), { recursive: true });
  });

  it('lists a folder, and nothing else', () => {
    expect([...files.list(base)].sort()).toEqual(['dangling', 'file', 'folder', 'link']);
    expect([files.list(at('file')), files.list(at('missing'))]).toEqual([[], []]);
  });

  it('makes and removes, and reports what it cannot make', () => {
    expect([files.makeFolder(at('new')), files.makeFolder(at('new'))]).toEqual(['made', 'there']);
    const made = ['new/a', 'new/a', 'no/a'].map((path) => files.makeFile(at(path), 'text'));
    expect([...made, files.readText(at('new/a'))]).toEqual(['made', 'there', 'failed', 'text']);
    expect(files.makeFolder('/proc/codex-rx')).toMatch(/refused|failed/);
    files.removeFolder(at('new'));
    expect(files.list(at('new'))).toEqual(['a']);
    files.removeFile(at('new/a'));
    files.removeFile(at('new/a'));
    files.removeFolder(at('new'));
    expect(files.kindOf(at('new'))).toBeUndefined();
  });
});
