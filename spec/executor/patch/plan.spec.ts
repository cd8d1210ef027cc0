import { type Plan, toFileChanges } from '../../../src/executor/patch/plan';
import type { Seen } from '../../../src/executor/patch/seen';
import { casesOf } from '../../support/cases';
import { patchOf, plan, planned, textFile } from './support';

type Recorded = { id: string; note: string; argv: [string, string]; files: Record<string, string>; changes?: object };

describe('toFileChanges', () => {
  it('shows all kinds of changes as the tape patch-auto of Codex 0.28.0 has them', () => {
    const text = patchOf(
      ...['*** Add File: new.txt', '+new line', '*** Update File: old.txt', '@@', ' alpha', '-beta', '+BETA', ' gamma'],
      ...['*** Delete File: gone.txt', '*** Update File: from.txt', '*** Move to: to.txt', '@@', '-one', '+two'],
    );
    const files = { 'old.txt': 'alpha\nbeta\ngamma\n', 'gone.txt': 'bye\n', 'from.txt': 'one\n' };
    expect(toFileChanges(planned(text, files))).toEqual({
      '/ws/new.txt': { add: { content: 'new line\n' } },
      '/ws/old.txt': { update: { unified_diff: '@@ -1,3 +1,3 @@\n alpha\n-beta\n+BETA\n gamma\n', move_path: null } },
      '/ws/gone.txt': { delete: { content: 'bye\n' } },
      '/ws/from.txt': { update: { unified_diff: '@@ -1 +1 @@\n-one\n+two\n', move_path: '/ws/to.txt' } },
    });
  });

  /** There the last section for a path hides the others. */
  const OTHERWISE: Record<string, object> = {
    aa42: { '/ws/f.txt': { update: { unified_diff: '@@ -1,2 +1 @@\n-a\n-b\n+z\n', move_path: null } } },
  };
  const recorded = casesOf<Recorded>('apply_patch_argv_dev').filter(
    ({ argv, changes }) => changes && argv.length === 2,
  );

  it.each(recorded.map((one) => [one.id, one.note, one] as const))(
    'shows %s as Codex 0.28.0 does, or better: %s',
    (id, _, { argv, files, changes }) => {
      const expected = JSON.parse(JSON.stringify(changes).replaceAll('{cwd}', '/ws'));
      expect(toFileChanges(planned(argv[1], files))).toEqual(OTHERWISE[id] ?? expected);
    },
  );

  const changes = (lines: readonly string[], files: Record<string, string | Seen>) =>
    toFileChanges(planned(patchOf(...lines), files));

  it('shows what is written over, by a new file or by one that moves', () => {
    expect(changes(['*** Add File: f', '+b'], { f: 'a\n' })).toEqual({
      '/ws/f': { update: { unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: null } },
    });
    expect(changes(['*** Update File: f', '*** Move to: g', '@@', '-a', '+b'], { f: 'a\n', g: 'g\n' })).toEqual({
      '/ws/f': { update: { unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: '/ws/g' } },
      '/ws/g': { delete: { content: 'g\n' } },
    });
  });

  it('shows two sections for one file as one change', () => {
    expect(
      changes(['*** Update File: f', '@@', '-a', '+b', '*** Update File: f', '@@', '-c', '+d'], { f: 'a\nc\n' }),
    ).toEqual({
      '/ws/f': { update: { unified_diff: '@@ -1,2 +1,2 @@\n-a\n-c\n+b\n+d\n', move_path: null } },
    });
  });

  it('hides no file behind a link of the same name that is deleted after', () => {
    const file = { bytes: Buffer.from('a\n'), mode: 0o644, access: 'writable' } as const;
    const linked: Seen = { kind: 'file', real: '/out/f', entry: '/ws/l', file };
    expect(changes(['*** Update File: l', '@@', '-a', '+b', '*** Delete File: l'], { l: linked })).toEqual({
      '/out/f': { update: { unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: null } },
      '/ws/l': { delete: { content: 'a\n' } },
    });
  });

  it('shows a file that is written as it was', () => {
    expect(changes(['*** Update File: f', '@@', '-a', '+a'], { f: 'a\n' })).toEqual({
      '/ws/f': { update: { unified_diff: '', move_path: null } },
    });
  });

  it('shows bytes that are no text as well as it can', () => {
    const f: Seen = {
      kind: 'file',
      real: '/ws/f',
      entry: '/ws/f',
      file: { ...textFile(''), bytes: new Uint8Array([0x61, 0xff]) },
    };
    expect(changes(['*** Delete File: f'], { f })).toEqual({ '/ws/f': { delete: { content: 'a\ufffd' } } });
  });

  it('names files as the patch does, wherever links lead', () => {
    const link: Seen = { kind: 'file', real: '/ws/target', entry: '/ws/link', file: textFile('a\n') };
    expect(changes(['*** Update File: link', '@@', '-a', '+b'], { link })).toEqual({
      '/ws/link': { update: { unified_diff: '@@ -1 +1 @@\n-a\n+b\n', move_path: null } },
    });
  });

  it('shows what cannot be done', () => {
    const blocked: Seen = { kind: 'blocked', part: 'parent', reason: '' };
    const made: Plan | { kind: string } = plan(patchOf('*** Add File: f', '+a'), { f: blocked });
    if (made.kind !== 'plan' || !('files' in made)) throw new Error(made.kind);
    expect(toFileChanges(made)).toEqual({ '/ws/f': { add: { content: 'a\n' } } });
  });
});
