/** The table of commands. Each is loaded when it is first needed; the server alone is loaded with the program. */
import { lazy } from '../streams/lazy';
import type { AnyCommand } from './command';
import { mcpServer } from './commands/mcpServer';

/** @param words what the help writes after the name */
export type Entry = { summary: string; words?: string; load: () => AnyCommand };

const applyPatch = lazy(() => require('./commands/applyPatch') as typeof import('./commands/applyPatch'));
const config = lazy(() => require('./commands/config') as typeof import('./commands/config'));
const check = lazy(() => require('./commands/check') as typeof import('./commands/check'));
const demo = lazy(() => require('./commands/demo') as typeof import('./commands/demo'));
const diagram = lazy(() => require('./commands/diagram') as typeof import('./commands/diagram'));
const diff = lazy(() => require('./commands/diff') as typeof import('./commands/diff'));
const doctor = lazy(() => require('./commands/doctor') as typeof import('./commands/doctor'));
const execServer = lazy(() => require('./commands/execServer') as typeof import('./commands/execServer'));
const explain = lazy(() => require('./commands/explain') as typeof import('./commands/explain'));
const fork = lazy(() => require('./commands/fork') as typeof import('./commands/fork'));
const importTape = lazy(() => require('./commands/import') as typeof import('./commands/import'));
const login = lazy(() => require('./commands/login') as typeof import('./commands/login'));
const logout = lazy(() => require('./commands/logout') as typeof import('./commands/logout'));
const marbles = lazy(() => require('./commands/marbles') as typeof import('./commands/marbles'));
const mcp = lazy(() => require('./commands/mcp') as typeof import('./commands/mcp'));
const record = lazy(() => require('./commands/record') as typeof import('./commands/record'));
const redact = lazy(() => require('./commands/redact') as typeof import('./commands/redact'));
const replay = lazy(() => require('./commands/replay') as typeof import('./commands/replay'));
const rerun = lazy(() => require('./commands/rerun') as typeof import('./commands/rerun'));
const shrink = lazy(() => require('./commands/shrink') as typeof import('./commands/shrink'));
const stats = lazy(() => require('./commands/stats') as typeof import('./commands/stats'));
const tapes = lazy(() => require('./commands/tapes') as typeof import('./commands/tapes'));
const threads = lazy(() => require('./commands/threads') as typeof import('./commands/threads'));

/** The command of a command line that names none. */
export const DEFAULT_COMMAND = 'mcp-server';

/** Other names of commands. `mcp` was the server's name in Codex 0.28.0, and is that here where no action of the command `mcp` follows, see findCommand. */
export const ALIASES: Readonly<Record<string, string>> = { mcp: DEFAULT_COMMAND };

/** All commands by name, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  [DEFAULT_COMMAND]: {
    summary: 'Serve the tools codex and codex-reply to an MCP client on stdin and stdout',
    load: () => mcpServer,
  },
  doctor: { summary: 'Show what is found on this machine, what is chosen and why', load: () => doctor().doctor },
  login: {
    summary: 'Log in with a ChatGPT account or an API key, or show who is logged in',
    words: '[status]',
    load: () => login().login,
  },
  logout: { summary: 'Forget the login', load: () => logout().logout },
  mcp: {
    summary: 'List the MCP servers of config.toml, log in at one behind a URL, or forget that login',
    words: '<list|login|logout> [name]',
    load: () => mcp().mcp,
  },
  threads: {
    summary: 'List, show, export, fork, archive or remove the stored threads',
    words: '[action] [id]',
    load: () => threads().threads,
  },
  demo: {
    summary: 'Show a whole session with an embedded model, in marbles; needs no network and no key',
    load: () => demo().demo,
  },
  record: {
    summary: 'Record the traffic between a client and any server, on stdio or HTTP',
    load: () => record().record,
  },
  replay: {
    summary: 'Play a tape: as the server of a client, or as the client of a server',
    words: '<file>',
    load: () => replay().replay,
  },
  tapes: {
    summary: 'List, copy or remove the tapes that a team keeps on a NATS server',
    words: '<action> <from> [to]',
    load: () => tapes().tapes,
  },
  diff: { summary: 'Compare two tapes, or two sessions of one', words: '<a> <b>', load: () => diff().diff },
  fork: {
    summary: 'Play a tape up to a line against a server, and hand the server over to a live client',
    words: '<file>',
    load: () => fork().fork,
  },
  rerun: {
    summary: 'Run the recorded daemon again from its tape: the same to the byte, or with another model or policy',
    words: '<file>',
    load: () => rerun().rerun,
  },
  shrink: {
    summary: 'Find the few requests of a tape at which a server differs or crashes',
    words: '<file>',
    load: () => shrink().shrink,
  },
  check: {
    summary: 'Find hung calls, errors, slow and forbidden calls and changed tools in tapes, for CI',
    words: '<file>',
    load: () => check().check,
  },
  stats: {
    summary: 'Count what a tape holds: lines, bytes, response times',
    words: '<file>',
    load: () => stats().stats,
  },
  diagram: {
    summary: 'Draw a tape in marbles, for a terminal, as SVG or as a page',
    words: '<file>',
    load: () => diagram().diagram,
  },
  marbles: {
    summary: 'Write a tape as a spec in marbles, which runs against a server',
    words: '<file>',
    load: () => marbles().marbles,
  },
  redact: {
    summary: 'Remove keys, tokens, home folders and e-mail addresses from a tape, to share it',
    words: '<file>',
    load: () => redact().redact,
  },
  import: {
    summary: 'Make a tape of a session file of Codex, or of a capture of another recorder',
    words: '<file>',
    load: () => importTape().importTape,
  },
  explain: {
    summary: 'Show whether a command would run, run in the sandbox, be asked about or be refused',
    load: () => explain().explain,
  },
  config: {
    summary: 'Show each effective setting and where it comes from, or the schema of config.toml',
    words: '<show|schema>',
    load: () => config().config,
  },
  'apply-patch': {
    summary: 'Apply a patch as the agent would, all of it or nothing',
    words: '[file]',
    load: () => applyPatch().applyPatch,
  },
  'exec-server': {
    summary: 'Offer processes, files and HTTP of this machine to a Codex client',
    load: () => execServer().execServer,
  },
};
