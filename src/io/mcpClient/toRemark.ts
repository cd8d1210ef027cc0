/** What people read about a response of an MCP server that is not a message. */
import { maskAddress } from '../log/maskAddress';
import type { McpEvent } from './mcpEvent';
import type { ResponsePart } from './readResponse';

type Failure = Extract<ResponsePart, { kind: 'failed' | 'unanswered' }>;

/** @param name what errors call the server; @param url its address, to which relative addresses refer */
export type RemarkDeps = { name: string; url: string };

/** The remark: a status, with the target of a redirect; a body that is not a message; or requests that get no response. */
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
  `${name} has ended its response without a result${cause === undefined ? '' : ` (${cause})`}; see its log, and the limits of any proxy in front of it`;

/** The address without user, password and query, with the parts of its path that may be secrets masked. */
const publicAddress = (location: string, url: string): string | undefined => {
  if (!URL.canParse(location, url)) return undefined;
  const { origin, pathname } = new URL(location, url);
  return maskAddress(origin + pathname);
};
