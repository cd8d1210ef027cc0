import { isPlain, meaningOf } from '../../../src/agent/safety/readTrust';

describe('meaningOf', () => {
  it.each([
    ['a-b/c.ts', 'a-b/c.ts'],
    ['HEAD~1', 'HEAD~1'],
    ["'a $b *'", 'a $b *'],
    ['"a b"', 'a b'],
    ['"a\\"b\\\\c\\(d"', 'a"b\\c\\(d'],
    ['"-del\\\nete"', '-delete'],
    ['\\(', '('],
    ["--format='%h %s'", '--format=%h %s'],
    ['--pretty=format:"%h %an"', '--pretty=format:%h %an'],
    [`-del'e'"te"`, '-delete'],
    [`'a'"'"'b'`, "a'b"],
    [`HEAD:'a~b'`, 'HEAD:a~b'],
  ])('reads %j as %j', (raw, meaning) => {
    expect(meaningOf(raw)).toBe(meaning);
  });

  it.each(['*.ts', 'a?', '[a]', '{a,b}', '-delet\\e', 'à', '', "~/'x'", "a=~'x'", "{'a',b}", "*'x'", `'a'*`])(
    'does not decide what %j is',
    (raw) => {
      expect(meaningOf(raw)).toBeUndefined();
    },
  );
});

describe('isPlain', () => {
  it.each(['', 'ls', "ls 'a\n$b' | wc; pwd\n", 'a && b || c', 'find \\( x \\)', '"a\\"b"', 'a#b', 'ls *.{ts,js} ~ ü'])(
    'accepts %j',
    (script) => {
      expect(isPlain(script)).toBe(true);
    },
  );

  it.each([
    'a & b',
    'a |& b',
    'a > b',
    '$x',
    '"$x"',
    '`a`',
    '(a)',
    'a\\ b',
    'a\\\nb',
    'a #b',
    '#b',
    'a;#b',
    '"a',
    "'a",
  ])('does not accept %j', (script) => {
    expect(isPlain(script)).toBe(false);
  });
});
