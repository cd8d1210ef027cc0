/** Builds the page that shows a tape: script and style become part of one file that needs nothing else. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { root, rxjs } from '../../../build/root.mjs';

const here = path.join(root, 'src/tapes/page');

/** The text of a bundle, and the files that went into it. */
const bundle = async (entry, options) => {
  const { outputFiles, metafile } = await build({
    ...{ entryPoints: [path.join(here, entry)], bundle: true, write: false, minify: true, legalComments: 'none' },
    ...{ target: ['chrome110', 'firefox115', 'safari16.4'], logLevel: 'warning', metafile: true, ...options },
  });
  return { text: outputFiles[0].text.trim(), inputs: Object.keys(metafile.inputs) };
};

const hash = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The style: the colours of both schemes, those of each group of lanes, the sheet. */
const toStyle = async () => {
  const palette = await bundle('palette.ts', { format: 'esm' });
  const { GROUPS, paletteCss } = await import(`data:text/javascript,${encodeURIComponent(palette.text)}`);
  return [
    `:root{${paletteCss('light')}}`,
    `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){${paletteCss('dark')}}}`,
    `:root[data-theme=dark]{${paletteCss('dark')}}`,
    ...GROUPS.map(
      (group) => `.${group}{--fill:var(--${group}-fill);--line:var(--${group}-line);--ink:var(--${group}-ink)}`,
    ),
    (await bundle('browser/page.css', {})).text,
  ].join('');
};

/** Writes dist/page.html. Returns the files that went into it. */
export const buildPage = async () => {
  const { text: script, inputs } = await bundle('browser/main.ts', { format: 'iife', alias: { rxjs } });
  const style = await toStyle();
  if (/<\/(script|style)/i.test(script + style)) throw new Error('the script or the style would end itself');
  const parts = { 'SCRIPT-HASH': hash(script), 'STYLE-HASH': hash(style), STYLE: style, SCRIPT: script };
  const page = readFileSync(path.join(here, 'browser/page.html'), 'utf8').replace(
    /SCRIPT-HASH|STYLE-HASH|\bSTYLE\b|\bSCRIPT\b/g,
    (name) => parts[name],
  );
  writeFileSync(path.join(root, 'dist/page.html'), page);
  return inputs;
};
