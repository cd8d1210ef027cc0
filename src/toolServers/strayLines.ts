/** What an MCP server writes to its stdout besides messages, until it is ready. */
import { type Observable, tap } from 'rxjs';
import type { RpcIncoming } from '../rpc';

/** `note` passes everything; `quoted` is what of it is no message, as the end of an error with what to do, '' where there is none. */
export type StrayLines = {
  note: <P>(message$: Observable<RpcIncoming<P>>) => Observable<RpcIncoming<P>>;
  quoted: () => string;
};

/** How many lines are quoted: launchers write one or two of their own first. */
const MAX_LINES = 4;

/** The lines of one connection. They are noted in place, as they are asked for once, where the server does not start. */
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
