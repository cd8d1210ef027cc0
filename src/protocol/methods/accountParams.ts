/** The zod schemas of the Codex methods about the account, each made when it is first needed. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';

/** Source: Codex 0.28.0, CORE 3.4. */
export const AuthStatusParams = lazy(() =>
  z.object({ includeToken: z.optional(z.boolean()), refreshToken: z.optional(z.boolean()) }),
);

/** Source: Codex 0.28.0, tape rpc-login. */
export const CancelLoginParams = lazy(() => z.object({ loginId: z.string() }));
