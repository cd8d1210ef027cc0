import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DISK, readIfPossible, readPromptHistory } from '../../../src/agent/wiring/disk';
import { openHome, removeHomes } from '../../support/home';

afterAll(removeHomes);

describe('DISK', () => {
  const home = openHome();
  const at = (name: string) => join(home.path, name);
  mkdirSync(at('folder'));
  writeFileSync(at('file'), 'text');
  symlinkSync(at('file'), at('link'));
  symlinkSync(at('nowhere'), at('dead'));

  it.each([
    ['file', { text: 'text', bytes: 4, folder: false, there: true, real: 'file' }],
    ['link', { text: 'text', bytes: 4, folder: false, there: true, real: 'file' }],
    ['nothing', { text: undefined, bytes: undefined, folder: false, there: false, real: 'nothing' }],
    ['dead', { text: undefined, bytes: undefined, folder: false, there: false, real: 'dead' }],
  ])('reads a %s', (name, { text, bytes, folder, there, real }) => {
    const path = at(name);
    expect([DISK.readIfThere(path), DISK.bytesOf(path), DISK.isDirectory(path), DISK.exists(path)]).toEqual([
      text,
      bytes,
      folder,
      there,
    ]);
    expect([DISK.realpath(path), readIfPossible(path)]).toEqual([at(real), text]);
  });

  it('knows a folder, which has no text', () => {
    expect([DISK.bytesOf(at('folder')), DISK.isDirectory(at('folder'))]).toEqual([undefined, true]);
    expect(() => DISK.readIfThere(at('folder'))).toThrow('EISDIR');
    expect([DISK.namesIn(at('')).includes('folder'), DISK.namesIn(at('nothing'))]).toEqual([true, []]);
    expect(readIfPossible(at('folder'))).toBeUndefined();
  });
});

const NONE = { history_log_id: 0, history_entry_count: 0 };

describe('readPromptHistory', () => {
  it.each([
    ['an empty file', '', 0],
    ['whole lines', 'a\nb\n', 2],
    ['a last line that is not whole', 'a\nb', 1],
    ['more than is read at once', `${'x'.repeat(999)}\n`.repeat(200), 200],
  ])('counts the lines of %s', (_, text, lines) => {
    const home = openHome();
    home.write('history.jsonl', text);
    const { ino } = statSync(join(home.path, 'history.jsonl'));
    expect(readPromptHistory(home.path)()).toEqual({ history_log_id: ino, history_entry_count: lines });
  });

  it('reports zeros where there is no file, and where it is a folder', () => {
    const home = openHome();
    expect(readPromptHistory(home.path)()).toEqual(NONE);
    mkdirSync(join(home.path, 'history.jsonl'));
    expect(readPromptHistory(home.path)()).toEqual(NONE);
  });
});
