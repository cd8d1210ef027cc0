import { createHash } from 'node:crypto';
import type { Plan } from '../../../src/executor/patch/plan';
import type { Seen } from '../../../src/executor/patch/seen';
import { toTurnDiff } from '../../../src/executor/patch/toTurnDiff';
import { addPlan, noTurnChanges } from '../../../src/executor/patch/turnChanges';
import { encode, patchOf, planned, textFile } from './support';

const blobId = (bytes: Uint8Array): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');

const diffOf = (plans: readonly Plan[], root?: string): string =>
  toTurnDiff({ blobId, ...(root !== undefined && { root }) })(plans.reduce(addPlan, noTurnChanges));

const ALL = patchOf(
  '*** Add File: new.txt',
  '+new line',
  '*** Update File: old.txt',
  '@@',
  ' alpha',
  '-beta',
  '+BETA',
  ' gamma',
  '*** Delete File: gone.txt',
  '*** Update File: from.txt',
  '*** Move to: to.txt',
  '@@',
  '-one',
  '+two',
);
const FILES = { 'old.txt': 'alpha\nbeta\ngamma\n', 'gone.txt': 'bye\n', 'from.txt': 'one\n' };

/** Source: tape `patch-auto-git` of Codex 0.28.0. */
const RECORDED = `diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index b023018cabc396e7692c70bbf5784a93d3f738ab..0000000000000000000000000000000000000000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-bye
diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000000000000000000000000000000000000..86ba82a2e61b677ebd18b7186426a43fb3c81fc4
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new line
diff --git a/old.txt b/old.txt
index 85c30401ce288f253613cb07ee32e62128089caa..e50310a98706747e5f83d131572570985b069064
--- a/old.txt
+++ b/old.txt
@@ -1,3 +1,3 @@
 alpha
-beta
+BETA
 gamma
diff --git a/from.txt b/to.txt
index 5626abf0f72e58d7a153368ba57db4c673c0e171..f719efd430d52bcfc8566a43b2eb655688d38871
--- a/from.txt
+++ b/to.txt
@@ -1 +1 @@
-one
+two
`;

describe('toTurnDiff', () => {
  it('shows all kinds of changes as Codex 0.28.0 does', () => {
    expect(diffOf([planned(ALL, FILES)], '/ws')).toBe(RECORDED);
  });

  it.each([
    ['without a root', undefined],
    ['outside the root', '/other'],
    ['beside a folder whose name begins alike', '/w'],
  ])('shows absolute paths %s', (_, root) => {
    expect(diffOf([planned(ALL, FILES)], root)).toBe(RECORDED.replaceAll(/\b([ab])\/(?=\w+\.txt)/g, '$1//ws/'));
  });

  it('shows two patches of one file as one change', () => {
    const first = planned(patchOf('*** Add File: f', '+a'));
    const second = planned(patchOf('*** Update File: f', '@@', '-a', '+b'), { f: 'a\n' });
    expect(diffOf([first, second], '/ws')).toBe(diffOf([planned(patchOf('*** Add File: f', '+b'))], '/ws'));
  });

  it('is empty if everything is as before', () => {
    const there = planned(patchOf('*** Update File: f', '@@', '-a', '+b'), { f: 'a\n' });
    const back = planned(patchOf('*** Update File: f', '@@', '-b', '+a'), { f: 'b\n' });
    const made = planned(patchOf('*** Add File: f', '+a'));
    const gone = planned(patchOf('*** Delete File: f'), { f: 'a\n' });
    expect([diffOf([]), diffOf([there, back]), diffOf([made, gone])]).toEqual(['', '', '']);
  });

  it('follows a file that moves twice', () => {
    const first = planned(patchOf('*** Update File: a', '*** Move to: b', '@@', '-1', '+2'), { a: '1\n' });
    const second = planned(patchOf('*** Update File: b', '*** Move to: c', '@@', '-2', '+3'), { b: '2\n' });
    const once = planned(patchOf('*** Update File: a', '*** Move to: c', '@@', '-1', '+3'), { a: '1\n' });
    expect(diffOf([first, second], '/ws')).toBe(diffOf([once], '/ws'));
  });

  it('shows a move that changes nothing else', () => {
    const moved = planned(patchOf('*** Update File: a', '*** Move to: b', '@@', ' 1'), { a: '1\n' });
    expect(diffOf([moved], '/ws')).toBe('diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n');
  });

  it('shows a file that was moved over as changed, and the other as deleted', () => {
    const over = planned(patchOf('*** Update File: a', '*** Move to: b', '@@', '-1', '+2'), { a: '1\n', b: 'old\n' });
    expect(diffOf([over], '/ws').match(/^(diff|deleted|[-+]).*/gm)).toEqual([
      ...['diff --git a/a b/a', 'deleted file mode 100644', '--- a/a', '+++ /dev/null', '-1'],
      ...['diff --git a/b b/b', '--- a/b', '+++ b/b', '-old', '+2'],
    ]);
  });

  it('marks an executable as one, and shows when a file becomes one', () => {
    const program: Seen = { kind: 'file', real: '/ws/p', entry: '/ws/p', file: textFile('1\n', 0o755) };
    const gone = planned(patchOf('*** Delete File: p'), { p: program });
    const other = planned(patchOf('*** Delete File: p', '*** Add File: p', '+2'), { p: program });
    expect(diffOf([gone], '/ws')).toContain('deleted file mode 100755\n');
    expect(diffOf([other], '/ws')).toContain('diff --git a/p b/p\nold mode 100755\nnew mode 100644\nindex ');
  });

  it('does not show bytes that are no text', () => {
    const binary: Seen = {
      kind: 'file',
      real: '/ws/b',
      entry: '/ws/b',
      file: { ...textFile(''), bytes: encode('x').fill(255) },
    };
    expect(diffOf([planned(patchOf('*** Delete File: b'), { b: binary })], '/ws')).toMatch(
      /^index .*\n--- a\/b\n\+\+\+ \/dev\/null\nBinary files differ\n$/m,
    );
  });
});
