/** Owns the one table of the server's options; both parsers read it. */

import { ENGINES, type EngineName } from '../app';
import { LOG_LEVELS } from '../log';
import { FACES } from '../server/mcp';

const SETTINGS = 'Settings of every thread:';
const PLAYING = 'Engine tape:';
const WIRE = 'What the client sees:';
const TIMES = 'Time limits:';
const LIMITS = 'Limits:';
const LISTENING = 'Clients:';
const LOGGING = 'Logging and recording:';

/** Seconds and names as a person types them; see `--help`. */
export const serveOptions = {
  config: {
    group: SETTINGS,
    alias: 'c',
    type: 'string',
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: 'Set a key of config.toml, for every thread: -c model_reasoning_effort=high',
  },
  model: { group: SETTINGS, alias: 'm', type: 'string', describe: 'Model for every thread' },
  profile: { group: SETTINGS, alias: 'p', type: 'string', describe: 'Profile of config.toml for every thread' },
  engine: {
    group: SETTINGS,
    type: 'string',
    choices: ENGINES,
    default: 'auto',
    describe:
      'What runs the conversations: native (in this process), app-server (an installed Codex), tape (a recording), or auto: a Codex that is logged in, else native',
  },
  codex: {
    group: SETTINGS,
    type: 'string',
    describe: 'Executable of the installed Codex; else $CODEX_BIN, then PATH, then where npm installs globally',
  },
  tape: { group: PLAYING, type: 'string', describe: 'The tape whose recorded conversations --engine tape plays' },
  'tape-speed': {
    group: PLAYING,
    type: 'string',
    default: 'max',
    describe: 'How many times as fast as recorded: 1, 10, or max for no waiting',
  },
  'tape-match': {
    group: PLAYING,
    type: 'string',
    choices: ['strict', 'next'],
    default: 'strict',
    describe: 'strict: a call plays the recorded one with its prompt; next: any prompt plays the next one',
  },
  face: {
    group: WIRE,
    type: 'string',
    choices: FACES,
    default: 'union',
    describe: 'Shapes of tools, events and results: of both old releases together, or of one of them',
  },
  events: {
    group: WIRE,
    type: 'string',
    choices: ['codex', 'none'],
    default: 'codex',
    describe: 'Send every event of the agent as a codex/event notification, or none',
  },
  'ask-timeout': {
    group: TIMES,
    type: 'number',
    default: 600,
    describe: 'Seconds to wait for the answer to an approval; then it counts as declined',
  },
  'call-timeout': {
    group: TIMES,
    type: 'number',
    default: 3600,
    describe: 'Seconds a turn may take; then it is stopped',
  },
  'model-timeout': {
    group: TIMES,
    type: 'number',
    default: 60,
    describe: 'Seconds an installed Codex may try to reach its model; then the turn is stopped',
  },
  'log-level': {
    group: LOGGING,
    type: 'string',
    choices: LOG_LEVELS,
    default: 'warning',
    describe: 'Least severe record that is logged',
  },
  'log-file': { group: LOGGING, type: 'string', describe: 'Log to this file, as JSON lines, instead of stderr' },
  record: {
    group: LOGGING,
    type: 'string',
    describe: 'Record the session on this tape: the wire, the model, the commands; see docs/tapes.md',
  },
} as const;

export type ServeArguments = {
  config: string[];
  model?: string;
  profile?: string;
  engine: EngineName;
  codex?: string;
  tape?: string;
  'tape-speed': string;
  'tape-match': 'strict' | 'next';
  face: (typeof FACES)[number];
  events: string;
  'ask-timeout': number;
  'call-timeout': number;
  'model-timeout': number;
  'log-level': (typeof LOG_LEVELS)[number];
  'log-file'?: string;
  record?: string;
};

/** What holds when nothing is said. */
export const defaults = (): ServeArguments =>
  Object.fromEntries(
    Object.entries(serveOptions).flatMap(([name, option]) => ('default' in option ? [[name, option.default]] : [])),
  ) as ServeArguments;

/** What `demo` takes. */
export const demoOptions = {
  ask: { type: 'boolean', default: false, describe: 'Ask you, instead of saying yes: y or n on the terminal' },
  raw: { type: 'boolean', default: false, describe: 'Show the JSON lines of the wire instead of marbles' },
  keep: { type: 'boolean', default: false, describe: 'Keep the temporary folders' },
} as const;

/** What `exec-server` takes. */
export const execOptions = {
  listen: {
    group: LISTENING,
    type: 'string',
    default: 'stdio',
    describe: 'Where clients are: stdio (the standard streams), or ws://IP:PORT (port 0: any that is free)',
  },
  'token-file': {
    group: LISTENING,
    type: 'string',
    describe: 'A client must know the word in this file (mode 0600); needed where other machines can reach IP',
  },
  'session-grace-s': {
    group: LISTENING,
    type: 'number',
    default: 30,
    describe: 'Seconds that processes go on after their connection was lost, for the client to come back',
  },
  'max-connections': { group: LIMITS, type: 'number', default: 128, describe: 'Connections at once' },
  'max-sessions': {
    group: LIMITS,
    type: 'number',
    default: 256,
    describe: 'Sessions at once, with those that wait for their client',
  },
  'max-processes': { group: LIMITS, type: 'number', default: 512, describe: 'Processes that may run at once' },
  'retain-mb': {
    group: LIMITS,
    type: 'number',
    default: 64,
    describe: 'MB of output kept for later reads over all processes; of one process at most 1',
  },
  'log-level': serveOptions['log-level'],
  'log-file': serveOptions['log-file'],
} as const;

/** An engine that plays a tape needs one, and a pace. Throws what is wrong. */
export const hasTape = (args: Record<string, unknown>): true => {
  const { engine, tape, 'tape-speed': speed } = args;
  if (engine === 'tape' && !tape) throw new Error('--engine tape needs a tape: --tape FILE');
  if (speed !== 'max' && !(Number(speed) > 0)) throw new Error('--tape-speed must be a number above 0, or max');
  return true;
};
