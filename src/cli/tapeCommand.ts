/** What several commands on tapes share: options, words, NATS, and what they need of this process. */
import type { LoadDeps } from '../app/tapes/loadTape';
import { natsHere } from '../fleet/link/connectNats';
import { problemOfHttp } from '../io/mcpServer/httpAddress';
import { lazy } from '../streams/lazy';
import { REPORTS } from '../tapes/diff/toReport';
import { MASKS } from '../tapes/matching/mask';
import { plainOptions } from './commonOptions';
import { remarkAs } from './ending';
import type { Options } from './option';
import { thisProcess } from './thisProcess';

/** Where to listen, and under which names. */
export const HTTP_OPTIONS = {
  http: {
    type: 'string',
    describe: 'Where clients connect over HTTP: a port, or IP:PORT; port 0 is any free one, which stderr names',
  },
  'allow-host': {
    type: 'string',
    array: true,
    describe: 'A host name, besides localhost, that clients may use; needed if other machines can reach IP',
  },
} as const satisfies Options;

/** What is wrong with the address and the names; undefined if nothing is. */
export const problemOfListening = (http: string | undefined, hosts: readonly string[]): string | undefined => {
  if (http !== undefined) return problemOfHttp(http, hosts);
  return hosts.length > 0 ? '--allow-host goes with --http' : undefined;
};

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

/** A second recording, from which a comparison learns. */
export const LIKE_OPTION = {
  like: {
    type: 'string',
    describe: 'Another recording of the same behaviour: what differs between it and the tape may differ',
  },
} as const satisfies Options;

/** How a comparison is written. */
export const REPORT_OPTION = {
  report: { type: 'string', choices: REPORTS, default: 'text', describe: 'Format of the report on stdout' },
} as const satisfies Options;

/** stdin, remarks on stderr, and NATS as the configuration says, for the command of this name. */
export const tapeDeps = (command: string): LoadDeps => ({
  stdin: process.stdin,
  remark: remarkAs(command),
  nats: natsOf(command),
});

/** Losses and returns of the connection become remarks of the command. The configuration, and with it a home, is needed by the first address only. */
export const natsOf = (command: string): ReturnType<typeof natsHere> => {
  const open = lazy(() =>
    natsHere({
      processInfo: thisProcess(),
      options: plainOptions,
      log: (level, message) => level !== 'debug' && remarkAs(command)(message),
    }),
  );
  return (address) => open()(address);
};
