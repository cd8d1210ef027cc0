/** The zod schemas of the Codex methods about conversations, each made when it is first needed. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { WireSandboxPolicy } from '../codex/sandboxPolicy';
import { APPROVAL_POLICIES, fromRows, type SettingsWith } from '../codex/settings';
import { type SettingSchema, schemaOf } from '../codex/toolArguments';
import { toUuid } from '../codex/toUuid';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Any notation of a UUID; the output has hyphens. */
const id = () => z.pipe(z.string(), z.pipe(z.transform(toUuid), z.string().check(z.regex(UUID, 'must be a UUID'))));

type SettingSchemas = { [N in SettingsWith<{ inConversation: true }>]: SettingSchema<N> };

/** The settings of a conversation that a client may give. */
export const conversationSettings = (): SettingSchemas =>
  fromRows(({ inConversation, type }, name) => (inConversation ? [name, z.optional(schemaOf(type))] : null));

/** Source: Codex 0.28.0, WIRE 10; null members count as absent. */
export const NewConversationParams = lazy(() =>
  z.object({ ...conversationSettings(), includeApplyPatchTool: z.optional(z.boolean()) }),
);

/** What a user sends. Source: Codex 0.28.0, InputItem: the data in snake_case. */
const items = () =>
  z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), data: z.object({ text: z.string() }) }),
      z.object({ type: z.literal('image'), data: z.object({ image_url: z.string() }) }),
      z.object({ type: z.literal('localImage'), data: z.object({ path: z.string() }) }),
    ]),
  );

/** The input items of a user, as they come on the wire. */
export type WireItems = z.output<ReturnType<typeof items>>;

/** The params of sendUserMessage. */
export const SendUserMessageParams = lazy(() => z.object({ conversationId: id(), items: items() }));

/** `xhigh` is of later releases. */
const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh'] as const;
const SUMMARIES = ['auto', 'concise', 'detailed', 'none'] as const;

/** Source: Codex 0.28.0; `effort` may be left out since the releases after it. */
export const SendUserTurnParams = lazy(() =>
  z.object({
    conversationId: id(),
    items: items(),
    cwd: z.string(),
    approvalPolicy: z.enum(APPROVAL_POLICIES),
    sandboxPolicy: WireSandboxPolicy(),
    model: z.string(),
    effort: z.optional(z.enum(EFFORTS)),
    summary: z.enum(SUMMARIES),
  }),
);

/** The params of methods that only name a conversation, such as interruptConversation. */
export const ConversationParams = lazy(() => z.object({ conversationId: id() }));
/** The params of the methods of later releases that only name a thread. Source: codex 0.169.0, `codex app-server generate-ts`. */
export const ThreadParams = lazy(() => z.object({ threadId: id() }));
/** The params of removeConversationListener. */
export const SubscriptionParams = lazy(() => z.object({ subscriptionId: id() }));
