import { closeSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openToAppend } from '../../src/app/openToAppend';

describe('openToAppend', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'codex-rx-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const append = (path: string, text: string) => {
    const fd = openToAppend(path);
    writeSync(fd, text);
    closeSync(fd);
  };

  it('makes a private file, and adds to it', () => {
    const path = join(folder, 'a');
    append(path, 'one');
    append(path, 'two');
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['onetwo', 0o600]);
  });

  it('makes a file private that others could read', () => {
    const path = join(folder, 'a');
    writeFileSync(path, '', { mode: 0o644 });
    append(path, 'x');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('refuses a link, and leaves alone what it leads to', () => {
    const [path, target] = [join(folder, 'link'), join(folder, 'target')];
    writeFileSync(target, 'kept');
    symlinkSync(target, path);
    expect(() => append(path, 'x')).toThrow(`${path} is a link; name the file that it leads to`);
    expect(readFileSync(target, 'utf8')).toBe('kept');
  });

  it('refuses a link to nothing', () => {
    symlinkSync(join(folder, 'new'), join(folder, 'link'));
    expect(() => append(join(folder, 'link'), 'x')).toThrow(/is a link/);
  });

  it('opens a device', () => {
    const fd = openToAppend('/dev/null');
    closeSync(fd);
    expect(fd).toBeGreaterThan(2);
  });
});
