import fc from 'fast-check';
import { findPatch, readHereDocument } from '../../../src/executor/applying/findPatch';
import { casesOf } from '../../support/cases';

const PATCH = '*** Begin Patch\n*** Add File: new.txt\n+hi\n*** End Patch';

type Recorded = { id: string; note: string; argv: string[]; kind: 'patch' | 'exec' | 'error' };

/** Where we differ, and why. */
const OTHERWISE: Record<string, { kind: 'patch' | 'command'; why: string }> = {
  aa15: { kind: 'command', why: 'the program is another one' },
  aa16: { kind: 'patch', why: 'cd DIR && is understood' },
};

describe('findPatch', () => {
  const found = (argv: readonly string[]) => findPatch(argv, '/ws');
  const script = (text: string) => found(['bash', '-lc', text]);

  it.each(casesOf<Recorded>('apply_patch_argv_dev').map((recorded) => [recorded.id, recorded.note, recorded] as const))(
    'decides %s as Codex 0.28.0 does, or better: %s',
    (id, _, { argv, kind }) => {
      const expected = OTHERWISE[id]?.kind ?? (kind === 'exec' ? 'command' : 'patch');
      expect(found(argv) ? 'patch' : 'command').toBe(expected);
    },
  );

  it.each(['apply_patch', 'applypatch'])('takes the one argument of %s as it is', (program) => {
    expect(found([program, 'x\n'])).toEqual({ text: 'x\n', folder: '/ws' });
    expect([found([program]), found([program, 'x', 'y']), found([`/bin/${program}`, 'x'])]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [`apply_patch <<'EOF'\n${PATCH}\nEOF\n`],
    [`apply_patch <<"EOF"\n${PATCH}\nEOF`],
    [`apply_patch <<\\EOF\n${PATCH}\nEOF\n\n`],
    [`apply_patch<<EOF\n${PATCH}\nEOF\n`],
    [`applypatch  << 'a b'\t\n${PATCH}\na b\n`],
    [`\n  apply_patch <<E.O-F\n${PATCH}\n\nE.O-F  \n`],
    [`apply_patch <<'EOF'\n${PATCH}\n`], // bash reads to the end too
    [`apply_patch <<-'EOF'\n\t${PATCH.replaceAll('\n', '\n\t')}\n\tEOF\n`],
  ])('reads the here-document of %j', (text) => {
    expect(script(text)).toEqual({ text: PATCH, folder: '/ws' });
  });

  it.each([
    ['apply_patch <<E', '\nls\ncat f\n', 'ls\ncat f'],
    ['apply_patch <<E && ls', '', '&& ls'],
    ['apply_patch <<E | tail', '\nls', '| tail\nls'],
    ['set -e\napply_patch <<E', '\nls', 'ls'],
    ['set -euo pipefail; apply_patch <<E', '\n', undefined],
    ['cat <<E | apply_patch', '\n', undefined],
    ['cat <<E | apply_patch && ls', '', '&& ls'],
  ])('finds the patch of %j and what else the script would run', (before, after, rest) => {
    expect(script(`${before}\n${PATCH}\nE${after}`)).toEqual({
      text: PATCH,
      folder: '/ws',
      ...(rest !== undefined && { rest }),
    });
  });

  it.each([
    ['cd sub &&', '/ws/sub'],
    ['cd sub/x.d&&', '/ws/sub/x.d'],
    ['cd /abs &&\n', '/abs'],
    ["cd 'a b' &&", '/ws/a b'],
    ['cd "../a b" &&', '/a b'],
    ['cd . &&', '/ws'],
  ])('follows %j', (before, folder) => {
    expect(script(`${before} apply_patch <<'EOF'\n${PATCH}\nEOF\n`)).toEqual({ text: PATCH, folder });
  });

  it.each([
    'cd - &&',
    'cd "-" &&',
    'cd -P x &&',
    'cd ~ &&',
    'cd $HOME &&',
    'cd "$HOME" &&',
    'cd `pwd` &&',
    'cd a* &&',
    'cd {a,b} &&',
    'cd a\\ b &&',
    "cd a'b' &&",
    'cd "" &&',
    'cd &&',
    'cd a b &&',
    'cd a;',
    'cd a ||',
    'cd a &',
    'cd a\n',
    'pushd a &&',
    'A=1',
    'sudo',
    '! ',
    '(',
  ])('leaves a script that begins with %j to bash', (before) => {
    expect(script(`${before} apply_patch <<'EOF'\n${PATCH}\nEOF\n`)).toBeUndefined();
  });

  it.each([
    ['a second redirection', `apply_patch <<'EOF' > f\n${PATCH}\nEOF\n`],
    ['a second document', `apply_patch <<A <<B\n${PATCH}\nA\nB\n`],
    ['an argument', `apply_patch x <<'EOF'\n${PATCH}\nEOF\n`],
    ['a here-string', `apply_patch <<<'${PATCH}'`],
    ['an end word that is expanded', `apply_patch <<$E\n${PATCH}\n$E\n`],
    ['no document', 'apply_patch'],
    ['no line', 'apply_patch <<EOF'],
    ['a document for another program', `cat <<'EOF'\n${PATCH}\nEOF\n`],
    ['a document that another program reads', `cat <<'EOF' | sh\n${PATCH}\nEOF\n`],
    ['another program', `apply_patch_x <<'EOF'\n${PATCH}\nEOF\n`],
    ['a comment', `apply_patch <<'EOF' # x\n${PATCH}\nEOF\n`],
  ])('leaves a script with %s to bash', (_, text) => {
    expect(script(text)).toBeUndefined();
  });

  it.each([
    ['bash', '-c'],
    ['sh', '-lc'],
    ['/bin/bash', '-lc'],
    ['bash', '-l'],
  ])('knows no other shell than bash -lc: %s %s', (shell, option) => {
    expect(found([shell, option, `apply_patch <<'EOF'\n${PATCH}\nEOF\n`])).toBeUndefined();
  });

  it('expands nothing in a document without quotes', () => {
    expect(script('apply_patch <<EOF\n+$HOME `id` \\\nEOF\n')?.text).toBe('+$HOME `id` \\');
  });

  it('reads a script of megabytes', () => {
    const body = `+${'x'.repeat(99)}\n`.repeat(100_000);
    expect(script(`cd sub && apply_patch <<'EOF'\n${body}EOF\n`)?.text).toBe(body.trimEnd());
    expect(script(`apply_patch <<'EOF'${' '.repeat(1_000_000)}x\nEOF\n`)).toBeUndefined();
    expect(script(`${' '.repeat(1_000_000)}x`)).toBeUndefined();
  });
});

const read = (script: string) => readHereDocument(script, ['apply_patch', 'applypatch']);

describe('readHereDocument', () => {
  it.each([
    ['a document               ', 'apply_patch <<EOF\na\nb\nEOF\n', { body: 'a\nb' }],
    ['another name             ', 'applypatch <<EOF\na\nEOF', { body: 'a' }],
    ['a quoted end             ', "apply_patch <<'E F'\na\nE F\n", { body: 'a' }],
    ['a backslash at the end   ', 'apply_patch <<\\EOF\na\nEOF', { body: 'a' }],
    ['one without its last line', 'apply_patch <<EOF\na\n\n', { body: 'a' }],
    ['tabs that are dropped    ', 'apply_patch <<-EOF\n\t\ta\n\tEOF', { body: 'a' }],
    ['tabs that are kept       ', 'apply_patch <<EOF\n\ta\nEOF', { body: '\ta' }],
    ['a folder                 ', 'cd d/e && apply_patch <<EOF\na\nEOF', { folder: 'd/e', body: 'a' }],
    ['a folder in quotes       ', 'cd "d e" && apply_patch <<EOF\na\nEOF', { folder: 'd e', body: 'a' }],
    ['blanks behind the end    ', 'apply_patch <<EOF\na\nEOF  \n \n', { body: 'a' }],
    ['what bash would expand   ', 'apply_patch <<EOF\n$HOME `x`\nEOF', { body: '$HOME `x`' }],
    ['no document              ', 'apply_patch a', undefined],
    ['another program          ', 'cat <<EOF\na\nEOF', undefined],
    ['more behind it           ', 'apply_patch <<EOF\na\nEOF\nrm -r x', { body: 'a', rest: 'rm -r x' }],
    ['more in its first line   ', 'apply_patch <<EOF; rm x\na\nEOF', { body: 'a', rest: '; rm x' }],
    ['a folder that is expanded', 'cd $d && apply_patch <<EOF\na\nEOF', undefined],
    ['the folder before        ', 'cd - && apply_patch <<EOF\na\nEOF', undefined],
    ['an empty folder          ', 'cd "" && apply_patch <<EOF\na\nEOF', undefined],
    ['a program before it      ', 'rm x && apply_patch <<EOF\na\nEOF', undefined],
  ])('reads %s', (_, script, expected) => {
    expect(read(script)).toEqual(expected);
  });

  it('reads back any lines that do not end the document', () => {
    const line = fc.string().filter((text) => !text.includes('\n') && text.trimEnd() !== 'EOF');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const body = lines.join('\n').replace(/\n+$/, '');
        expect(read(`apply_patch <<EOF\n${body}\nEOF\n`)).toEqual({ body });
      }),
    );
  });
});
