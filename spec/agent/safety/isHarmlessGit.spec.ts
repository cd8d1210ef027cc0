import { isHarmlessGit } from '../../../src/agent/safety/harmlessGit';

const lines = (text: string): string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim());
const judge = (line: string): boolean => isHarmlessGit(line.split(' '));

describe('isHarmlessGit', () => {
  it.each(
    lines(`
      status
      --no-pager log -3
      --no-pager diff --stat
      status -sb --porcelain=v2 src
      diff
      diff --cached --stat HEAD~1 -- src
      diff -U3 -M90% a..b
      log --oneline -5 --graph
      log -n 5 --format=%h --since=1.week -Sname
      log --author x --grep y
      show HEAD^ --name-only
      show HEAD:src/a.ts
      branch
      branch -a -vv
      branch --show-current
      branch --list x*
      branch --contains HEAD
      branch --merged main
      branch --sort=-committerdate --format=%(refname)`),
  )('passes git %s', (line) => {
    expect(judge(line)).toBe(true);
  });

  it.each(
    lines(`
      -c core.pager=x log
      -C x status
      --no-pager commit
      --no-pager -c core.pager=x log
      --no-pager diff --output=f
      --no-pager
      -p log
      fetch
      commit
      diff --output=f
      diff --output f
      log --outp=f
      show --out=f
      log --grep -- --output=f
      log -- --output=f
      diff --ext-diff
      log --ext
      show --textconv
      diff --no-index a b
      diff -Of
      diff -w=Of
      log --show-signature
      log --format=%G?
      log --pretty=%h%+GG
      log --submodule=log
      branch new
      branch new start
      branch -- new
      branch -D x
      branch -d x
      branch --delete x
      branch -m x
      branch -Mx
      branch -Cx
      branch -f x
      branch -l x
      branch -u x
      branch -v x
      branch -a new
      branch --sort --list new
      branch --format --list new
      branch -- new --list
      branch --format=%(signature)
      branch --format=%(*signature:key)
      branch --sort=-signature
      branch --edit-description`),
  )('does not pass git %s', (line) => {
    expect(judge(line)).toBe(false);
  });

  it('does not pass git alone', () => {
    expect(isHarmlessGit([])).toBe(false);
  });
});
