/** The whole MCP server as one operator, from lines to lines. */
import {
  connect,
  endWith,
  filter,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  share,
  take,
  takeUntil,
  takeWhile,
} from 'rxjs';
import { encodeMessage } from '../../protocol/jsonrpc/encodeMessage';
import type { Message, Outgoing } from '../../protocol/jsonrpc/messages';
import { decodeMessages } from '../../protocol/rpc/decodeMessages';
import { ofKind } from '../../streams/ofKind';
import type { Command } from './command';
import { gatherBatches } from './gatherBatches';
import type { McpDeps } from './mcpDeps';
import { serveCalls } from './serveCalls';
import { serveCodex } from './serveCodex';
import { serveLater } from './serveLater';
import { toCommands } from './toCommands';
import { withClient } from './withClient';

/** The cause that is reported where the input ended. */
const INPUT_ENDED = 'The turn was stopped: the input of the server ended.';

/**
 * An MCP server: every revision, on one stream of lines. Emits lines; deltas that came together are one text, with newlines between. Every
 * request is answered exactly once, unless its client cancels it. When the source completes or `stop$` emits, what is still open is
 * answered and all turns are stopped. Never errors because of what a client sends.
 *   in  i--t--------y-----|    (i initialize, t tools/call, y the person's yes)
 *   out I---e--e-Q----e-eT|    (e codex/event, Q elicitation/create, T the result)
 */
export const mcpServer =
  (deps: McpDeps): OperatorFunction<string, string> =>
  (line$) =>
    line$.pipe(decodeMessages(deps.face.decode), converse(deps), gatherBatches(), map(encodeMessage));

const converse =
  (deps: McpDeps): OperatorFunction<Message, Outgoing> =>
  (message$) => {
    const end$ = deps.stop$.pipe(take(1), map(toEnd), share()); // reaches the commands first, then stops their source
    return message$.pipe(
      withClient(),
      toCommands(deps),
      takeUntil(end$),
      connect((command$) =>
        merge(
          command$.pipe(ofKind('response')),
          command$.pipe(
            filter(({ kind }) => kind !== 'response'),
            endCommands(end$),
            connect((rest$) =>
              merge(serveCalls(deps, rest$), rest$.pipe(serveLater(deps)), rest$.pipe(serveCodex(deps))),
            ),
          ),
        ),
      ),
    );
  };

/** The commands until the end of input or a stop, whichever comes first, and then the command `end` with the cause. */
const endCommands =
  (end$: Observable<Command>): MonoTypeOperatorFunction<Command> =>
  (command$) =>
    merge(end$, command$.pipe(endWith(toEnd(INPUT_ENDED)))).pipe(takeWhile(({ kind }) => kind !== 'end', true));

const toEnd = (cause: string): Command => ({ kind: 'end', cause });
