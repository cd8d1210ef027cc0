/**
 * The schemas of a client's requests to an exec-server, each made when it is first needed. Members that are not named are
 * ignored.
 * Source: codex exec-server 0.142.0; `grace`, `holdOutput` and process/acknowledge are ours, `redirectPolicy` is of 0.169.0.
 */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { PROCESS_SIGNALS } from './process';
import { SandboxParams } from './sandboxParams';

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** The types that members have. A count is a u64; a double has no exact integers beyond 2^53, so it is capped there. */
export const types = lazy(() => {
  const text = z.string();
  const flag = z.boolean();
  const count = z.pipe(
    z.number().check(z.refine(isCount, 'invalid number')),
    z.transform((value: number) => Math.min(value, Number.MAX_SAFE_INTEGER)),
  );
  return {
    text,
    flag,
    count,
    texts: z.array(text),
    textMap: z.record(text, text),
    optionalText: z.nullish(text),
    optionalFlag: z.nullish(flag),
    optionalCount: z.nullish(count),
  };
});

/** How a client wants a process, or access to files, to be restricted. */
export const Restrictions = lazy(() => ({
  sandbox: z.nullish(SandboxParams()),
  enforceManagedNetwork: types().optionalFlag,
}));

/** What the params of all file methods have in common. */
export const RestrictionsParams = lazy(() => z.object(Restrictions()));

/** The params of initialize. */
export const ExecInitializeParams = lazy(() =>
  z.object({ clientName: types().text, resumeSessionId: types().optionalText }),
);

const EnvironmentPolicyParams = lazy(() => {
  const { flag, texts, textMap } = types();
  return z.object({
    inherit: z.enum(['core', 'all', 'none']),
    ignoreDefaultExcludes: flag,
    exclude: texts,
    set: textMap,
    includeOnly: texts,
  });
});

/** The params of process/start. */
export const StartParams = lazy(() => {
  const { text, texts, textMap, flag, count, optionalText, optionalFlag } = types();
  return z.object({
    processId: text,
    argv: texts,
    cwd: text,
    env: textMap,
    tty: flag,
    arg0: optionalText,
    envPolicy: z.nullish(EnvironmentPolicyParams()),
    grace: z.nullish(z.object({ inputMs: count, termMs: count })),
    pipeStdin: optionalFlag,
    holdOutput: optionalFlag,
    ...Restrictions(),
  });
});

/** The params of process/read. */
export const ReadParams = lazy(() => {
  const { text, optionalCount } = types();
  return z.object({ processId: text, afterSeq: optionalCount, maxBytes: optionalCount, waitMs: optionalCount });
});

/** `chunk` is base64. */
export const WriteParams = lazy(() => {
  const { text, optionalText } = types();
  return z.object({ processId: text, chunk: text, writeId: optionalText });
});

/** The params of process/acknowledge: the reader has all events through `seq`. */
export const AcknowledgeParams = lazy(() => z.object({ processId: types().text, seq: types().count }));
/** The params of process/signal. */
export const SignalParams = lazy(() => z.object({ processId: types().text, signal: z.enum(PROCESS_SIGNALS) }));

/** The params of process/closeStdin and process/terminate. */
export const ProcessParams = lazy(() => z.object({ processId: types().text }));

/** The params of http/request; `bodyBase64` is the body, `timeoutMs` applies to the whole request. */
export const HttpRequestParams = lazy(() => {
  const { text, optionalText, optionalFlag, optionalCount } = types();
  return z.object({
    method: text,
    url: text,
    bodyBase64: optionalText,
    redirectPolicy: z.nullish(z.enum(['follow', 'stop'])),
    headers: z.nullish(z.array(z.object({ name: text, value: text }))),
    requestId: text,
    timeoutMs: optionalCount,
    streamResponse: optionalFlag,
  });
});

/** The params of fs/readFile, fs/readDirectory and fs/canonicalize. */
export const PathParams = lazy(() => z.object({ path: types().text, ...Restrictions() }));

/** The params of fs/getMetadata; `access` asks for `mode` and `writable` too, which the original does not have. */
export const MetadataParams = lazy(() =>
  z.object({ path: types().text, access: z.nullish(z.boolean()), ...Restrictions() }),
);

/** The params of fs/writeFile. */
export const WriteFileParams = lazy(() =>
  z.object({ path: types().text, dataBase64: types().text, ...Restrictions() }),
);

/** The params of fs/createDirectory and fs/remove. */
export const PathOptionsParams = lazy(() => {
  const { text, optionalFlag } = types();
  return z.object({ path: text, recursive: optionalFlag, force: optionalFlag, ...Restrictions() });
});

/** The params of fs/copy. */
export const CopyParams = lazy(() => {
  const { text, optionalFlag } = types();
  return z.object({ sourcePath: text, destinationPath: text, recursive: optionalFlag, ...Restrictions() });
});

/** The params of fs/open. */
export const OpenParams = lazy(() => {
  const { text } = types();
  return z.object({ handleId: text, path: text, mode: z.nullish(z.enum(['read', 'replace'])), ...Restrictions() });
});

/** The params of fs/readBlock. */
export const ReadBlockParams = lazy(() => {
  const { text, count } = types();
  return z.object({ handleId: text, offset: count, len: count, ...Restrictions() });
});

/** `chunk` is base64. */
export const WriteBlockParams = lazy(() => {
  const { text, count } = types();
  return z.object({ handleId: text, offset: count, chunk: text, ...Restrictions() });
});

/** The params of fs/close. */
export const CloseParams = lazy(() => z.object({ handleId: types().text, ...Restrictions() }));

const Content = lazy(() => z.nullish(z.object({ dataBase64: z.string(), mode: z.nullish(z.number()) })));

/** A file of a patch as it appears on the wire; `dataBase64` is its content. */
export const WireChange = lazy(() =>
  z.object({
    path: z.string(),
    absolute: z.string(),
    real: z.string(),
    found: z.enum(['file', 'link', 'nothing']),
    before: Content(),
    after: Content(),
    movedTo: z.nullish(z.string()),
  }),
);

/** The params: the files of one patch, the restrictions, and the id of the journal, if the client keeps one. */
export const ApplyChangesParams = lazy(() =>
  z.extend(RestrictionsParams(), {
    changes: z.array(WireChange()),
    journalId: z.nullish(z.string().check(z.regex(/^[0-9a-f]{1,64}$/))),
  }),
);

/** The params of fs/settleChanges: the journal of a patch, how far the patch came, and when the journal was written, in ms since 1970. */
export const SettleChangesParams = lazy(() =>
  z.extend(RestrictionsParams(), {
    journal: z.unknown(),
    phase: z.enum(['open', 'committed', 'interrupted']),
    sinceMs: z.nullish(z.number()),
  }),
);
