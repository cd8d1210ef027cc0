/** Owns building the page of a tape: script and style become part of one file that needs nothing else. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '../..');

const bundled = async (entry, options) => {
  const { outputFiles } = await build({
    ...{ entryPoints: [path.join(here, entry)], bundle: true, write: false, minify: true, legalComments: 'none' },
    ...{ target: ['chrome110', 'firefox115', 'safari16.4'], logLevel: 'warning', ...options },
  });
  return outputFiles[0].text.trim();
};

const rxjs = path.join(root, 'node_modules/rxjs/dist/esm/index.js');
const script = await bundled('browser/main.ts', { format: 'iife', alias: { rxjs } });
const sheet = await bundled('browser/page.css', {});
const paletteModule = await bundled('palette.ts', { format: 'esm' });
const { GROUPS, paletteCss } = await import(`data:text/javascript,${encodeURIComponent(paletteModule)}`);

const perGroup = GROUPS.map(
  (group) => `.${group}{--fill:var(--${group}-fill);--line:var(--${group}-line);--ink:var(--${group}-ink)}`,
);
const style = [
  `:root{${paletteCss('light')}}`,
  `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${paletteCss('dark')}}}`,
  `:root[data-theme=dark]{${paletteCss('dark')}}`,
  ...perGroup,
  sheet,
].join('');

if (/<\/(script|style)/i.test(script + style)) throw new Error('the script or the style would end itself');
const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const parts = { 'SCRIPT-HASH': hash(script), 'STYLE-HASH': hash(style), STYLE: style, SCRIPT: script };
const page = readFileSync(path.join(here, 'browser/page.html'), 'utf8').replace(
  /SCRIPT-HASH|STYLE-HASH|\bSTYLE\b|\bSCRIPT\b/g,
  (name) => parts[name],
);
writeFileSync(path.join(root, 'dist/page.html'), page);
