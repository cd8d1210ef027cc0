/** The table of commands. Each is loaded when it is first needed; the server alone is loaded with the program. */
import type { AnyCommand } from './command';
import { mcpServer } from './commands/mcpServer';

type Entry = {
  summary: string;
  /** What the help writes after the name. */
  words?: string;
  load: () => AnyCommand;
};

/** The command of a command line that names none. */
export const DEFAULT_COMMAND = 'mcp-server';

/** Other names of commands. `mcp` was the server in Codex 0.28.0; here too, if no action of the command `mcp` follows, see findCommand. */
export const ALIASES: Readonly<Record<string, string>> = { mcp: DEFAULT_COMMAND };

/** All commands by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  [DEFAULT_COMMAND]: {
    summary: 'Serve the tools codex and codex-reply to an MCP client on stdin and stdout',
    load: () => mcpServer,
  },
  acp: {
    summary: 'Serve the agent to an editor that speaks the Agent Client Protocol, on stdin and stdout',
    load: () => (require('./commands/acp') as typeof import('./commands/acp')).acp,
  },
  run: {
    summary: 'Run one turn in the terminal: questions there, the answer on stdout',
    words: '[prompt..]',
    load: () => (require('./commands/run') as typeof import('./commands/run')).run,
  },
  doctor: {
    summary: 'Show what is found on this machine, what is chosen and why',
    load: () => (require('./commands/doctor') as typeof import('./commands/doctor')).doctor,
  },
  init: {
    summary: 'Give an MCP client the entry that starts this server, record its servers, or undo that',
    words: '[client] [name]',
    load: () => (require('./commands/init') as typeof import('./commands/init')).init,
  },
  login: {
    summary: 'Log in with a ChatGPT account or an API key, or show who is logged in',
    words: '[status]',
    load: () => (require('./commands/login') as typeof import('./commands/login')).login,
  },
  logout: {
    summary: 'Forget the login',
    load: () => (require('./commands/login') as typeof import('./commands/login')).logout,
  },
  mcp: {
    summary: 'List the MCP servers of config.toml, log in at one behind a URL, or forget that login',
    words: '<list|login|logout> [name]',
    load: () => (require('./commands/mcp') as typeof import('./commands/mcp')).mcp,
  },
  threads: {
    summary: 'List, show, export, fork, archive or remove the stored threads',
    words: '[action] [id]',
    load: () => (require('./commands/threads') as typeof import('./commands/threads')).threads,
  },
  tasks: {
    summary: 'List, show, answer or cancel the tasks that clients handed over',
    words: '[action] [id]',
    load: () => (require('./commands/tasks') as typeof import('./commands/tasks')).tasks,
  },
  demo: {
    summary: 'Show a whole session with an embedded model, in marbles; needs no network and no key',
    load: () => (require('./commands/demo') as typeof import('./commands/demo')).demo,
  },
  record: {
    summary: 'Record the traffic between a client and any server, on stdio or HTTP',
    load: () => (require('./commands/record') as typeof import('./commands/record')).record,
  },
  replay: {
    summary: 'Play a tape: as the server of a client, or as the client of a server',
    words: '<file>',
    load: () => (require('./commands/replay') as typeof import('./commands/replay')).replay,
  },
  tapes: {
    summary: 'Search and prune a folder of tapes; list, copy or remove the tapes that a team keeps on a NATS server',
    words: '<action> <from> [to]',
    load: () => (require('./commands/tapes') as typeof import('./commands/tapes')).tapes,
  },
  diff: {
    summary: 'Compare two tapes, or two sessions of one',
    words: '<a> <b>',
    load: () => (require('./commands/diff') as typeof import('./commands/diff')).diff,
  },
  drift: {
    summary: 'Compare what two releases of a server offer: what breaks its clients, for a changelog',
    words: '<old> <new>',
    load: () => (require('./commands/drift') as typeof import('./commands/drift')).drift,
  },
  fork: {
    summary: 'Play a tape up to a line against a server, and hand the server over to a live client',
    words: '<file>',
    load: () => (require('./commands/fork') as typeof import('./commands/fork')).fork,
  },
  rerun: {
    summary: 'Run the recorded daemon again from its tape: the same to the byte, or with another model or policy',
    words: '<file>',
    load: () => (require('./commands/rerun') as typeof import('./commands/rerun')).rerun,
  },
  shrink: {
    summary: 'Find the few requests of a tape at which a server differs or crashes',
    words: '<file>',
    load: () => (require('./commands/shrink') as typeof import('./commands/shrink')).shrink,
  },
  fuzz: {
    summary: 'Send a server changed requests of a tape: crashes, hangs and breaks of the protocol',
    words: '<file>',
    load: () => (require('./commands/fuzz') as typeof import('./commands/fuzz')).fuzz,
  },
  conform: {
    summary: 'Check any MCP server against the specification, by revision and sentence, for CI',
    load: () => (require('./commands/conform') as typeof import('./commands/conform')).conform,
  },
  check: {
    summary: 'Find hung calls, errors, slow and forbidden calls and changed tools in tapes, for CI',
    words: '<file>',
    load: () => (require('./commands/check') as typeof import('./commands/check')).check,
  },
  stats: {
    summary: 'Count what a tape holds: lines, bytes, response times',
    words: '<file>',
    load: () => (require('./commands/stats') as typeof import('./commands/stats')).stats,
  },
  diagram: {
    summary: 'Draw a tape in marbles, for a terminal, as SVG or as a page',
    words: '<file>',
    load: () => (require('./commands/diagram') as typeof import('./commands/diagram')).diagram,
  },
  marbles: {
    summary: 'Write a tape as a spec in marbles, which runs against a server',
    words: '<file>',
    load: () => (require('./commands/marbles') as typeof import('./commands/marbles')).marbles,
  },
  redact: {
    summary: 'Remove keys, tokens, home folders and e-mail addresses from a tape, to share it',
    words: '<file>',
    load: () => (require('./commands/redact') as typeof import('./commands/redact')).redact,
  },
  import: {
    summary: 'Make a tape of a session file of Codex, or of a capture of another recorder',
    words: '<file>',
    load: () => (require('./commands/import') as typeof import('./commands/import')).importTape,
  },
  explain: {
    summary: 'Show whether a command would run, run in the sandbox, be asked about or be refused',
    load: () => (require('./commands/explain') as typeof import('./commands/explain')).explain,
  },
  config: {
    summary: 'Show each effective setting and where it comes from, or the schema of config.toml',
    words: '<show|schema>',
    load: () => (require('./commands/config') as typeof import('./commands/config')).config,
  },
  'apply-patch': {
    summary: 'Apply a patch as the agent would, all of it or nothing',
    words: '[file]',
    load: () => (require('./commands/applyPatch') as typeof import('./commands/applyPatch')).applyPatch,
  },
  'exec-server': {
    summary: 'Offer processes, files and HTTP of this machine to a Codex client',
    load: () => (require('./commands/execServer') as typeof import('./commands/execServer')).execServer,
  },
};
