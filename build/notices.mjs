/**
 * The notices of the packages whose code is in `dist/`. Own code: programs that list licences read what is installed; this reads what esbuild has put
 * into `dist/`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/** The folder of the package that a file belongs to, from the first `node_modules` on; '' for our own files. Two versions have two folders. */
const folderOf = (file) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0] ?? '';

const noticeOf = (packageFolder) => {
  const folder = path.join(root, packageFolder);
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled and brings no licence text`);
  const text = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
  return `${name} ${version} (${license})\n\n${text}\n`;
};

/** The text of THIRD-PARTY-NOTICES: each package once, by name, with the text of its licence. */
export const toNotices = (inputs) => {
  const folders = [...new Set(inputs.map(folderOf))].filter((folder) => folder !== '').sort();
  const head = 'codex-rx contains code of these packages.\n';
  return [head, ...new Set(folders.map(noticeOf).sort())].join(`\n${'-'.repeat(80)}\n\n`);
};
