/** Options and words that several commands on tapes share. */
import { REPORTS } from '../tapes/diff/toReport';
import { MASKS } from '../tapes/matching/mask';
import type { Options } from './option';

/** A file that may be stdin. */
export const TAPE_FILE = {
  type: 'string',
  required: true,
  describe: 'A tape: a file, nats://HOST/NAME, or - for stdin',
} as const;

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
  'ignore-path': {
    type: 'string',
    array: true,
    describe: 'Leave out a part of all messages, by its path in a report; [*] is any item, ** any depth',
  },
  'ignore-method': {
    type: 'string',
    array: true,
    describe: 'Leave out all messages of a method, an event or a tool, such as "tools/call now"; * is any text',
  },
} as const satisfies Options;

/** How a comparison is written. */
export const REPORT_OPTION = {
  report: { type: 'string', choices: REPORTS, default: 'text', describe: 'Format of the report on stdout' },
} as const satisfies Options;
