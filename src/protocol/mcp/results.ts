/** The zod schemas of MCP results, by the method of their request. Objects are open; a member counts only if all revisions with the method agree on it. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { ownOf } from '../jsonrpc/json';

/** The schema of the result of a method; undefined if every object is one. Source: schema of each revision. */
export const resultOf = (method: string): z.ZodMiniType | undefined => ownOf(schemas(), method);

const schemas = lazy((): Readonly<Record<string, z.ZodMiniType>> => ({ ...ofServers(), ...ofClients() }));

const text = lazy(() => z.string());
const object = lazy(() => z.record(z.string(), z.unknown()));
const bytes = lazy(() => z.base64());
const resource = lazy(() => z.looseObject({ uri: text(), blob: z.optional(bytes()) }));
const role = lazy(() => z.enum(['user', 'assistant']));

const content = lazy(() =>
  z.discriminatedUnion('type', [
    z.looseObject({ type: z.literal('text'), text: text() }),
    z.looseObject({ type: z.literal('image'), data: bytes(), mimeType: text() }),
    z.looseObject({ type: z.literal('audio'), data: bytes(), mimeType: text() }),
    z.looseObject({ type: z.literal('resource'), resource: resource() }),
    z.looseObject({ type: z.literal('resource_link'), uri: text(), name: text() }),
    z.looseObject({ type: z.literal('tool_use'), id: text(), name: text() }),
    z.looseObject({ type: z.literal('tool_result'), toolUseId: text() }),
  ]),
);

const party = lazy(() => z.looseObject({ name: text(), version: text() }));

const page = (name: string, item: z.ZodMiniType): z.ZodMiniType =>
  z.looseObject({ [name]: z.array(item), nextCursor: z.optional(text()) });

const ofServers = () => ({
  initialize: z.looseObject({ protocolVersion: text(), capabilities: object(), serverInfo: party() }),
  'server/discover': z.looseObject({ supportedVersions: z.array(text()), capabilities: object() }),
  'tools/list': page('tools', z.looseObject({ name: text(), inputSchema: object() })),
  'tools/call': z.looseObject({ content: z.array(content()), isError: z.optional(z.boolean()) }),
  'resources/list': page('resources', z.looseObject({ uri: text(), name: text() })),
  'resources/templates/list': page('resourceTemplates', z.looseObject({ uriTemplate: text(), name: text() })),
  'resources/read': z.looseObject({ contents: z.array(resource()) }),
  'prompts/list': page('prompts', z.looseObject({ name: text() })),
  'prompts/get': z.looseObject({ messages: z.array(z.looseObject({ role: role(), content: content() })) }),
  'completion/complete': z.looseObject({
    completion: z.looseObject({ values: z.array(text()).check(z.maxLength(100)) }),
  }),
});

const ofClients = () => ({
  'roots/list': z.looseObject({ roots: z.array(z.looseObject({ uri: text().check(z.startsWith('file://')) })) }),
  'sampling/createMessage': z.looseObject({
    role: role(),
    model: text(),
    content: z.union([content(), z.array(content())]),
  }),
  'elicitation/create': z.looseObject({
    action: z.enum(['accept', 'decline', 'cancel']),
    content: z.optional(z.nullable(object())),
  }),
});
