/** The zod schemas of the Codex methods about files, commands, the account and stored conversations, each made when it is first needed. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { WireSandboxPolicy } from '../codex/sandboxPolicy';
import { conversationSettings } from './conversationParams';

/** Source: Codex 0.28.0, tape rpc-git-diff. */
export const GitDiffParams = lazy(() => z.object({ cwd: z.string() }));

/** Source: the app-server protocol of the releases after 0.28.0. A command needs at least a program. */
export const OneOffCommandParams = lazy(() =>
  z.object({
    command: z.array(z.string()).check(z.minLength(1)),
    timeoutMs: z.optional(z.number().check(z.gte(0))),
    cwd: z.optional(z.string()),
    sandboxPolicy: z.optional(WireSandboxPolicy()),
  }),
);

/** Source: codex 0.142.0, `codex app-server generate-ts`. */
export const FileSearchParams = lazy(() =>
  z.object({
    query: z.string(),
    roots: z.array(z.string()),
    cancellationToken: z.optional(z.string()),
  }),
);

/** Source: Codex 0.28.0, CORE 3.4. */
export const AuthStatusParams = lazy(() =>
  z.object({ includeToken: z.optional(z.boolean()), refreshToken: z.optional(z.boolean()) }),
);

/** Source: Codex 0.28.0, tape rpc-login. */
export const CancelLoginParams = lazy(() => z.object({ loginId: z.string() }));

/** Source: the app-server protocol of the releases after 0.28.0. */
export const ListConversationsParams = lazy(() =>
  z.object({
    pageSize: z.optional(z.int().check(z.gte(1), z.lte(1_000))),
    cursor: z.optional(z.string().check(z.regex(/rollout-[^/\\]+\.jsonl$/, 'must be a cursor that this server gave'))),
    modelProviders: z.optional(z.array(z.string())),
  }),
);

/** The conversation, by its id or its rollout. It keeps its settings, but for overrides. Source: app-server protocol after 0.28.0. */
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
