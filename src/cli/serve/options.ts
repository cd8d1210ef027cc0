/** The options of the server. */
import { FACES, TOOL_SETS } from '../../server/faces/faceOf';
import { THREAD_ID_IN_TEXT } from '../../server/mcp/toCallResult';
import { EVENTS } from '../../server/mcp/toMessages';
import { ENGINES } from '../../tapes/seams/ports';
import { LOG_OPTIONS, overrideOption } from '../commonOptions';
import { type Options, secondsOption } from '../option';
import { CODEX_FLAGS, type CodexFlags, problemOfFlags } from './codexFlags';

const SETTINGS = 'Settings of every thread:';
const CEILING = 'What a call may change (-c, --sandbox and -a are a ceiling):';
const TAPE = 'Engine tape:';
const CLIENT = 'What the client gets:';
const LIMITS = 'Time limits:';

export const SERVE_OPTIONS = {
  config: {
    group: SETTINGS,
    ...overrideOption('Set a key of config.toml for every thread: -c model_reasoning_effort=high'),
  },
  model: { group: SETTINGS, alias: 'm', type: 'string', describe: 'Model of every thread' },
  profile: { group: SETTINGS, alias: 'p', type: 'string', describe: 'Profile of config.toml for every thread' },
  lock: {
    group: CEILING,
    type: 'boolean',
    describe: 'Make config.toml a ceiling too, and the working folder: a call may only be stricter',
  },
  'allow-call-override': {
    group: CEILING,
    type: 'boolean',
    describe: 'Let a call set looser policies and modes than this command line, as Codex does',
  },
  'allow-call-config': {
    group: CEILING,
    type: 'string',
    array: true,
    describe: 'Let calls set this key in config too, although it may run programs or move credentials: mcp_servers',
  },
  engine: {
    group: SETTINGS,
    type: 'string',
    choices: ENGINES,
    default: 'auto',
    describe:
      'What runs the threads: native (this process), app-server (an installed Codex), tape (a recording), or auto: an installed Codex that is ready to use, else native',
  },
  codex: {
    group: SETTINGS,
    type: 'string',
    describe: 'Executable of the installed Codex. Default: $CODEX_BIN, then PATH, then the global folder of npm',
  },
  tape: { group: TAPE, type: 'string', describe: 'The tape whose recorded threads --engine tape plays' },
  'tape-speed': {
    group: TAPE,
    type: 'string',
    default: 'max',
    describe: 'How many times as fast as recorded: 1, 10, or max for no waiting',
  },
  'tape-match': {
    group: TAPE,
    type: 'string',
    choices: ['strict', 'next'],
    default: 'strict',
    describe: 'strict: a call plays the recorded call with the same prompt; next: any prompt plays the next call',
  },
  face: {
    group: CLIENT,
    type: 'string',
    choices: FACES,
    default: 'union',
    describe: 'Shape of tools, events and results: as in one old release of Codex, or the union of both',
  },
  events: {
    group: CLIENT,
    type: 'string',
    choices: EVENTS,
    default: 'auto',
    describe:
      'Send every event of a turn as a codex/event notification, send none, or auto: send them to all clients except clients that would only report them as unknown',
  },
  'thread-id-in-text': {
    group: CLIENT,
    type: 'string',
    choices: THREAD_ID_IN_TEXT,
    default: 'auto',
    describe:
      'Add the thread id to the text of a result: always, never, or auto: for a client that does not read structuredContent, and to failures',
  },
  'task-after': {
    group: CLIENT,
    type: 'string',
    default: '2',
    describe:
      'Seconds after which a call is answered by a task, if its client knows tasks: 2, 0 for at once, or never; see docs/tasks.md',
  },
  'answer-within': {
    group: CLIENT,
    type: 'number',
    above: 0,
    describe:
      'Seconds after which a call without a task is answered by what was done so far, for a client that waits no longer; the tool codex-wait gives the rest',
  },
  tools: {
    group: CLIENT,
    type: 'string',
    choices: TOOL_SETS,
    default: 'codex',
    describe: 'Which tools are offered: codex and codex-reply, or extended: codex-interrupt and codex-threads too',
  },
  'offer-tapes': {
    group: CLIENT,
    type: 'string',
    describe: 'Let clients read the tapes in this folder as resources, without known secrets',
  },
  'tasks-outlive': {
    group: LIMITS,
    type: 'number',
    from: 0,
    default: 0,
    describe: 'Seconds that open tasks go on when the client has left; then they are stopped',
  },
  'ask-timeout': {
    group: LIMITS,
    ...secondsOption(600, 'Seconds to wait for the response to an approval request; then it counts as declined'),
  },
  'call-timeout': { group: LIMITS, ...secondsOption(3600, 'Seconds a turn may take; then it is stopped') },
  'max-tokens': {
    group: LIMITS,
    type: 'number',
    above: 0,
    whole: true,
    describe: 'Tokens after which a turn is stopped: same as -c max_tokens_per_turn=…; a call may only lower it',
  },
  'keep-threads': {
    group: LIMITS,
    type: 'number',
    above: 0,
    default: 1800,
    describe:
      'Seconds that an unused thread stays in memory, with its approvals and MCP servers; then it is read from disk',
  },
  'model-timeout': {
    group: LIMITS,
    ...secondsOption(60, 'Seconds an installed Codex may try to reach its model; then the turn is stopped'),
  },
  ...LOG_OPTIONS,
  record: {
    group: LOG_OPTIONS['log-level'].group,
    type: 'string',
    describe: 'Record the session on this tape: the wire, the model, the commands; see docs/tapes.md',
  },
  ...CODEX_FLAGS,
} as const satisfies Options;

/** What is wrong with options that fit one by one. */
export const problemOfServer = (
  given: CodexFlags & { engine: string; tape: string | undefined; 'tape-speed': string },
): string | undefined => {
  const { engine, tape, 'tape-speed': speed } = given;
  if (engine === 'tape' && tape === undefined) return '--engine tape needs a tape: add --tape FILE';
  if (speed !== 'max' && !(Number(speed) > 0)) return '--tape-speed must be a number above 0, or max';
  return problemOfFlags(given);
};
