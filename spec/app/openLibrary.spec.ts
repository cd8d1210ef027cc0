import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Wiring } from '../../src/agent/wiring/wiring';
import { openLibrary } from '../../src/app/openLibrary';
import type { Chance } from '../../src/tapes/format/seams';
import { openFolder, removeFolders } from '../support/files';

afterEach(removeFolders);

const host = () => {
  throw new Error('no machine behind this double');
};

const wiringWith = (parts: object): Wiring => ({ processInfo: { codexHome: homeWithPrompt() }, ...parts }) as never;

const homeWithPrompt = (): string => {
  const home = openFolder();
  mkdirSync(join(home, 'prompts'));
  writeFileSync(join(home, 'prompts', 'a.md'), 'A');
  return home;
};

describe('openLibrary', () => {
  it('records what it finds', () => {
    const lines: string[] = [];
    const tape = ({ line }: { line: string }) => void lines.push(line);
    const { hasPrompts, prompts } = openLibrary(wiringWith({ tape }), host);
    expect([hasPrompts(), prompts()]).toEqual([true, [{ name: 'a', text: 'A' }]]);
    expect(lines).toEqual(['["hasPrompts",true]', '["prompts",[{"name":"a","text":"A"}]]']);
  });

  it('finds in a rerun what is on the tape, and nothing on the disk', () => {
    const drawn: string[] = [];
    const chance: Chance = (name, draw) => () => {
      drawn.push(name);
      return draw();
    };
    const seams = { chance } as never;
    const library = openLibrary(wiringWith({ seams }), host);
    expect([library.hasPrompts(), library.hasThreads(), library.hasTapes()]).toEqual([false, false, false]);
    expect([library.prompts(), library.folders('/')]).toEqual([[], []]);
    expect(drawn).toEqual(['hasPrompts', 'hasThreads', 'hasTapes', 'prompts', 'folders']);
  });
});
