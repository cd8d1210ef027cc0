import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readPromptHistory } from '../../../src/agent/wiring/disk';
import { openHome, removeHomes } from '../../support/home';

const NONE = { history_log_id: 0, history_entry_count: 0 };

afterEach(removeHomes);

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
