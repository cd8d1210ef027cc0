/** Masks as a command line or a file names them. */
import { toIgnoredMethod, toIgnoredPath } from './ignore';
import { MASKS, type Masks } from './mask';

/** Lists of texts by the name of their option. */
export type MaskWords = Readonly<Record<'mask' | 'unmask' | 'ignore-path' | 'ignore-method', readonly string[]>>;

/** Only the masks that always apply. */
export const NO_WORDS: MaskWords = { mask: [], unmask: [], 'ignore-path': [], 'ignore-method': [] };

/** What is wrong with the first word that cannot be used; undefined if all can be used. */
export const problemOfMasks = (words: MaskWords): string | undefined => {
  for (const pattern of words.mask) {
    try {
      new RegExp(pattern);
    } catch (error) {
      return `--mask ${pattern} cannot be used: ${(error as Error).message}`;
    }
  }
  const unknown = words.unmask.find((name) => !MASKS.some((mask) => mask === name));
  if (unknown !== undefined) return `--unmask ${unknown} is not a mask; the masks are ${MASKS.join(', ')}`;
  const path = words['ignore-path'].find((text) => toIgnoredPath(text) === undefined);
  if (path === undefined) return undefined;
  return `--ignore-path ${path} is not a path; write it as the report does, such as message.result.content[0].text`;
};

/** The masks that a comparison applies. All words must be usable. */
export const masksOf = (words: MaskWords): Masks => {
  const paths = words['ignore-path'].flatMap((text) => [toIgnoredPath(text) ?? []].filter(({ length }) => length > 0));
  const methods = words['ignore-method'].map(toIgnoredMethod);
  return {
    names: MASKS.filter((name) => !words.unmask.includes(name)),
    own: words.mask.map((pattern) => new RegExp(pattern, 'g')),
    ...((paths.length > 0 || methods.length > 0) && { ignored: { paths, methods } }),
  };
};

/** The words of several sources together. */
export const joinMaskWords = (sources: readonly MaskWords[]): MaskWords => ({
  mask: sources.flatMap(({ mask }) => mask),
  unmask: sources.flatMap(({ unmask }) => unmask),
  'ignore-path': sources.flatMap((words) => words['ignore-path']),
  'ignore-method': sources.flatMap((words) => words['ignore-method']),
});
