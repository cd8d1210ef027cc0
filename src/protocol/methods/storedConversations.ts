/** The zod schemas of the Codex methods about conversations that are kept on disk, each made when it is first needed. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy/lazy';
import { conversationSettings } from './conversationParams';

/** Source: the app-server protocol of the releases after 0.28.0. */
export const ListConversationsParams = lazy(() =>
  z.object({
    pageSize: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
    cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'must be a cursor that this server gave'))),
    modelProviders: z.optional(z.array(z.string())),
  }),
);

/**
 * The conversation is named by its id or by its rollout. It keeps its own settings, except for the overrides.
 * Source: the app-server protocol of the releases after 0.28.0.
 */
export const ResumeConversationParams = lazy(() =>
  z.object({
    conversationId: z.optional(z.string()),
    path: z.optional(z.string()),
    overrides: z.optional(z.strictObject(conversationSettings())),
  }),
);

/** The params of archiveConversation. */
export const ArchiveConversationParams = lazy(() =>
  z.object({ conversationId: z.string(), rolloutPath: z.optional(z.string()) }),
);
