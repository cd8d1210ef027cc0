/** Loads the masks from files next to a tape. */
import { basename, dirname, extname, join } from 'node:path';
import { isThere, readRegular } from '../../io/paths/look';
import { isObject } from '../../protocol/jsonrpc/json';
import { fileReasonOf } from '../../streams/text/reasons';
import { TapeError } from '../format/tape';
import type { Masks } from '../matching/mask';
import { joinMaskWords, type MaskWords, masksOf, NO_WORDS, problemOfMasks } from '../matching/maskWords';

const FOLDER_MASKS = 'masks.json';

/** The masks for a tape: of the command line, `masks.json` in its folder, `NAME.masks.json` next to it. Throws TapeError for a bad file. */
export const loadMasks = (...from: Parameters<typeof loadMaskWords>): Masks => masksOf(loadMaskWords(...from));

/** The same as words. */
export const loadMaskWords = (remark: (text: string) => void, path: string, words: MaskWords): MaskWords => {
  const files = path === '-' ? [] : maskFilesOf(path).filter(isThere);
  for (const file of files) remark(`the masks of ${file} apply`);
  return joinMaskWords([words, ...files.map(readWords)]);
};

const maskFilesOf = (path: string): string[] => {
  const folder = dirname(path);
  return [join(folder, FOLDER_MASKS), join(folder, `${basename(path, extname(path))}.masks.json`)];
};

const readWords = (file: string): MaskWords => {
  const value = parse(file);
  if (!isObject(value))
    throw new TapeError(`${file} must hold a JSON object, such as {"ignore-path":["result.version"]}`);
  const unknown = Object.keys(value).find((name) => !(name in NO_WORDS));
  if (unknown !== undefined) {
    throw new TapeError(`${file} has the unknown member ${unknown}; it may have ${Object.keys(NO_WORDS).join(', ')}`);
  }
  const broken = Object.entries(value).find(([, texts]) => !isListOfTexts(texts));
  if (broken !== undefined) throw new TapeError(`${file}: ${broken[0]} must be a list of texts`);
  const words: MaskWords = { ...NO_WORDS, ...(value as Partial<MaskWords>) };
  const problem = problemOfMasks(words);
  if (problem !== undefined) throw new TapeError(`${file}: ${problem.replace(/^--/, '')}`);
  return words;
};

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

const parse = (file: string): unknown => {
  try {
    return JSON.parse(readRegular(file));
  } catch (error) {
    throw new TapeError(`${file} cannot be read: ${fileReasonOf(error)}`);
  }
};
