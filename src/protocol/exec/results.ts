/**
 * The schemas of an exec-server's results and notifications, each made when it is first needed. A member that older servers
 * leave out has a default.
 * Source: codex exec-server 0.130.0 to 0.169.0; `evictedThrough` and `evictedBytes` are ours.
 */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { WRITE_STATUSES } from './process';

/** `sessionId` is null if the server has no sessions. */
export const InitializeResult = lazy(() => z.object({ sessionId: z._default(z.nullable(z.string()), null) }));

/** The params of process/output, and a chunk of process/read; `chunk` is base64. */
export const WireOutput = lazy(() =>
  z.object({ seq: z.int(), stream: z.enum(['stdout', 'stderr', 'pty']), chunk: z.string() }),
);

/** The params of process/exited. */
export const WireExited = lazy(() => z.object({ seq: z.int(), exitCode: z.number() }));
/** The params of process/closed: no output follows. */
export const WireClosed = lazy(() => z.object({ seq: z.int() }));

/** The result of process/read. `exitCode` is null until the process has exited; `failure` says why the executor lost it. */
export const ReadResult = lazy(() =>
  z.object({
    chunks: z._default(z.array(WireOutput()), []),
    nextSeq: z._default(z.number(), 0),
    exited: z._default(z.boolean(), false),
    exitCode: z._default(z.nullable(z.number()), null),
    closed: z._default(z.boolean(), false),
    failure: z._default(z.nullable(z.string()), null),
    evictedThrough: z.optional(z.number()),
    evictedBytes: z.optional(z.number()),
  }),
);

/** The result of process/write and process/closeStdin. */
export const StatusResult = lazy(() => z.object({ status: z.enum(WRITE_STATUSES) }));

/** The result of process/terminate. */
export const TerminateResult = lazy(() => z.object({ running: z._default(z.boolean(), false) }));

/** What an exec-server reports about its machine; 0.142.0 names its shell only. Paths are `file:` URIs. */
export const InfoResult = lazy(() =>
  z.object({
    shell: z.optional(z.object({ name: z.string() })),
    platformOs: z.optional(z.string()),
    cwd: z.optional(z.string()),
  }),
);

/** `size` is missing in 0.130.0; `mode` and `writable` are ours. */
export const FactsResult = lazy(() =>
  z.object({
    isDirectory: z.boolean(),
    isFile: z.boolean(),
    isSymlink: z.boolean(),
    size: z._default(z.number(), 0),
    createdAtMs: z.number(),
    modifiedAtMs: z.number(),
    mode: z.optional(z.number()),
    writable: z.optional(z.boolean()),
  }),
);

/** The result of fs/readFile. */
export const BytesResult = lazy(() => z.object({ dataBase64: z.string() }));
/** The result of fs/canonicalize; a path or a `file:` URI. */
export const PathResult = lazy(() => z.object({ path: z.string() }));
/** The result of fs/readDirectory. */
export const EntriesResult = lazy(() =>
  z.object({
    entries: z.array(z.object({ fileName: z.string(), isDirectory: z.boolean(), isFile: z.boolean() })),
  }),
);

/** The result of fs/applyChanges, which is ours. */
export const ChangeResult = lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('applied') }),
    z.object({ kind: z.literal('failed'), message: z.string() }),
  ]),
);
