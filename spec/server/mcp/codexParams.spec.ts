/** Any params for any Codex method: one response each, and nothing else is disturbed. */
import fc from 'fast-check';
import { of, toArray } from 'rxjs';
import { mcpServer } from '../../../src/server/mcp/mcpServer';
import { hostWith } from '../../protocol/methods/host';
import { threadsEngine, uuid } from '../../support/conversations';
import { mcpDeps } from '../../support/mcp';

const METHODS = [
  ...['newConversation', 'addConversationListener', 'removeConversationListener', 'sendUserMessage', 'sendUserTurn'],
  ...['interruptConversation', 'resumeConversation', 'listConversations', 'archiveConversation', 'gitDiffToRemote'],
  ...['thread/compact/start', 'thread/unsubscribe'],
  ...['loginChatGpt', 'cancelLoginChatGpt', 'logoutChatGpt', 'getAuthStatus', 'userInfo', 'getConfigToml'],
  ...['getUserSavedConfig', 'execOneOffCommand', 'fuzzyFileSearch'],
];

/** Members that methods know, with values that fit and values that do not. */
const params = fc.oneof(
  fc.dictionary(
    fc.constantFrom(
      'conversationId',
      'threadId',
      'subscriptionId',
      'items',
      'cwd',
      'command',
      'query',
      'roots',
      'loginId',
      'path',
    ),
    fc.oneof(fc.constant(uuid(1)), fc.constant([{ type: 'text', data: { text: '1' } }]), fc.jsonValue({ maxDepth: 2 })),
  ),
  fc.constant(undefined),
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
);

const requests = fc.array(fc.tuple(fc.constantFrom(...METHODS), params), { minLength: 1, maxLength: 20 });

const answersOf = (lines: readonly string[]): number[] => {
  let answered: string[] = [];
  let ids = 0;
  const server = mcpServer(
    mcpDeps({ engine: threadsEngine(), newCallId: () => uuid(100 + ids++), codexHost: () => hostWith() }),
  );
  of(...lines)
    .pipe(server, toArray())
    .subscribe((out) => {
      answered = out;
    });
  return answered
    .map((line) => JSON.parse(line) as { id?: number; method?: string })
    .flatMap(({ id, method }) => (method === undefined && id !== undefined ? [id] : []))
    .sort((a, b) => a - b);
};

describe('the Codex methods', () => {
  it('answer each request once, whatever its params', () => {
    fc.assert(
      fc.property(requests, (all) => {
        const lines = all.map(([method, given], at) =>
          JSON.stringify({ jsonrpc: '2.0', id: at + 1, method, params: given }),
        );
        const opened = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'newConversation', params: {} });
        expect(answersOf([opened, ...lines])).toEqual([0, ...all.map((_, at) => at + 1)]);
      }),
      { numRuns: 200 },
    );
  });
});
