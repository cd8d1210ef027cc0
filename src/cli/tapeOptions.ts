/** Owns the options of the commands on tapes. */
import { AXES, MASKS, REPORTS, RUNNERS, SOURCES } from '../transcript';

/** What `record` takes. */
export const recordOptions = {
  out: { alias: 'o', type: 'string', describe: 'The tape; a session is added at its end. Default: a new file here' },
  redact: { type: 'boolean', default: false, describe: 'Take secrets out before they reach the tape' },
  quiet: {
    alias: 'q',
    type: 'boolean',
    default: false,
    describe: 'Say nothing on stderr besides what the server says',
  },
} as const;

const BOTH = 'Which tape:';
const AS_SERVER = 'As a server (without a command):';
const AS_CLIENT = 'As a client (with a command behind --):';

/** Which session of a tape. */
const sessionOption = {
  session: { group: BOTH, type: 'number', describe: 'Number of the session in the file, from 1. Default: the last' },
} as const;

/** What may differ between two runs. */
export const maskOptions = {
  mask: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'A regular expression for texts that may differ besides',
  },
  unmask: {
    type: 'string',
    array: true,
    nargs: 1,
    choices: MASKS,
    default: [] as string[],
    describe: 'Compare what is masked otherwise',
  },
} as const;

const sessionOf = (tape: string) =>
  ({ type: 'number', describe: `Number of the session in ${tape}, from 1. Default: the last` }) as const;

/** Which sessions are compared. */
export const sessionsOptions = { 'session-a': sessionOf('A'), 'session-b': sessionOf('B') } as const;

/** How a comparison is told. */
export const reportOption = {
  report: { type: 'string', choices: REPORTS, default: 'text', describe: 'How the comparison is written on stdout' },
} as const;

const inGroup = <T extends Record<string, object>>(group: string, options: T): T =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, { ...option, group }])) as T;

/** What `replay` takes. */
export const replayOptions = {
  ...sessionOption,
  'allow-redacted': {
    group: BOTH,
    type: 'boolean',
    default: false,
    describe: 'Play a tape although secrets were taken out of it',
  },
  speed: {
    group: AS_SERVER,
    type: 'string',
    default: 'max',
    describe: 'How many times as fast as recorded: 1, 10, or max for no waiting',
  },
  loop: {
    group: AS_SERVER,
    type: 'boolean',
    default: false,
    describe: 'Begin anew when a request came as often as it is recorded',
  },
  lenient: {
    group: AS_SERVER,
    type: 'boolean',
    default: false,
    describe: 'Take a request for the nearest recorded one of its method and tool, and say so on stderr',
  },
  step: {
    group: AS_SERVER,
    type: 'boolean',
    default: false,
    describe: 'Each line waits for Enter in the terminal; stderr says which is next',
  },
  'step-fd': {
    group: AS_SERVER,
    type: 'number',
    describe: 'Each line waits for a line from this descriptor: a number lets so many go, all the rest',
  },
  ...inGroup(AS_CLIENT, maskOptions),
  ...inGroup(AS_CLIENT, reportOption),
  update: { group: AS_CLIENT, type: 'boolean', default: false, describe: 'Make the tape what the command says now' },
  timeout: {
    group: AS_CLIENT,
    type: 'number',
    default: 30,
    describe: 'Seconds the command may be silent while an answer is waited for',
  },
} as const;

/** What `redact` takes. */
export const redactOptions = {
  out: { alias: 'o', type: 'string', describe: 'A new file for it. Default: stdout' },
  value: {
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'A text to remove besides, of 6 characters or more',
  },
} as const;

/** What `import` takes. */
export const importOptions = {
  from: {
    type: 'string',
    choices: SOURCES,
    default: 'auto',
    describe: 'What the file is; auto looks at its first lines',
  },
  out: { alias: 'o', type: 'string', describe: 'A new file for the tape. Default: stdout' },
} as const;

/** What `stats` takes. */
export const statsOptions = {
  ...sessionOption,
  json: { type: 'boolean', default: false, describe: 'As JSON' },
} as const;

/** What `diagram` takes. */
export const diagramOptions = {
  ...sessionOption,
  out: { alias: 'o', type: 'string', describe: 'A file for it: .html for a page, .svg for a picture. Default: stdout' },
  axis: {
    type: 'string',
    choices: AXES,
    default: AXES[0],
    describe: 'How time runs: a column a message, or by the clock',
  },
  width: { alias: 'w', type: 'number', describe: 'Characters of a line. Default: the terminal, or 80' },
} as const;

/** What `marbles` takes. */
export const marblesOptions = {
  ...sessionOption,
  from: { type: 'number', describe: 'What the client says from this time on, in ms of the tape' },
  to: { type: 'number', describe: 'What the client says up to this time' },
  thread: { type: 'string', describe: 'Only the calls in which this thread id is named' },
  against: {
    type: 'string',
    choices: ['command', 'tape'] as const,
    default: 'command',
    describe: 'What the spec runs: the command behind -- or on the tape, or the tape as a server',
  },
  runner: { type: 'string', choices: RUNNERS, default: 'node', describe: 'The test runner that the spec is for' },
  out: { alias: 'o', type: 'string', describe: 'A new file for it. Default: stdout' },
} as const;
