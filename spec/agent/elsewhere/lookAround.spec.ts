import { of, throwError } from 'rxjs';
import { lookAround, type Wanted } from '../../../src/agent/elsewhere/lookAround';
import type { FileFacts } from '../../../src/executor/files';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { facts } from '../../executor/server/files';

const missing = () => throwError(() => Object.assign(new Error('No such file'), { code: 'ENOENT' }));
const folder: FileFacts = facts({ isDirectory: true, isFile: false });

/** A machine with a repository /srv/site, a link /link to it, and what it says of itself. */
const REAL: Record<string, string> = { '/link': '/srv/site', '/srv/site/out': '/etc' };
const FOLDERS = [
  '/srv',
  '/srv/site',
  '/srv/site/sub',
  '/srv/site-2',
  '/srv/site/.git',
  '/link',
  '/srv/site/out',
  '/etc',
  '/start',
  '/start/sub',
];
const files = {
  facts: (path: string) => (FOLDERS.includes(path) ? of(folder) : path === '/file' ? of(facts()) : missing()),
  canonical: (path: string) => (FOLDERS.includes(path) ? of(REAL[path] ?? path) : missing()),
};
const look = (
  wanted: Partial<Wanted>,
  info: unknown = { shell: { name: 'zsh' }, platformOs: 'linux', cwd: 'file:///start' },
) => {
  const seen: unknown[] = [];
  const request = () => (info instanceof Error ? throwError(() => info) : of(info));
  lookAround({ request, files }, { cwd: '', writableRoots: [], within: undefined, ...wanted }).subscribe({
    next: (sight) => seen.push(sight),
    error: (error) => seen.push(error.message),
  });
  return seen[0];
};

describe('lookAround', () => {
  it('finds the folder without links, its repository, and what the machine is', () => {
    expect(look({ cwd: '/link', writableRoots: ['/etc', '/gone', 'sub'] })).toEqual({
      cwd: '/srv/site',
      writableRoots: ['/etc', '/srv/site/sub'],
      folders: { '/link': '/srv/site', '/etc': '/etc', '/srv/site/sub': '/srv/site/sub' },
      repository: '/srv/site',
      facts: { operating_system: 'linux', shell: 'zsh' },
    });
    expect(look({ cwd: '/srv/site/sub' })).toMatchObject({ repository: '/srv/site' });
    expect(look({ cwd: '/etc' })).toMatchObject({ repository: undefined });
  });

  it('begins at the folder of the executor where none is named', () => {
    expect(look({})).toMatchObject({ cwd: '/start' });
    expect(look({ cwd: 'sub' })).toMatchObject({ cwd: '/start/sub' });
  });

  it.each<[string, Partial<Wanted>, unknown, RegExp]>([
    ['a folder that is not there', { cwd: '/gone' }, undefined, /^\/gone is not an existing folder there/],
    ['a file', { cwd: '/file' }, undefined, /^\/file is not an existing folder/],
    ['no folder at all', {}, { shell: { name: 'sh' } }, /does not say where it was started/],
    ['a Windows machine', {}, { platformOs: 'windows' }, /Windows/],
    ['a server without sandboxes', {}, new RpcError(-32601, 'not implemented'), /too old/],
    ['a lost connection', {}, new Error('lost'), /^lost$/],
    [
      'a folder outside of the one it is locked to',
      { cwd: '/etc', within: '/srv/site' },
      undefined,
      /outside of \/srv\/site/,
    ],
    [
      'a folder whose name only begins as that one',
      { cwd: '/srv/site-2', within: '/srv/site' },
      undefined,
      /^\/srv\/site-2 is outside of/,
    ],
    ['a link that leads out of it', { cwd: '/srv/site/out', within: '/srv/site' }, undefined, /^\/etc is outside of/],
    [
      'any folder where a link has replaced the locked one',
      { cwd: '/srv/site/sub', within: '/link' },
      undefined,
      /^\/link is a link, which the flag --lock does not follow, .* leads to \/srv\/site; put the folder back, or name/,
    ],
    ['any folder where the locked one is gone', { cwd: '/etc', within: '/gone' }, undefined, /outside of \/gone/],
  ])('refuses %s', (_, wanted, info, words) => {
    expect(look(wanted, info)).toMatch(words);
  });

  it('takes a folder in the one it is locked to, also by a link', () => {
    expect(look({ cwd: '/link', within: '/srv/site' })).toMatchObject({ cwd: '/srv/site' });
    expect(look({ cwd: '/srv/site/sub', within: '/srv/site' })).toMatchObject({ cwd: '/srv/site/sub' });
  });
});
