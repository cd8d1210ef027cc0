import fs from 'node:fs';
import { join } from 'node:path';
import { privateFiles } from '../../src/io/files/privateFiles';
import { type KeepPromptDeps, keepPrompt, type Prompt } from '../../src/threads/keepPrompt';
import { lockDeps, openFolder, removeFolders } from '../support/files';
import { marbles } from '../support/marbles';

afterEach(removeFolders);

/** A home of Codex; another process has the file locked as often as `busy` says. */
const around = (busy = 0, more: Partial<KeepPromptDeps> = {}) => {
  const home = openFolder();
  const failed: string[] = [];
  const asked = Array.from({ length: 20 }, (_, n) => (n < busy ? 99 : undefined));
  const deps: KeepPromptDeps = {
    files: privateFiles(lockDeps(home)),
    home,
    systemLock: () => asked.shift(),
    now: () => 1_700_000_000_900,
    failed: (reason) => failed.push(reason),
    ...more,
  };
  const path = join(home, 'history.jsonl');
  return {
    keep: keepPrompt(deps),
    failed,
    path,
    text: () => (fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : ''),
  };
};

const prompt = (text: string, maxBytes?: number): Prompt => ({
  threadId: 't1',
  text,
  ...(maxBytes !== undefined && { maxBytes }),
});

const lineOf = (text: string) => `{"session_id":"t1","ts":1700000000,"text":${JSON.stringify(text)}}\n`;

describe('keepPrompt', () => {
  it('appends one line per prompt to a private file', () => {
    const { keep, path, text } = around();
    for (const one of ['first', 'two\nlines']) keep(prompt(one)).subscribe();
    expect(text()).toBe(lineOf('first') + lineOf('two\nlines'));
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
  });

  it(
    'completes at once, or when the lock of another process is free',
    marbles(({ expectObservable, flush }) => {
      const [free, busy] = [around(), around(2)];
      expectObservable(free.keep(prompt('now'))).toBe('|');
      expectObservable(busy.keep(prompt('later'))).toBe('200ms |');
      flush();
      expect([free.text(), busy.text(), busy.failed]).toEqual([lineOf('now'), lineOf('later'), []]);
    }),
  );

  it(
    'gives up after ten tries, and reports it',
    marbles(({ expectObservable, flush }) => {
      const { keep, failed, text } = around(20);
      expectObservable(keep(prompt('never'))).toBe('900ms |');
      flush();
      expect([failed, text()]).toEqual([['another process has the file locked'], '']);
    }),
  );

  it(
    'writes nothing after it was unsubscribed',
    marbles(({ expectObservable, flush }) => {
      const { keep, failed, text } = around(1);
      expectObservable(keep(prompt('gone')), '50ms !').toBe('-');
      flush();
      expect([failed, text()]).toEqual([[], '']);
    }),
  );

  it('drops the oldest lines of a file that is larger than it may be, and keeps the last one', () => {
    const { keep, text } = around();
    const bytes = lineOf('1').length;
    for (const one of ['1', '2', '3', '4', '5']) keep(prompt(one, bytes * 5)).subscribe();
    expect(text().split('\n')).toHaveLength(6);
    keep(prompt('6', bytes * 5)).subscribe();
    expect(text()).toBe(['3', '4', '5', '6'].map(lineOf).join(''));
    keep(prompt('7', 1)).subscribe();
    expect(text()).toBe(lineOf('7'));
  });

  it('reports a file that cannot be written, and a link, and completes', () => {
    const { keep, failed, path } = around();
    fs.symlinkSync('/etc/hostname', path);
    marbles(({ expectObservable }) => expectObservable(keep(prompt('x'))).toBe('|'))();
    expect(failed).toHaveLength(1);
    expect(failed[0]).toContain('history.jsonl');
  });
});
