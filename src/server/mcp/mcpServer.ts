/** Owns the whole MCP server as one operator, from lines to lines. */
import { connect, endWith, map, merge, type OperatorFunction } from 'rxjs';
import { encodeMessage, type Message, type Outgoing } from '../../protocol';
import { decodeMessages, ofKind } from '../../streams';
import { gatherBatches } from './batches';
import { withClient } from './client';
import type { McpDeps } from './deps';
import { serveCalls } from './serveCalls';
import { toCommands } from './toCommands';

/**
 * An MCP server: every revision, on one stream of lines.
 * Emits lines. Every request is answered exactly once, or taken back by its client. When the source completes,
 * what is still open is answered and all turns are stopped. Never errors because of what a client sends.
 *   in  i--t--------y-----|    (i initialize, t tools/call, y the person's yes)
 *   out I---e--e-Q----e-eT|    (e codex/event, Q elicitation/create, T the result)
 */
export const mcpServer =
  (deps: McpDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(decodeMessages(), converse(deps), gatherBatches(), map(encodeMessage));

const converse =
  (deps: McpDeps): OperatorFunction<Message, Outgoing> =>
  (message$) =>
    message$.pipe(
      withClient(),
      connect((incoming$) => toCommands(deps, incoming$)),
      endWith({ kind: 'end' } as const),
      connect((command$) => merge(command$.pipe(ofKind('response')), serveCalls(deps, command$))),
    );
