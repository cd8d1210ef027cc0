/** A case: what the specification says in a sentence, and marbles that show whether a server does it. */
import { MODERN_VERSION, SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import type { Value } from '../messages';
import type { Values } from '../phase';
import type { ClientSide } from './clientSide';
import type { HarmlessTool, LearnedPrompt, LearnedTool, Need } from './needs';
import type { GivenServers } from './probeServers';

/** The protocol of agents, whose one version is checked like a revision of MCP. */
export const ACP_1 = 'ACP 1';
/** What a session speaks: a revision of MCP, oldest first, or the version of ACP. */
export const REVISIONS = [...SUPPORTED_VERSIONS, ACP_1] as const;
/** One of these. */
export type Revision = (typeof REVISIONS)[number];

/** What is checked: MCP, its extension for tasks, the Agent Client Protocol. */
export const PROTOCOLS = ['mcp', 'tasks', 'acp'] as const;
/** One of these. */
export type Protocol = (typeof PROTOCOLS)[number];

/** How much a sentence demands; `ROBUSTNESS` is demanded nowhere, but a careful server does it. */
export const LEVELS = ['MUST', 'SHOULD', 'ROBUSTNESS'] as const;
/** One of these levels. */
export type Level = (typeof LEVELS)[number];

/** What a case and a rule have in common. */
export type Sentence = {
  /** Its name, in reports and on the command line. */
  id: string;
  /** How much it demands. */
  level: Level;
  /** The revisions that it applies to. */
  revisions: readonly Revision[];
  /** Where the sentence is: `PAGE#SECTION` of the specification of the protocol, or a URL. */
  section: string;
  /** The extension of MCP that it belongs to. Default: none. */
  extension?: 'tasks';
  /** What is demanded, in the words of the specification; for ROBUSTNESS in our own. */
  sentence: string;
  /** The scenario of the official suite that asks for the same. */
  official?: string;
};

/** A line of a session, `t` ms after its beginning: `in` is the client's, `out` the server's, `err` of stderr. */
export type ObservedLine = { t: number; dir: 'in' | 'out' | 'err' | 'exit' | 'note'; line: string };

/** A session that was played. */
export type Observed = {
  /** The revision that the client opened it with. */
  revision: Revision;
  /** In the order in which they passed. */
  lines: readonly ObservedLine[];
  /** The capabilities that the client declared. */
  declared: Readonly<Record<string, unknown>>;
  /** The values of one side's lines, those of a batch one by one; a line that is not JSON is undefined. */
  values: (dir: 'in' | 'out') => readonly unknown[];
};

/**
 * A case. Its rows follow the handshake of the revision, and in ACP a new session; the letters `i I n` are of the handshake, `s` and `S` of the
 * session, `p` and `P` a cheap request and its answer.
 */
export type ConformCase = Sentence & {
  /** What the client sends; its input ends after the last answer. */
  client: string;
  /** What the server sends. What is not shown here does not count: log messages, progress, requests, which the client answers. */
  server: string | readonly string[];
  /** The messages and lines of the letters. Default: none but the letters of every case. */
  values?: (given: Given) => Values;
  /** Without these it does not apply. Default: none. */
  needs?: readonly Need[];
  /** The capabilities that the client declares. Default: none. */
  capabilities?: Value;
  /** `none`: the rows begin with the process; `handshake`: in ACP, they begin without a session. Default: they follow what the revision opens with. */
  opening?: 'none' | 'handshake';
  /** `http`: the letters are whole exchanges of HTTP, and the rows begin without a handshake. Default: messages. */
  over?: 'http';
  /** `anyhow`: a server that ends by another exit code, or by a signal, plays `|` too. */
  ending?: 'anyhow';
  /** Makes what answers requests of the server that no row shows any more. Default: a client without capabilities; rows show all of a method. */
  clientSide?: () => ClientSide;
  /** Whether a response that no row shows is allowed nevertheless. */
  may?: (value: unknown) => boolean;
  /** What is wrong with all that was observed, if the rows do not say it; undefined if nothing is. */
  judge?: (observed: Observed, given: Given) => string | undefined;
};

/** A rule that holds in each session, whatever is played. */
export type ConformRule = Sentence & {
  /** What is wrong with a session; undefined if nothing is. */
  faultOf: (observed: Observed) => string | undefined;
};

/** What a server offers, by its answers to `initialize`, `server/discover` and the lists. */
export type Offer = {
  /** Of the server. */
  name: string;
  /** Oldest first. */
  revisions: readonly Revision[];
  /** The capabilities that it declares, by revision; of an agent also `session`, what it answers to `session/new`. */
  capabilities: Readonly<Partial<Record<Revision, Readonly<Record<string, unknown>>>>>;
  /** The tools of `--tool`. Default: none. */
  tools?: readonly LearnedTool[];
  /** The prompts of `--prompt`. Default: none. */
  prompts?: readonly LearnedPrompt[];
  /** The cheap request that it answers in a session with a handshake. Default: `ping`. */
  probe?: string;
  /** How long it took to answer first, in ms. */
  startMs: number;
};

/** What the values of a case are made from. */
export type Given = {
  /** The checked revision. */
  revision: Revision;
  /** The capabilities that the server declares at this revision. */
  capabilities: Readonly<Record<string, unknown>>;
  /** A request as the revision wants it: since 2026-07-28 with `_meta`. */
  request: (method: string, params?: object) => { readonly [member: string]: Value };
  /** A cheap request of the revision, by which the server shows that it lives. */
  probe: () => { readonly [member: string]: Value };
  /** The tool of `--tool` that the case needs; its name is empty if there is none. */
  tool: HarmlessTool & Partial<LearnedTool>;
  /** The folder in which sessions of an agent work, absolute. */
  folder: string;
  /** The prompt of `--prompt` that the case needs; empty if there is none. */
  prompt: string;
  /** Servers of MCP for a session of an agent. */
  servers?: GivenServers | undefined;
};

/** Pages that have another place since 2026-07-28. */
const MOVED: Readonly<Record<string, string>> = {
  'basic/transports#stdio': 'basic/transports/stdio',
  'basic/lifecycle#shutdown': 'basic/transports/stdio#shutdown',
  'basic/utilities/progress': 'basic/patterns/progress',
  'basic/utilities/cancellation': 'basic/patterns/cancellation',
};

/** Which protocol a sentence belongs to. */
export const protocolOf = ({ extension, revisions }: Sentence): Protocol =>
  extension ?? (revisions.includes(ACP_1) ? 'acp' : 'mcp');

const TASKS = 'https://github.com/modelcontextprotocol/ext-tasks/blob/main/specification/draft/tasks.md';

/** Where a sentence is, as a link. */
export const linkOf = ({ section, extension }: Sentence, revision: Revision): string => {
  if (section.startsWith('https://')) return section;
  if (extension === 'tasks') return `${TASKS}#${section}`;
  if (revision === ACP_1) return `https://agentclientprotocol.com/protocol/v1/${section}`;
  const moved = Object.entries(MOVED).find(([old]) => revision === MODERN_VERSION && section.startsWith(old));
  const place = moved === undefined ? section : moved[1] + section.slice(moved[0].length);
  return `https://modelcontextprotocol.io/specification/${revision}/${place}`;
};
