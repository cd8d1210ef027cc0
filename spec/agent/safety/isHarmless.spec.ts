import { isHarmless, takesAnything } from '../../../src/agent/safety/readTrust';

/** One argv per line, words without blanks. */
const argvs = (lines: string): string[][] =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '));

describe('isHarmless', () => {
  it.each(
    argvs(`
      ls -la /etc
      cat a > b
      grep -rnE x .
      tail -n +5 f
      which ls
      cd src
      find .
      find . -name x -type f -print0
      find . ! -name x -o -empty
      find . -depth -maxdepth 2
      rg -n x src
      rg -A3 -gz x
      rg -e zip
      rg --pre-glob *.x x
      rg --files --sort path
      sed -n 3p f
      sed -n 3,5p f
      test -f a -a ! -d b
      test 1 -lt 2
      test
      printf %s a
      date
      date -u +%s
      date -d yesterday +%F
      git ls-files --others --exclude-standard
      git rev-parse --show-toplevel
      git rev-parse --abbrev-ref HEAD
      git status`),
  )('passes %s %s %s %s %s', (...argv) => {
    expect(isHarmless(argv)).toBe(true);
  });

  it.each(
    argvs(`
      find . -delete
      find . -delet
      find . -- -delete
      find . -exec rm
      find . -execdir rm
      find . -ok rm
      find . -okdir rm
      find . -fls f
      find . -fprint f
      find . -fprint0 f
      find . -fprintf f
      rg --pre x y
      rg --pre=x y
      rg --pr x y
      rg --hostname-bin=x y
      rg --hostname x y
      rg -z x
      rg -nz x
      rg -uuz x
      rg --search-zip=1 x
      rg --search x
      rg -f -- --pre=x
      sed -i s/a/b/ f
      sed -n 1p
      sed -n 1p -i
      sed -n 1p -e1e
      sed -n 1p --expression=1e
      sed -n 1p f g
      sed -n 1w f
      sed -n /x/p f
      sort
      sort f
      uniq f g
      cut -f1
      tr a b
      test -v a[$(id)]
      test -R a
      test a[$(id)] -eq 1
      printf -v a
      printf %n a
      printf %ln a
      printf a $(id)
      date 01010000
      date -s x
      date --set=x
      date -d -d 01010000
      date -f f
      git rev-parse --parseopt
      git ls-files --recurse-submodules
      git ls-files -x a
      git fetch
      cargo check
      /bin/ls
      ./ls
      LS
      sudo ls
      env ls
      constructor
      __proto__`),
  )('does not pass %s %s %s %s', (...argv) => {
    expect(isHarmless(argv)).toBe(false);
  });

  it('does not pass nothing, an empty name, or a sed without a file', () => {
    expect([[], [''], ['ls '], ['sed', '-n', '1p', '']].map(isHarmless)).toEqual([false, false, false, false]);
  });
});

describe('takesAnything', () => {
  it('names programs that no argument makes dangerous', () => {
    expect(['ls', 'cat', 'find', 'sed', 'rg', 'git', ''].filter(takesAnything)).toEqual(['ls', 'cat']);
  });
});
