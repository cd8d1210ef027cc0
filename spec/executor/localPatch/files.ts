/** A folder of its own for each spec, and what is in it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A new folder, without links in its path; removed after all specs of the file. */
export const newFolder = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-patch-')));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const put = (folder: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
};

/** All regular files below a folder, by their path in it. */
export const textsIn = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
