/** What people read of a response of an MCP server that is no message. */
import { maskAddress } from '../../log';
import type { McpEvent } from './mcpEvent';
import type { ResponsePart } from './readResponse';

type Failure = Extract<ResponsePart, { kind: 'failed' | 'unanswered' }>;

/** @param name what errors call the server; @param url its address, from which relative ones count */
export type RemarkDeps = { name: string; url: string };

/** The remark: a status, with the place a redirect leads to, a body that is no message, or requests that get no response. */
export const toRemark = ({ name, url }: RemarkDeps, part: Failure): McpEvent => {
  if (part.kind === 'unanswered') return { kind: 'log', line: unanswered(name, part.cause), requests: part.requests };
  const { status, location, type, challenge } = part;
  const named = challenge === undefined ? {} : { challenge };
  if (type !== undefined)
    return { kind: 'log', line: `${name} answers with ${type}, not with a message; see its path` };
  const target = location === undefined ? undefined : publicAddress(location, url);
  const leads = target === undefined ? '' : `, which leads to ${target}`;
  return { kind: 'log', line: `HTTP ${status} of ${name}${leads}`, status, ...named };
};

const unanswered = (name: string, cause: string | undefined): string =>
  `${name} has ended its response without a result${cause === undefined ? '' : ` (${cause})`}; see its log, and the limits of a proxy before it`;

/** Without user, password, query and parts of the path that may be secrets. */
const publicAddress = (location: string, url: string): string | undefined => {
  if (!URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return maskAddress(origin + pathname);
};
