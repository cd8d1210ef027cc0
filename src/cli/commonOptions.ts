/** Options that several commands share: the log, `-c`, and the options of the server for a command that serves no client. */
import type { showConfig } from '../app/configHere';
import { isFolder } from '../io/paths/look';
import { LOG_LEVELS } from '../protocol/log';
import { splitOverride } from '../streams/text/words';
import type { ListOption, Options } from './option';

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

/** A flag that sets nothing is a wrong use of the command: with it no thread could begin. */
export const overrideOption = (describe: string) =>
  ({
    alias: 'c',
    type: 'string',
    array: true,
    describe,
    problemOf: (text) => {
      const split = splitOverride(text);
      return typeof split === 'string' ? split : undefined;
    },
  }) as const satisfies ListOption;

/** A folder to work in. A folder that is not there is a wrong use of the command. */
export const folderOption = (describe: string) =>
  ({
    alias: 'C',
    type: 'string',
    describe,
    flawOf: (path) => (isFolder(path) ? undefined : `must be an existing folder; ${path} is not one`),
  }) as const satisfies Options[string];

/** The options of the server for a command that serves no client. */
const LIMIT_MS = 60_000;

export const plainOptions: Parameters<typeof showConfig>[0]['options'] = {
  engine: 'native',
  tape: { speed: 'max', match: 'strict' },
  modelTimeoutMs: LIMIT_MS,
  turnTimeoutMs: LIMIT_MS,
  overrides: [],
};
