/** The zod schemas of the Codex methods about conversations that are kept on disk, each made when it is first needed. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { APPROVAL_POLICIES, SANDBOX_MODES } from '../codex/settings';

/** Source: the app-server protocol of the releases after 0.28.0. */
export const ListConversationsParams = lazy(() =>
  z.object({
    pageSize: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
    cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/, 'must be a cursor that this server gave'))),
    modelProviders: z.optional(z.array(z.string())),
  }),
);

/** A resumed conversation keeps its own settings, except for these. */
const overrides = () =>
  z.strictObject({
    model: z.optional(z.string()),
    cwd: z.optional(z.string()),
    approvalPolicy: z.optional(z.enum(APPROVAL_POLICIES)),
    sandbox: z.optional(z.enum(SANDBOX_MODES)),
  });

/** The conversation is named by its id or by its rollout. Source: the app-server protocol of the releases after 0.28.0. */
export const ResumeConversationParams = lazy(() =>
  z.object({
    conversationId: z.optional(z.string()),
    path: z.optional(z.string()),
    overrides: z.optional(overrides()),
  }),
);

/** The params of archiveConversation. */
export const ArchiveConversationParams = lazy(() =>
  z.object({ conversationId: z.string(), rolloutPath: z.optional(z.string()) }),
);
