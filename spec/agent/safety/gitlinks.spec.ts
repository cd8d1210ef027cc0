/** Indexes that git itself has written, and repositories with submodules. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { gitlinksOf, namesPrograms } from '../../../src/agent/safety/namesPrograms';
import { needs } from '../../support/needs/needs';
import { repositoryFiles } from '../../support/repositoryFiles';

const { describe } = needs('git');

describe('gitlinksOf', () => {
  let folder = '';
  const git = (...args: string[]) => {
    const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' };
    const { status, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  };
  const OID = 'a'.repeat(40);
  /** A repository with some files and two gitlinks in its index. */
  const begin = (oid: string, ...init: string[]) => {
    git('init', '-q', ...init);
    mkdirSync(join(folder, 'src'));
    for (const name of ['a', 'src/é', 'src/longer-name.ts', 'z']) writeFileSync(join(folder, name), name);
    git('add', '.');
    for (const name of ['libs/one', 'two']) git('update-index', '--add', '--cacheinfo', `160000,${oid},${name}`);
  };
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const index = () => readFileSync(join(folder, '.git/index'));

  it.each(['2', '4'])('reads version %s', (version) => {
    begin(OID);
    git('update-index', '--index-version', version);
    expect(index().readUInt32BE(4)).toBe(Number(version));
    expect(gitlinksOf(index(), [20])).toEqual(['libs/one', 'two']);
  });

  it('reads version 3, and object names of SHA-256', () => {
    begin('a'.repeat(64), '--object-format=sha256');
    git('update-index', '--skip-worktree', 'a');
    expect(index().readUInt32BE(4)).toBe(3);
    expect(gitlinksOf(index(), [20, 32])).toEqual(['libs/one', 'two']);
  });

  it('does not know the entries of a split index', () => {
    begin(OID);
    git('update-index', '--split-index');
    expect(gitlinksOf(index(), [20])).toBeUndefined();
  });

  it('never throws', () => {
    begin(OID);
    const whole = index();
    expect(gitlinksOf(Buffer.from('no index at all'), [20])).toBeUndefined();
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(255), (at, byte) => {
        const broken = Buffer.from(whole.subarray(0, byte % 2 ? at : whole.length));
        if (at < broken.length) broken[at] = byte;
        gitlinksOf(broken, [20, 32]);
      }),
    );
  });

  it('finds programs that a submodule names', () => {
    begin(OID);
    expect(namesPrograms(repositoryFiles)(folder)).toBe(false);
    mkdirSync(join(folder, 'libs/one/.git'), { recursive: true });
    writeFileSync(join(folder, 'libs/one/.git/config'), '[core]\n');
    expect(namesPrograms(repositoryFiles)(folder)).toBe(false);
    writeFileSync(join(folder, 'libs/one/.git/config'), '[filter "x"]\n\tclean = evil\n');
    expect(namesPrograms(repositoryFiles)(join(folder, 'src'))).toBe(true);
  });
});
