/** Owns the zod schemas of MCP params, each made when it is first needed. Objects are open: what is not named here passes. */
import * as z from 'zod/mini';
import { lazily } from './lazily';
import { MCP_LOG_LEVELS } from './mcp';

const object = lazily(() => z.record(z.string(), z.unknown()));

/** Source: schema InitializeRequest. */
export const InitializeParams = lazily(() =>
  z.looseObject({
    protocolVersion: z.string(),
    capabilities: object(),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
);

/** Source: schema PaginatedRequest; there is one page, so no cursor is ever right. */
export const ListParams = lazily(() =>
  z.looseObject({ cursor: z.optional(z.undefined('there is one page and no cursor')) }),
);

/** Source: schema CallToolRequest; `inputResponses` and `requestState` are those of 2026-07-28 retries. */
export const CallToolParams = lazily(() =>
  z.looseObject({
    name: z.string(),
    arguments: z.optional(object()),
    inputResponses: z.optional(object()),
    requestState: z.optional(z.string()),
  }),
);

/** Source: schema SetLevelRequest. */
export const SetLevelParams = lazily(() => z.looseObject({ level: z.enum(MCP_LOG_LEVELS) }));

/** Source: 2026-07-28 schema SubscriptionsListenRequestParams. */
export const ListenParams = lazily(() => z.looseObject({ notifications: object() }));
