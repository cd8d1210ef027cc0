/** A case: what the specification says in a sentence, and marbles that show whether a server does it. */
import { MODERN_VERSION, type SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import type { Value } from '../messages';
import type { Values } from '../phase';

/** A revision of MCP. */
export type Revision = (typeof SUPPORTED_VERSIONS)[number];

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
  /** Where the sentence is: `PAGE#SECTION` of the specification of MCP, or a URL. */
  section: string;
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
};

/** What a case needs: `process` is a server that is started here, `tool` the tool of `--tool`; the others are capabilities that the server declares. */
export type Need = 'process' | 'tool' | 'tools' | 'prompts' | 'resources' | 'subscribe' | 'completions' | 'logging';

/** A case. Its rows follow the handshake of the revision; the letters `i I n` are of the handshake, `p` and `P` a cheap request and its answer. */
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
  /** `none`: the rows begin with the process. Default: they follow the handshake, if the revision has one. */
  opening?: 'none';
  /** `anyhow`: a server that ends by another exit code, or by a signal, plays `|` too. */
  ending?: 'anyhow';
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

/** A tool that does no harm, and arguments for it. */
export type HarmlessTool = { name: string; arguments: Value };

/** What a server offers, by its answers to `initialize`, `server/discover` and the lists. */
export type Offer = {
  /** Of the server. */
  name: string;
  /** Oldest first. */
  revisions: readonly Revision[];
  /** The capabilities that it declares, by revision. */
  capabilities: Readonly<Partial<Record<Revision, Readonly<Record<string, unknown>>>>>;
  /** How long it took to answer first. */
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
  /** The tool of `--tool`; its name is empty if there is none. */
  tool: HarmlessTool;
};

/** Pages that have another place since 2026-07-28. */
const MOVED: Readonly<Record<string, string>> = {
  'basic/transports#stdio': 'basic/transports/stdio',
  'basic/lifecycle#shutdown': 'basic/transports/stdio#shutdown',
  'basic/utilities/progress': 'basic/patterns/progress',
  'basic/utilities/cancellation': 'basic/patterns/cancellation',
};

/** Where a sentence is, as a link. */
export const linkOf = ({ section }: Sentence, revision: Revision): string => {
  if (section.startsWith('https://')) return section;
  const moved = Object.entries(MOVED).find(([old]) => revision === MODERN_VERSION && section.startsWith(old));
  const place = moved === undefined ? section : moved[1] + section.slice(moved[0].length);
  return `https://modelcontextprotocol.io/specification/${revision}/${place}`;
};
