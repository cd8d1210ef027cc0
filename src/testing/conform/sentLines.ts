/** What a server has sent, in words: while a person waits for its response, and when none comes. */
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { counted } from '../../streams/text/reasons';
import { endOf } from '../../tapes/session/sessionIndex';
import type { ObservedLine } from './conformCase';
import { short } from './expecting';

type Lines = readonly ObservedLine[];

const messagesOf = (lines: Lines, dir: ObservedLine['dir']) =>
  lines.filter((one) => one.dir === dir && one.line.trim() !== '').map(({ line }) => parseLine(line));

/** The line with the first response of the server, be it an error; undefined if it has sent none. */
export const firstResponse = (lines: Lines): ObservedLine | undefined =>
  lines.find(({ dir, line }) => dir === 'out' && parseLine(line).messages.some(({ kind }) => kind === 'response'));

/** What it has sent, with the first line that is no message: `it sent "Ready", which is no JSON-RPC, and 2 lines more`. @param rest a line without end */
export const sentText = (lines: Lines, rest = ''): string => {
  const all = messagesOf(lines, 'out');
  const odd = all.find(({ messages: [first] }) => first === undefined || first.kind === 'other');
  const shown = odd ?? all[0];
  if (shown === undefined) return rest === '' ? 'it sent nothing' : `it sent ${short(rest)} without a line end`;
  const more = all.length === 1 ? '' : `, and ${counted(all.length - 1, 'line')} more`;
  return odd === undefined
    ? `it sent ${clipped(shown.line)}${more}`
    : `it sent ${short(odd.line)}, which is no JSON-RPC${more}`;
};

/** What stands below the message of an error: its stack, its members, and the release of Node. */
const BELOW_A_MESSAGE = /^\s*(?:$|at |[}\])]|Node\.js v\d)/;

/** What it wrote last on stderr, without a stack trace; undefined if there is nothing. */
export const lastOnStderr = (lines: Lines): string | undefined => {
  const last = lines.findLast(({ dir, line }) => dir === 'err' && !BELOW_A_MESSAGE.test(line));
  return last && clipped(last.line);
};

/** How it ended, and what it wrote last on stderr; empty if neither is there. */
export const endText = (lines: Lines): string => {
  const last = lastOnStderr(lines);
  const exit = lines.find(({ dir }) => dir === 'exit')?.line;
  return [exit && `; it ended ${endOf(exit).text}`, last && `; stderr: ${last}`].filter(Boolean).join('');
};

/** What its client waits for. */
export const waitText = (lines: Lines, ms: number, rest?: string): string => {
  const asked = messagesOf(lines, 'in').flatMap(({ messages }) =>
    messages.flatMap((one) => (one.kind === 'request' ? [one.method] : [])),
  );
  const since = `no response to ${asked.at(-1) ?? 'anything'} for ${Math.round(ms / 1000)} s`;
  return `${since}: ${sentText(lines, rest)}${endText(lines)}`;
};

const MAX_CHARS = 200;

const clipped = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text);
