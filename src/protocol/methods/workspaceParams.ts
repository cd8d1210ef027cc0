/** The zod schemas of the Codex methods about files and commands, each made when it is first needed. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { WireSandboxPolicy } from '../codex/sandboxPolicy';

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
