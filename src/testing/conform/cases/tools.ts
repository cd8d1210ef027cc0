/** Cases of how tools are listed. */
import { isObject, toObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS } from '../../../protocol/jsonrpc/messages';
import { LEGACY_VERSIONS, MODERN_VERSION, SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import type { ConformCase } from '../conformCase';
import { asks, BAD_CURSOR, BAD_PARAMS, failure, result, short } from '../expecting';
import { firstFault, firstTwice, responsesOf } from '../observed';
import { schemaFault } from '../schemaFault';

type Tool = Readonly<Record<string, unknown>>;

const toolsOf = (message: Readonly<Record<string, unknown>>): Tool[] => {
  const { tools } = toObject(message.result);
  return Array.isArray(tools) ? tools.map(toObject) : [];
};

/** The first fault of a tool. */
const eachTool =
  (faultOf: (tool: Tool) => string | undefined) =>
  (message: Readonly<Record<string, unknown>>): string | undefined =>
    firstFault(toolsOf(message), (tool) => {
      const fault = faultOf(tool);
      return fault && `the tool ${short(tool.name)}: ${fault}`;
    });

const sharedName = (message: Readonly<Record<string, unknown>>): string | undefined => {
  const shared = firstTwice(toolsOf(message).map(({ name }) => name));
  return shared === undefined ? undefined : `the tool ${short(shared)}: another one has the same name`;
};

/** Source: 2025-11-25 schema, Tool. */
const shapeFault = ({ name, title, description, inputSchema, outputSchema, annotations }: Tool): string | undefined => {
  if (typeof name !== 'string' || name === '') return 'it has no name';
  if (!['string', 'undefined'].includes(typeof description)) return 'its description is no text';
  if (!['string', 'undefined'].includes(typeof title)) return 'its title is no text';
  if (!isObject(inputSchema) || inputSchema.type !== 'object') return 'its inputSchema is no schema of type "object"';
  if (outputSchema !== undefined && !isObject(outputSchema)) return 'its outputSchema is no object';
  return annotations === undefined || isObject(annotations) ? undefined : 'its annotations are no object';
};

const schemaFaultOf = ({ inputSchema, outputSchema }: Tool): string | undefined =>
  schemaFault(inputSchema, 'inputSchema') ??
  (outputSchema === undefined ? undefined : schemaFault(outputSchema, 'outputSchema'));

const listed = (
  id: string,
  faultOf: ReturnType<typeof eachTool>,
): Pick<ConformCase, 'id' | 'needs' | 'client' | 'server' | 'values'> => ({
  id,
  needs: ['tools'],
  ...asks('tools/list', {}, result('a', faultOf)),
});

/** The cases of this file. */
export const TOOLS: readonly ConformCase[] = [
  {
    ...listed('tools-list', eachTool(shapeFault)),
    level: 'MUST',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/tools#tool',
    sentence: 'A tool definition includes:',
    official: 'tools-list',
  },
  {
    ...listed('tools-list-schemas', eachTool(schemaFaultOf)),
    level: 'MUST',
    revisions: ['2025-11-25', MODERN_VERSION],
    section: 'basic#schema-validation',
    sentence: 'Schemas MUST be valid according to their declared or default dialect',
    official: 'json-schema-2020-12',
  },
  {
    ...listed(
      'tools-list-names',
      eachTool(({ name }) =>
        /^[\w.-]{1,128}$/.test(String(name))
          ? undefined
          : 'it has other characters than letters, digits, _, - and ., or more than 128',
      ),
    ),
    level: 'SHOULD',
    revisions: ['2025-11-25', MODERN_VERSION],
    section: 'server/tools#tool-names',
    sentence: 'Tool names SHOULD be between 1 and 128 characters in length (inclusive).',
  },
  {
    ...listed('tools-list-unique', sharedName),
    level: 'SHOULD',
    revisions: ['2025-11-25', MODERN_VERSION],
    section: 'server/tools#tool-names',
    sentence: 'Tool names SHOULD be unique within a server.',
  },
  {
    ...listed(
      'tools-list-described',
      eachTool(({ description }) =>
        typeof description === 'string' && description !== '' ? undefined : 'it has no description',
      ),
    ),
    level: 'ROBUSTNESS',
    revisions: SUPPORTED_VERSIONS,
    section: 'server/tools#tool',
    sentence: 'Each tool has a description, by which a model chooses it.',
  },
  {
    id: 'tools-list-stable',
    level: 'SHOULD',
    revisions: [MODERN_VERSION],
    section: 'server/tools#capabilities',
    sentence: 'Servers SHOULD return tools in a deterministic order',
    needs: ['tools'],
    client: 'a-b-',
    server: '-A-B',
    values: ({ request }) => ({
      a: request('tools/list', {}),
      A: result('a'),
      b: request('tools/list', {}),
      B: result('b'),
    }),
    judge: (observed) => {
      const [one, other] = responsesOf(observed)
        .map((message) => toolsOf(message).map(({ name }) => name))
        .filter((names) => names.length > 0);
      return JSON.stringify(one) === JSON.stringify(other)
        ? undefined
        : `the order changes from ${short(one)} to ${short(other)}`;
    },
  },
  {
    id: 'tools-list-without-params',
    level: 'MUST',
    revisions: LEGACY_VERSIONS,
    section: 'server/tools#listing-tools',
    sentence: 'To discover available tools, clients send a tools/list request.',
    needs: ['tools'],
    ...asks('tools/list', undefined, result('a')),
  },
  {
    id: 'tools-list-bad-cursor',
    ...BAD_CURSOR,
    revisions: SUPPORTED_VERSIONS,
    needs: ['tools'],
    ...asks('tools/list', { cursor: 'no-such-cursor' }, failure('a', [INVALID_PARAMS])),
  },
  {
    id: 'tools-list-cursor-type',
    ...BAD_PARAMS,
    revisions: SUPPORTED_VERSIONS,
    needs: ['tools'],
    ...asks('tools/list', { cursor: { a: 1 } }, failure('a', [INVALID_PARAMS])),
  },
];
