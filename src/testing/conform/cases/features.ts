/** Cases of what servers may declare besides tools: resources, prompts, completions, logging. */
import { INVALID_PARAMS } from '../../../protocol/jsonrpc/messages';
import { LEGACY_VERSIONS, MCP_LOG_LEVELS, MODERN_VERSION, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { resultOf } from '../../../protocol/mcp/results';
import type { ConformCase } from '../conformCase';
import { asks, BAD_CURSOR, BAD_PARAMS, emptyFault, failure, response, result } from '../expecting';
import type { Need } from '../needs';

const NOT_FOUND = -32002;

/** What is wrong with a result by the schema of its method; undefined if nothing is. */
const shapeOf =
  (method: string) =>
  ({ result: outcome }: Readonly<Record<string, unknown>>): string | undefined => {
    const parsed = resultOf(method)?.safeParse(outcome);
    if (parsed === undefined || parsed.success) return undefined;
    const [issue] = parsed.error.issues;
    return `its ${['result', ...(issue?.path ?? [])].map(String).join('.')} is wrong: ${issue?.message}`;
  };

const LISTS = [
  {
    method: 'resources/list',
    need: 'resources',
    section: 'server/resources#listing-resources',
    sentence: 'To discover available resources, clients send a resources/list request.',
    official: 'resources-list',
  },
  {
    method: 'resources/templates/list',
    need: 'resources',
    section: 'server/resources#resource-templates',
    sentence: 'Resource templates allow servers to expose parameterized resources using',
    official: undefined,
  },
  {
    method: 'prompts/list',
    need: 'prompts',
    section: 'server/prompts#listing-prompts',
    sentence: 'To retrieve available prompts, clients send a prompts/list request.',
    official: 'prompts-list',
  },
] as const;

const nameOf = (method: string): string => method.replaceAll('/', '-');

const lists: readonly ConformCase[] = LISTS.flatMap(({ method, need, section, sentence, official }): ConformCase[] => {
  const base = { revisions: SUPPORTED_VERSIONS, needs: [need] as readonly Need[] };
  return [
    {
      ...base,
      id: nameOf(method),
      level: 'MUST',
      section,
      sentence,
      ...(official !== undefined && { official }),
      ...asks(method, {}, result('a', shapeOf(method))),
    },
    {
      ...base,
      id: `${nameOf(method)}-bad-cursor`,
      ...BAD_CURSOR,
      ...asks(method, { cursor: 'no-such-cursor' }, failure('a', [INVALID_PARAMS])),
    },
  ];
});

const NO_SUCH = 'x-no-such://nowhere/4711';

const levels: readonly ConformCase[] = MCP_LOG_LEVELS.map((level) => ({
  id: `logging-level-${level}`,
  level: 'MUST',
  revisions: LEGACY_VERSIONS,
  section: 'server/utilities/logging#setting-log-level',
  sentence: 'To configure the minimum log level, clients MAY send a logging/setLevel request:',
  official: 'logging-set-level',
  needs: ['logging'],
  ...asks('logging/setLevel', { level }, result('a')),
}));

/** The cases of this file. */
export const FEATURES: readonly ConformCase[] = [
  ...lists,
  {
    id: 'resources-read-unknown',
    level: 'MUST',
    revisions: [MODERN_VERSION],
    section: 'server/resources#error-handling',
    sentence:
      'If the requested resource does not exist, servers MUST return a JSON-RPC error with code -32602 (Invalid Params).',
    needs: ['resources'],
    ...asks('resources/read', { uri: NO_SUCH }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'resources-read-unknown-legacy',
    level: 'SHOULD',
    revisions: LEGACY_VERSIONS,
    section: 'server/resources#error-handling',
    sentence: 'Servers SHOULD return standard JSON-RPC errors for common failure cases:',
    needs: ['resources'],
    ...asks('resources/read', { uri: NO_SUCH }, failure('a', [NOT_FOUND])),
  },
  {
    id: 'resources-read-fails',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/resources#security-considerations',
    sentence: 'Servers MUST validate all resource URIs',
    needs: ['resources'],
    ...asks('resources/read', { uri: NO_SUCH }, failure('a')),
  },
  {
    id: 'resources-read-escape',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/resources#security-considerations',
    sentence: 'Servers MUST validate all resource URIs',
    needs: ['resources'],
    ...asks(
      'resources/read',
      { uri: 'file:///../../../../etc/passwd' },
      response('a', (message) => (/root:.*:0:0:/.test(JSON.stringify(message)) ? 'it sends /etc/passwd' : undefined)),
    ),
  },
  {
    id: 'resources-read-no-uri',
    ...BAD_PARAMS,
    revisions: SUPPORTED_VERSIONS,
    needs: ['resources'],
    ...asks('resources/read', {}, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'resources-subscribe',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'server/resources#subscriptions',
    sentence: 'The protocol supports optional subscriptions to resource changes.',
    official: 'resources-subscribe',
    needs: ['subscribe'],
    client: 'l-p-',
    server: '-L-P',
    values: ({ request }) => ({ l: request('resources/subscribe', { uri: NO_SUCH }), L: response('l') }),
  },
  {
    id: 'prompts-get-unknown',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/prompts#error-handling',
    sentence: 'Invalid prompt name: -32602 (Invalid params)',
    needs: ['prompts'],
    ...asks('prompts/get', { name: 'no-such-prompt' }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'prompts-get-unknown-fails',
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/prompts#security',
    sentence: 'Implementations MUST carefully validate all prompt inputs and outputs to prevent',
    needs: ['prompts'],
    ...asks('prompts/get', { name: 'no-such-prompt' }, failure('a')),
  },
  {
    id: 'prompts-get-no-name',
    ...BAD_PARAMS,
    revisions: SUPPORTED_VERSIONS,
    needs: ['prompts'],
    ...asks('prompts/get', {}, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'completion-unknown-prompt',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/utilities/completion#error-handling',
    sentence: 'Invalid prompt name: -32602 (Invalid params)',
    needs: ['completions'],
    ...asks(
      'completion/complete',
      {
        ref: { type: 'ref/prompt', name: 'no-such-prompt' },
        argument: { name: 'x', value: 'y' },
      },
      failure('a', [INVALID_PARAMS]),
    ),
  },
  {
    id: 'completion-no-argument',
    level: 'SHOULD',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/utilities/completion#error-handling',
    sentence: 'Missing required arguments: -32602 (Invalid params)',
    needs: ['completions'],
    ...asks('completion/complete', {}, failure('a', [INVALID_PARAMS])),
  },
  ...levels,
  {
    id: 'logging-level-unknown',
    level: 'SHOULD',
    revisions: LEGACY_VERSIONS,
    section: 'server/utilities/logging#error-handling',
    sentence: 'Invalid log level: -32602 (Invalid params)',
    needs: ['logging'],
    ...asks('logging/setLevel', { level: 'loud' }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'logging-answer-empty',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'schema#setlevelrequest',
    sentence: 'A request from the client to the server, to enable or adjust logging.',
    needs: ['logging'],
    ...asks('logging/setLevel', { level: 'warning' }, result('a', emptyFault)),
  },
];
