/** Options and words that several commands on tapes share. */
import { REPORTS } from '../diff';
import { MASKS } from '../session';
import type { Options } from './option';

/** A file that may be stdin. */
export const TAPE_FILE = { type: 'string', required: true, describe: 'A tape; - for stdin' } as const;

/** Which session of a file, `what` it is counted in. */
export const sessionOf = (what: string) =>
  ({
    type: 'number',
    from: 1,
    whole: true,
    describe: `Number of the session in ${what}, from 1. Default: the last`,
  }) as const;

/** What may differ between two runs without being reported. */
export const MASK_OPTIONS = {
  mask: { type: 'string', array: true, describe: 'Ignore differences in texts that match this regular expression' },
  unmask: {
    type: 'string',
    array: true,
    choices: MASKS,
    describe: 'Compare what is ignored by default',
  },
} as const satisfies Options;

/** How a comparison is written. */
export const REPORT_OPTION = {
  report: { type: 'string', choices: REPORTS, default: 'text', describe: 'Format of the comparison on stdout' },
} as const satisfies Options;

/** What is wrong with the first regular expression that does not compile. */
export const problemOfMasks = ({ mask }: { mask: readonly string[] }): string | undefined => {
  for (const pattern of mask) {
    try {
      new RegExp(pattern);
    } catch (error) {
      return `--mask ${pattern} cannot be used: ${error instanceof Error ? error.message : error}`;
    }
  }
  return undefined;
};

/** The masks that a comparison applies. */
export const masksOf = ({ mask, unmask }: { mask: readonly string[]; unmask: readonly (typeof MASKS)[number][] }) => ({
  names: MASKS.filter((name) => !unmask.includes(name)),
  own: mask.map((pattern) => new RegExp(pattern, 'g')),
});
