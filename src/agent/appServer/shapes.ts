/** The shapes of what an app-server sends. A member that is missing or of another type becomes empty, so that every version can be read. */
import * as z from 'zod/mini';

const text = z.catch(z.string(), '');
const anything = z.catch(z.unknown(), null);
const number = z.catch(z.number(), 0);
export const AnyObject = z.catch(z.record(z.string(), z.unknown()), {});
const list = <S extends z.core.$ZodType>(member: S) => z.catch(z.array(member), []);
const texts = z.pipe(
  list(z.unknown()),
  z.transform((members: unknown[]) => members.filter((member) => typeof member === 'string')),
);
const object = <S extends z.core.$ZodShape>(shape: S) => {
  const schema = z.object(shape);
  return z.catch(schema, () => z.parse(schema, {}));
};

const ErrorInfo = object({ message: text, additionalDetails: text });

/** What a command does, as the server understands it. */
const Action = object({
  type: text,
  command: text,
  name: text,
  path: z.catch(z.nullable(z.string()), null),
  query: z.catch(z.nullable(z.string()), null),
});
export type Action = z.output<typeof Action>;

/** The change of one file; newer servers write `move_path`, older ones `movePath`. */
const Change = object({ path: text, diff: text, kind: object({ type: text, move_path: text, movePath: text }) });
export type Change = z.output<typeof Change>;

/** An item of a turn. Members that belong to another type of item are empty. */
const Item = object({
  id: text,
  type: text,
  status: text,
  source: text,
  text,
  summary: texts,
  content: texts,
  query: text,
  command: text,
  cwd: text,
  commandActions: list(Action),
  aggregatedOutput: text,
  exitCode: z.catch(z.number(), -1),
  durationMs: number,
  changes: list(Change),
  server: text,
  tool: text,
  arguments: anything,
  result: anything,
  error: z.catch(z.nullable(z.object({ message: text })), null),
  prompt: text,
  model: text,
  receiverThreadIds: texts,
  agentsStates: z.catch(z.record(z.string(), object({ status: text, message: text })), {}),
  agentPath: text,
  kind: text,
});
export type Item = z.output<typeof Item>;

/** The thread and the turn that a message belongs to, '' if it names none. */
export const MessageIds = object({ threadId: text, turnId: text, turn: object({ id: text }) });

export const ItemParams = object({ item: Item });
export const DeltaParams = object({ delta: text, itemId: text });
export const PlanParams = object({ explanation: text, plan: list(object({ step: text, status: text })) });
export const GoalParams = object({ goal: object({ objective: text, status: text }) });
export const DiffParams = object({ diff: text });
const Tokens = z.object({
  inputTokens: number,
  cachedInputTokens: number,
  outputTokens: number,
  reasoningOutputTokens: number,
  totalTokens: number,
});
export type TokenNumbers = z.output<typeof Tokens>;
export const TokenUsageParams = object({
  tokenUsage: object({
    last: z.catch(Tokens, () => z.parse(Tokens, {})),
    total: z.catch(z.optional(Tokens), undefined),
    modelContextWindow: z.catch(z.optional(z.number()), undefined),
  }),
});
/** The error of an MCP server is a text or an object, depending on the version. */
export const StartupParams = object({ name: text, status: text, error: anything });
export const ErrorTextOrInfo = z.catch(
  z.union([
    z.string(),
    z.pipe(
      ErrorInfo,
      z.transform(({ message }) => message),
    ),
  ]),
  '',
);
export const NoticeParams = object({ summary: text, message: text });
export const ErrorParams = object({ error: ErrorInfo, willRetry: z.catch(z.boolean(), false) });
export const TurnEndParams = object({ turn: object({ status: text, error: ErrorInfo }) });
export const ConfigWarningParams = object({ summary: text, details: text });
export const ResolvedParams = object({ requestId: anything });

export const CommandApprovalParams = object({ itemId: text, command: text, cwd: text, reason: text });
export const PatchApprovalParams = object({ itemId: text, grantRoot: text, reason: text });
export const ElicitationParams = object({
  serverName: text,
  message: text,
  url: text,
  requestedSchema: AnyObject,
  _meta: AnyObject,
});

export const Initialized = object({ userAgent: text });
export const ThreadResult = object({
  thread: object({ id: text, path: text }),
  model: text,
  modelProvider: text,
  approvalPolicy: text,
  cwd: text,
  reasoningEffort: text,
  sandbox: object({ type: text }),
});
export const TurnResult = object({ turn: object({ id: text }) });

/** Reads a value in the given shape; never throws. */
export const read = <S extends z.core.$ZodType>(shape: S, value: unknown): z.output<S> => z.parse(shape, value);
