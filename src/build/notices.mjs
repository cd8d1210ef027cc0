/** The notices of the packages whose code stands in `dist/`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './root.mjs';

/** The package that a file belongs to, '' for our own. */
const packageOf = (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file)?.[1] ?? '';

const noticeOf = (name) => {
  const folder = path.join(root, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (texts.length === 0) throw new Error(`${name} ${version} is bundled and brings no licence text`);
  const text = texts.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()).join('\n\n');
  return `${name} ${version} (${license})\n\n${text}\n`;
};

/** The text of THIRD-PARTY-NOTICES: each package once, by name, with its licence as it stands. */
export const toNotices = (inputs) => {
  const names = [...new Set(inputs.map(packageOf))].filter((name) => name !== '').sort();
  const head = 'codex-rx contains code of these packages.\n';
  return [head, ...names.map(noticeOf)].join(`\n${'-'.repeat(80)}\n\n`);
};
