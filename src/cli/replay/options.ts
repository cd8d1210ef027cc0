/** The options of `codex-rx replay`, and what does not go together. */
import { isFolder } from '../../io/paths/look';
import { FAULT_SIGNS, flawOfFaults } from '../../tapes/faults/faults';
import { problemOfMasks } from '../../tapes/matching/maskWords';
import type { GivenTo } from '../command';
import { countOption, type Option, type Options, secondsOption } from '../option';
import {
  HTTP_OPTIONS,
  LIKE_OPTION,
  MASK_OPTIONS,
  problemOfListening,
  REPORT_OPTION,
  sessionOf,
  TAPE_FILE,
} from '../tapeCommand';

const BOTH = 'As both:';
const AS_SERVER = 'As a server (no command after --):';
const AS_CLIENT = 'As a client (of the command after --):';

/** The options of replay. */
export const options = {
  session: {
    ...sessionOf('the file'),
    group: BOTH,
    describe:
      'Number of the session in the file, from 1. Default: as a server, the session that begins as the client does; as a client, all',
  },
  'allow-redacted': {
    group: BOTH,
    type: 'boolean',
    describe: 'Play a tape whose secrets were removed, although its lines are not the original ones',
  },
  speed: {
    group: BOTH,
    type: 'string',
    describe:
      'How many times as fast as recorded: 1, 10, or max. Default: max, but a client waits if a server may need it',
  },
  loop: {
    group: AS_SERVER,
    type: 'boolean',
    describe: 'Start over when a request comes more often than it was recorded',
  },
  lenient: {
    group: AS_SERVER,
    type: 'boolean',
    describe: 'Answer a request that was not recorded like the nearest one of its method and tool; stderr reports it',
  },
  step: {
    group: AS_SERVER,
    type: 'boolean',
    describe: 'Send each line on Enter in the terminal; stderr shows the next one',
  },
  'step-fd': {
    group: AS_SERVER,
    type: 'number',
    from: 3,
    whole: true,
    describe: 'Send lines on demand of this file descriptor: a number of lines, or all',
  },
  faults: {
    group: AS_SERVER,
    type: 'string',
    dashed: true,
    flawOf: flawOfFaults,
    describe: `What happens to each line, in marbles: ${FAULT_SIGNS}`,
  },
  http: { ...HTTP_OPTIONS.http, group: AS_SERVER },
  'allow-host': { ...HTTP_OPTIONS['allow-host'], group: AS_SERVER },
  seed: {
    group: AS_SERVER,
    type: 'number',
    whole: true,
    default: 1,
    describe: 'Seed of the random choices of ? in --faults',
  },
  mask: { ...MASK_OPTIONS.mask, group: AS_CLIENT },
  unmask: { ...MASK_OPTIONS.unmask, group: AS_CLIENT },
  'ignore-path': { ...MASK_OPTIONS['ignore-path'], group: AS_CLIENT },
  'ignore-method': { ...MASK_OPTIONS['ignore-method'], group: AS_CLIENT },
  'allow-damaged': {
    group: AS_CLIENT,
    type: 'boolean',
    describe: 'Play a tape although some of its lines cannot be read, without these',
  },
  like: { ...LIKE_OPTION.like, group: AS_CLIENT },
  report: { ...REPORT_OPTION.report, group: AS_CLIENT },
  update: {
    group: AS_CLIENT,
    type: 'boolean',
    describe: 'Write what the command sends now into the tape; lines that do not differ stay to the byte',
  },
  jobs: {
    group: AS_CLIENT,
    alias: 'j',
    ...countOption(1, 'How many tapes of a folder are verified at once, each with a command of its own'),
  },
  times: {
    group: AS_CLIENT,
    type: 'number',
    from: 1,
    whole: true,
    describe: 'Play the tape this often, each time against a command of its own, and measure response times and memory',
  },
  parallel: { group: AS_CLIENT, ...countOption(1, 'How many of these are played at once') },
  out: {
    group: AS_CLIENT,
    alias: 'o',
    type: 'string',
    describe: 'A new file for the first of these that differs, as a tape',
  },
  timeout: { group: AS_CLIENT, ...secondsOption(30, 'Seconds to wait for the command while a response is due') },
} as const satisfies Options;

/** The tape. */
export const positionals = {
  file: { ...TAPE_FILE, describe: 'The tape; with a command also a folder of tapes, or - for stdin' },
} as const;

/** What replay runs with. */
export type Replay = GivenTo<typeof options, typeof positionals>;

/** The first option of the half of replay that does not run. */
const problemOfHalf = ({ command }: Replay, named: ReadonlySet<string>): string | undefined => {
  const [other, remedy] =
    command.length === 0
      ? [AS_CLIENT, 'is for a client: write the command of its server after --']
      : [AS_SERVER, 'is for a server: leave it out, or the command after --'];
  const found = Object.entries<Option>(options).find(([name, { group }]) => group === other && named.has(name));
  return found && `--${found[0]} ${remedy}`;
};

/** What does not go together. Without a command, stdin belongs to the client. */
export const problem = (given: Replay, named: ReadonlySet<string>): string | undefined => {
  const { file, speed, step, 'step-fd': fd, command } = given;
  if (speed !== undefined && speed !== 'max' && !(Number(speed) > 0)) return '--speed must be a number above 0, or max';
  if (file === '-' && command.length === 0) {
    return 'A server has its client on stdin, so the tape must be a file; - works with a command after --';
  }
  if (given.like !== undefined && given.update) return '--update writes what differs, so it goes without --like';
  if ((step || fd !== undefined) && (speed ?? 'max') !== 'max')
    return '--step follows no clock, so --speed must be max';
  return problemOfHalf(given, named) ?? problemOfLoad(given, named) ?? problemOfHttp(given) ?? problemOfMasks(given);
};

const problemOfLoad = ({ times, file }: Replay, named: ReadonlySet<string>): string | undefined => {
  const other = ['parallel', 'out'].find((name) => named.has(name));
  if (times === undefined) return other && `--${other} goes with --times`;
  if (isFolder(file)) return '--times takes one tape, not a folder';
  const excluded = ['update', 'jobs'].find((name) => named.has(name));
  return excluded && `--times goes without --${excluded}`;
};

const problemOfHttp = ({ http, 'allow-host': hosts, step, 'step-fd': fd }: Replay): string | undefined => {
  if (http !== undefined && (step || fd !== undefined))
    return '--step needs one client, on stdin, so it goes without --http';
  return problemOfListening(http, hosts);
};
