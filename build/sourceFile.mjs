/** Finds the source that an import names. */
import { existsSync } from 'node:fs';
import path from 'node:path';

/** The path of the file that `./x` means in a folder: `x.ts`, or the door of `x`. */
export const sourceFile = (folder, to) => {
  const file = path.resolve(folder, to);
  const source = [`${file}.ts`, path.join(file, 'index.ts')].find((name) => existsSync(name));
  if (source === undefined) throw new Error(`no source ${to} in ${folder}`);
  return source;
};
