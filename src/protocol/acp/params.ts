/** The zod schemas of the params of a client's requests, each made when it is first needed. Members that are not named here are ignored. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';

const text = () => z.string();
const absent = <S extends z.core.$ZodType>(schema: S) => z.optional(z.nullable(schema));

/** Source: schema InitializeRequest; the version is a number of 16 bits. */
export const InitializeParams = lazy(() =>
  z.object({
    protocolVersion: z.int().check(z.gte(0), z.lte(65_535)),
    clientCapabilities: z.optional(z.unknown()),
    clientInfo: absent(z.object({ name: text(), version: text() })),
  }),
);

/** Source: schema AuthenticateRequest. */
export const AuthenticateParams = lazy(() => z.object({ methodId: text() }));

/** Params with a server of models. Source: codex-acp 2.6.0, README and `_meta.gateway` of its auth method. */
export const GatewayParams = lazy(() =>
  z.object({
    _meta: z.object({
      gateway: z.object({
        baseUrl: text(),
        headers: absent(z.record(text(), text())),
        providerName: absent(text()),
      }),
    }),
  }),
);

/** Source: schema SetProviderRequest of the draft. */
export const ProviderParams = lazy(() =>
  z.object({
    providerId: text(),
    apiType: text(),
    baseUrl: text(),
    headers: absent(z.record(text(), text())),
  }),
);

/** Source: schema DisableProviderRequest of the draft. */
export const ProviderIdParams = lazy(() => z.object({ providerId: text() }));

const named = () => z.array(z.object({ name: text(), value: text() }));

const McpServer = lazy(() =>
  z.union([
    z.object({ type: z.enum(['http', 'sse']), name: text(), url: text(), headers: z.optional(named()) }),
    z.object({
      type: z.optional(z.literal('stdio')),
      name: text(),
      command: text(),
      args: z.optional(z.array(text())),
      env: z.optional(named()),
    }),
  ]),
);

/** A server that the client gives to a session. */
export type GivenServer = z.output<ReturnType<typeof McpServer>>;

/** Source: schema SystemPrompt of the draft. */
const SystemPrompt = lazy(() =>
  z.object({
    mode: z.literal('append'),
    content: z.array(z.object({ type: z.literal('text'), text: text() })).check(z.minLength(1)),
  }),
);

const workspace = () => ({
  cwd: text(),
  additionalDirectories: absent(z.array(text())),
  mcpServers: absent(z.array(McpServer())),
  systemPrompt: absent(SystemPrompt()),
});

/** Where a session works, and with which servers. */
export type Workspace = {
  /** Its folder. */
  cwd: string;
  /** Further folders in which it works. */
  additionalDirectories?: string[] | null;
  /** Servers whose tools it gets. */
  mcpServers?: GivenServer[] | null;
  /** What its model reads besides the instructions of the agent. */
  systemPrompt?: { content: { text: string }[] } | null;
};

/** Source: schema NewSessionRequest; `mcpServers` may be missing, as an older client leaves it out. */
export const NewSessionParams = lazy(() => z.object(workspace()));

/** Source: schema LoadSessionRequest, ResumeSessionRequest. */
export const StoredSessionParams = lazy(() => z.object({ sessionId: text(), ...workspace() }));

/** Source: schema ListSessionsRequest; `archived` is of the draft. */
export const ListSessionsParams = lazy(() =>
  z.object({ cwd: absent(text()), cursor: absent(text()), archived: absent(z.enum(['exclude', 'include', 'only'])) }),
);

/** Source: schema CloseSessionRequest, DeleteSessionRequest, CancelNotification; of the draft ArchiveSessionRequest, SessionStatusRequest. */
export const SessionParams = lazy(() => z.object({ sessionId: text() }));

/** Source: the draft SetSessionTitleRequest of @agentclientprotocol/sdk as codex-acp 2.6.0 serves it. */
export const SetTitleParams = lazy(() => z.object({ sessionId: text(), title: text() }));

/** Source: session/set_model of codex-acp 2.6.0, which an earlier schema had; `modelId` may end with an effort in brackets. */
export const SetModelParams = lazy(() => z.object({ sessionId: text(), modelId: text() }));

/** Source: schema SetSessionModeRequest. */
export const SetModeParams = lazy(() => z.object({ sessionId: text(), modeId: text() }));

/** Source: schema SetSessionConfigOptionRequest. No option of this agent is boolean: such a value is read, and then rejected as none of its values. */
export const SetConfigOptionParams = lazy(() =>
  z.object({ sessionId: text(), configId: text(), value: z.union([text(), z.boolean()]) }),
);

const block = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text: text() }),
    z.object({ type: z.literal('image'), data: text(), mimeType: text() }),
    z.object({ type: z.literal('audio'), data: text(), mimeType: text() }),
    z.object({ type: z.literal('resource_link'), uri: text(), name: text() }),
    z.object({
      type: z.literal('resource'),
      resource: z.union([
        z.object({ uri: text(), text: text(), mimeType: absent(text()) }),
        z.object({ uri: text(), blob: text(), mimeType: absent(text()) }),
      ]),
    }),
  ]),
);

/** A part of a prompt. */
export type PromptBlock = z.output<ReturnType<typeof block>>;

/** Source: schema PromptRequest. */
export const PromptParams = lazy(() => z.object({ sessionId: text(), prompt: z.array(block()) }));
