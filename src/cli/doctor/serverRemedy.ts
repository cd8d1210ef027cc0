/** What to do about an MCP server that cannot be used. */
import type { ToolServerSpec } from '../../agent/toolServers/toolServer';

export type ServerFault = {
  name: string;
  spec: Pick<ToolServerSpec, 'argv' | 'cwd' | 'startTimeoutMs' | 'environmentId'>;
  reason: string;
};

/** What an error of this server begins with; the finding names the server itself. */
const prefixOf = (name: string): string[] => [`the MCP server ${name} could not be run: `, `the MCP server ${name} `];

/** Splits an error into reason and remedy; a server behind a URL has the remedy in its reason. */
export const serverRemedy = ({ name, spec, reason }: ServerFault): { text: string; remedy: string } => {
  const prefix = prefixOf(name).find((one) => reason.startsWith(one)) ?? '';
  const text = reason.slice(prefix.length).replace(/\.$/, '');
  const [, stray, mend] = /^(.* to stdout, which is for messages alone); (.*)$/s.exec(text) ?? [];
  if (stray !== undefined && mend !== undefined) return { text: stray, remedy: mend };
  if (/^it did not answer within/.test(text)) return { text, remedy: laterOf(name, spec) };
  return spec.argv.length === 0 ? ofUrl(name, text) : ofCommand(name, spec, text);
};

const isAway = ({ environmentId }: ServerFault['spec']): boolean => environmentId !== 'local';

/** For another machine that cannot be reached; the reason has what to do there. */
const elsewhere = (name: string, { environmentId }: ServerFault['spec']): string =>
  `see the environment ${environmentId}, which environment_id of mcp_servers.${name} names`;

const ofUrl = (name: string, text: string): { text: string; remedy: string } => {
  const at = text.indexOf('; ');
  if (at >= 0) return { text: text.slice(0, at), remedy: text.slice(at + 2) };
  const [, remedy] = OF_URLS.find(([pattern]) => pattern.test(text)) ?? [];
  return { text, remedy: remedy ?? `see mcp_servers.${name}` };
};

const OF_URLS: readonly (readonly [RegExp, string])[] = [
  [/ is not set$/, 'set it where codex-rx starts'],
  [/ answers HTTP 404$/, 'see the path of its url'],
  [/^HTTP 5\d\d of /, 'the log of that server has the reason'],
];

const ofCommand = (name: string, spec: ServerFault['spec'], text: string): { text: string; remedy: string } => {
  const program = spec.argv[0] as string;
  const table = `mcp_servers.${name}`;
  if (/^working directory .*: /.test(text)) return { text, remedy: `create that folder, or change cwd of ${table}` };
  if (/\(os error 2\)$/.test(text))
    return { text: `the command ${program} is not there`, remedy: ofMissing(program, table) };
  if (/\(os error 13\)$/.test(text)) return { text: `${program} may not be run`, remedy: 'make the file executable' };
  if (/codex-rx itself|tool of itself/.test(text)) return { text, remedy: `remove ${table}` };
  return { text, remedy: isAway(spec) && !text.startsWith('ended ') ? elsewhere(name, spec) : byHand(spec) };
};

const ofMissing = (program: string, table: string): string =>
  program.includes(' ')
    ? `command of ${table} is the program alone: its arguments belong in args, as a list`
    : `install it, put its folder into PATH, or give its absolute path in ${table}`;

const laterOf = (name: string, spec: ServerFault['spec']): string => {
  const raise = `raise startup_timeout_sec of mcp_servers.${name} if it needs longer`;
  return spec.argv.length === 0 ? raise : `${raise}, or ${byHand(spec)}`;
};

/** Arguments may hold secrets. */
const byHand = (spec: ServerFault['spec']): string =>
  `run ${spec.argv[0]} with its args in a terminal${isAway(spec) ? ` of ${spec.environmentId}` : ''}, in ${spec.cwd}`;
