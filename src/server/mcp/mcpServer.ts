/** The whole MCP server as one operator, from lines to lines. */
import { connect, endWith, map, merge, type OperatorFunction } from 'rxjs';
import { encodeMessage, type Message, type Outgoing } from '../../protocol/jsonrpc';
import { decodeMessages } from '../../rpc';
import { ofKind } from '../../streams';
import type { Command } from './command';
import { gatherBatches } from './gatherBatches';
import type { McpDeps } from './mcpDeps';
import { serveCalls } from './serveCalls';
import { serveLater } from './serveLater';
import { toCommands } from './toCommands';
import { withClient } from './withClient';

/** The text of the result of a call that the end of input stops. */
const INPUT_ENDED = 'The turn was stopped: the input of the server ended.';

/**
 * An MCP server: every revision, on one stream of lines.
 * Emits lines. Every request is answered exactly once, unless its client cancels it. When the source completes, what is
 * still open is answered and all turns are stopped. Never errors because of what a client sends.
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
      endWith<Command, [Command]>({ kind: 'end', cause: INPUT_ENDED }),
      connect((command$) =>
        merge(command$.pipe(ofKind('response')), serveCalls(deps, command$), command$.pipe(serveLater(deps))),
      ),
    );
