/** Puts data into a page so that nothing in it can act as markup or as a script. */
import type { PageData } from '../page/data';
import { escapeXml } from './xml';

const UNSAFE: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON without any character that has a meaning in HTML; it is still JSON. */
const toSafeJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => UNSAFE[char] ?? char);

/** Where the data and the title go. */
const TITLE = '<title></title>';
const DATA = '{"data":"none"}';

/** The page of a tape. @param template the page without its data, as the build made it */
export const toPage = (template: string, data: PageData): string => {
  const [beforeTitle, afterTitle] = splitAt(template, TITLE);
  const [beforeData, afterData] = splitAt(afterTitle, DATA);
  const title = `<title>${escapeXml(data.title)} · codex-rx</title>`;
  return [beforeTitle, title, beforeData, toSafeJson(data), afterData].join('');
};

const splitAt = (text: string, at: string): [string, string] => {
  const place = text.indexOf(at);
  if (place < 0) throw new Error(`the built page has no ${at}: run npm run build again`);
  return [text.slice(0, place), text.slice(place + at.length)];
};
