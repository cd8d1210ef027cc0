/** What an MCP server writes to its stdout besides messages, until it is ready. */
import { type Observable, tap } from 'rxjs';
import type { RpcIncoming } from '../../protocol/rpc/messages';

/** `note` passes everything on; `quoted` quotes the lines that are not messages, for the end of an error with what to do, '' if there are none. */
export type StrayLines = {
  note: <P>(message$: Observable<RpcIncoming<P>>) => Observable<RpcIncoming<P>>;
  quoted: () => string;
};

/** How many lines are quoted: launchers first write one or two of their own. */
const MAX_LINES = 4;

/** The lines of one connection. They are collected in place, because they are requested once, if the server does not start. */
export const strayLines = (): StrayLines => {
  const lines: string[] = [];
  const add = (line = ''): void => {
    if (line.trim() !== '' && lines.length < MAX_LINES) lines.push(line.trim());
  };
  return {
    note: (message$) => message$.pipe(tap((message) => message.kind === 'fault' && add(message.line))),
    quoted: () => quote(lines),
  };
};

const quote = (lines: readonly string[]): string =>
  lines.length === 0
    ? ''
    : `. It wrote ${JSON.stringify(lines.join(' | '))} to stdout, which is for messages alone; make it log to stderr, or start it without what writes that`;
