/** The zod schemas of MCP params, each made when it is first needed. Objects are open: members not named here pass. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { MCP_LOG_LEVELS } from './mcp';

const object = lazy(() => z.record(z.string(), z.unknown()));

/** Source: schema InitializeRequest. */
export const InitializeParams = lazy(() =>
  z.looseObject({
    protocolVersion: z.string(),
    capabilities: object(),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
);

/** Source: schema PaginatedRequest; there is only one page, so no cursor is ever valid. Clients that write each optional member send null or ''. */
export const ListParams = lazy(() =>
  z.looseObject({ cursor: z.optional(z.nullable(z.literal('', 'must be absent, as there is one page'))) }),
);

/** Source: schema CallToolRequest; `inputResponses` and `requestState` are those of 2026-07-28 retries. */
export const CallToolParams = lazy(() =>
  z.looseObject({
    name: z.string(),
    arguments: z.optional(object()),
    inputResponses: z.optional(object()),
    requestState: z.optional(z.string()),
  }),
);

/** Source: schema SetLevelRequest. */
export const SetLevelParams = lazy(() => z.looseObject({ level: z.enum(MCP_LOG_LEVELS) }));

/** Source: 2026-07-28 schema SubscriptionsListenRequestParams, SubscriptionFilter. */
export const ListenParams = lazy(() => {
  const isWanted = z.optional(z.boolean());
  return z.looseObject({
    notifications: z.looseObject({
      toolsListChanged: isWanted,
      promptsListChanged: isWanted,
      resourcesListChanged: isWanted,
      resourceSubscriptions: z.optional(z.array(z.string())),
      taskIds: z.optional(z.array(z.string())),
    }),
  });
});

/** Source: ext-tasks, GetTaskRequest, CancelTaskRequest. */
export const TaskParams = lazy(() => z.looseObject({ taskId: z.string() }));

/** Source: ext-tasks, UpdateTaskRequest. */
export const UpdateTaskParams = lazy(() => z.looseObject({ taskId: z.string(), inputResponses: object() }));

const texts = lazy(() => z.record(z.string(), z.string()));

/** Source: schema GetPromptRequest. */
export const PromptParams = lazy(() => z.looseObject({ name: z.string(), arguments: z.optional(texts()) }));

/** Source: schema ReadResourceRequest. */
export const ResourceParams = lazy(() => z.looseObject({ uri: z.string() }));

/** Source: schema CompleteRequest, PromptReference, ResourceTemplateReference. */
export const CompleteParams = lazy(() =>
  z.looseObject({
    ref: z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
      z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    ]),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
    context: z.optional(z.looseObject({ arguments: z.optional(texts()) })),
  }),
);
