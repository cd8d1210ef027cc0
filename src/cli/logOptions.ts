/** The options of the log, which servers share. */
import { LOG_LEVELS } from '../protocol/log';
import type { Options } from './option';

export const LOG_OPTIONS = {
  'log-level': {
    group: 'Logging and recording:',
    type: 'string',
    choices: LOG_LEVELS,
    default: 'warning',
    describe: 'Least severe records to log',
  },
  'log-file': {
    group: 'Logging and recording:',
    type: 'string',
    describe: 'Log to this file, as JSON lines, instead of stderr',
  },
} as const satisfies Options;
