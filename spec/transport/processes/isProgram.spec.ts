import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isProgram } from '../../../src/transport/processes/isProgram';

const folder = mkdtempSync(join(tmpdir(), 'codex-rx-program-'));
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  for (const name of ['run', 'text']) writeFileSync(path(name), '');
  chmodSync(path('run'), 0o755);
  chmodSync(path('text'), 0o644);
  mkdirSync(path('folder'));
  symlinkSync(path('run'), path('link'));
  symlinkSync(path('gone'), path('broken'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('isProgram', () => {
  it.each([
    ['a file that may be run', 'run', true],
    ['a link to one', 'link', true],
    ['a file that may not', 'text', false],
    ['a folder', 'folder', false],
    ['a link to nothing', 'broken', false],
    ['nothing', 'gone', false],
  ])('judges %s', (_, name, expected) => {
    expect(isProgram(path(name))).toBe(expected);
  });
});
