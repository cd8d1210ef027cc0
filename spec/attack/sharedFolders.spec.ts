/** Another user of the machine who can rename a folder, or replace a link, on the way to a socket or a token puts their own there. */
import {
  chmodSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSocketFolder } from '../../src/cli/execServer/options';
import { readToken } from '../../src/executor/listen/token';
import { findStep, openToOthers } from '../../src/io/paths/steps';
import { needs } from '../support/needs/needs';

const OTHER = 65_534;
let base = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
});
afterEach(() => rmSync(base, { recursive: true }));

const folder = (name: string, mode = 0o700): string => {
  const path = join(base, name);
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
};

describe('a socket', () => {
  it.each<[number, boolean]>([
    [0o700, true],
    [0o755, true],
    [0o1777, true],
    [0o777, false],
    [0o770, false],
  ])('is made in a folder of mode %o: %s', (mode, isSafe) => {
    const path = folder('sockets', mode);
    const check = () => checkSocketFolder(join(path, 'socket'));
    if (isSafe) expect(check).not.toThrow();
    else
      expect(check).toThrow(
        `Other users can replace a socket in ${path}; name a folder of your own with mode 0700, below folders that only you or root can write`,
      );
  });

  it('is not made below a folder in which others can rename', () => {
    const shared = folder('shared', 0o777);
    const path = folder('shared/mine');
    expect(() => checkSocketFolder(join(path, 'socket'))).toThrow(
      `Other users can replace a socket in ${path}, because they can change ${shared}; name a folder`,
    );
    chmodSync(shared, 0o1777);
    expect(() => checkSocketFolder(join(path, 'socket'))).not.toThrow();
  });

  it.each<[string, string]>([
    ['beside the link', 'open/link'],
    ['between two links', 'first'],
  ])('is not made behind a link that others can replace: %s', (_, link) => {
    const open = folder('open', 0o777);
    symlinkSync(folder('mine'), join(open, 'link'));
    symlinkSync('open/link', join(base, 'first'));
    expect(() => checkSocketFolder(join(base, link, 'socket'))).toThrow(`because they can change ${open}; `);
  });

  needs('root').it('is not made behind a link or a folder that belongs to another user', () => {
    symlinkSync(folder('mine'), join(base, 'theirs'));
    lchownSync(join(base, 'theirs'), OTHER, OTHER);
    expect(openToOthers(join(base, 'theirs'))).toBe(join(base, 'theirs'));
    lchownSync(join(base, 'mine'), OTHER, OTHER);
    expect(openToOthers(join(base, 'mine'))).toBe(join(base, 'mine'));
  });
});

describe('a token', () => {
  it('is not read from a folder in which others can rename', () => {
    const path = join(folder('shared', 0o777), 'token');
    writeFileSync(path, 'sesame', { mode: 0o600 });
    expect(() => readToken(path)).toThrow(
      `Other users can replace ${path}, because they can change ${join(base, 'shared')}; keep it in a folder of your own`,
    );
  });
});

describe('findStep', () => {
  const pathsTo = (path: string): string[] => {
    const paths: string[] = [];
    findStep(path, (step) => paths.push(step.path.replace(base, 'B')) === 0);
    return paths;
  };

  it('passes folders, links, and what these lead to', () => {
    folder('a');
    folder('a/b');
    symlinkSync('../a/./b', join(folder('links'), 'in'));
    const start = pathsTo(base);
    expect(pathsTo(join(base, 'links/in'))).toEqual([...start, 'B/links', 'B/links/in', 'B/a', 'B/a/b']);
    symlinkSync(join(base, 'a'), join(base, 'far'));
    expect(pathsTo(join(base, 'far'))).toEqual([...start, 'B/far', ...start.slice(1), 'B/a']);
    expect(pathsTo('/')).toEqual(['/']);
  });

  it('throws if nothing is there, or links lead in a circle', () => {
    symlinkSync('loop', join(base, 'loop'));
    expect(() => pathsTo(join(base, 'loop'))).toThrow(`${join(base, 'loop')} leads in a circle of links`);
    expect(() => pathsTo(join(base, 'none'))).toThrow(/ENOENT/);
  });
});
