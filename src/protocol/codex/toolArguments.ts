/** The zod schemas of the arguments of `codex` and `codex-reply`, each made when it is first needed; the JSON Schemas are made from them. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import { APPROVAL_POLICIES, SANDBOX_MODES } from './settings';

const text = (about: string) => z.optional(z.string().check(z.describe(about)));

const approvalPolicy = () =>
  z
    .enum(APPROVAL_POLICIES)
    .check(
      z.describe(
        'When the user is asked before a command runs: `untrusted` (all but known harmless commands), `on-failure`, `on-request` (the model decides), `never`.',
      ),
    );

const sandbox = () =>
  z
    .enum(SANDBOX_MODES)
    .check(
      z.describe('What commands may touch: `read-only`, `workspace-write` (the folder `cwd`), `danger-full-access`.'),
    );

const config = () =>
  z
    .record(z.string(), z.unknown())
    .check(
      z.describe('Settings that override those of config.toml, by dotted key: `{"model_reasoning_effort": "high"}`.'),
    );

/**
 * The union of what 0.28.0 and 0.153.4 accept, with their kebab-case names.
 * Source: tools/list of Codex 0.28.0, 0.142.0 and 0.153.4.
 */
export const CodexArguments = lazy(() =>
  z.strictObject({
    prompt: z.string().check(z.describe('What the agent is to do, in plain words: the first message of a new thread.')),
    model: text('Model to use instead of the configured one, for example `gpt-5`.'),
    profile: text('Name of a profile in config.toml whose settings apply to this thread.'),
    cwd: text('Folder the agent works in; relative to the folder the server was started in. It must exist.'),
    'approval-policy': z.optional(approvalPolicy()),
    sandbox: z.optional(sandbox()),
    config: z.optional(config()),
    'base-instructions': text('Instructions used instead of the built-in ones.'),
    'developer-instructions': text('Instructions added as a message of the developer.'),
    'compact-prompt': text('Prompt used when a long conversation is summarised.'),
    'include-plan-tool': z.optional(
      z.boolean().check(z.describe('Offer the model the tool `update_plan`. Default: false.')),
    ),
  }),
);

/** Source: as CodexArguments; `cwd` and `config` are ours, `sessionId` is the name in 0.28.0, `conversationId` that of the releases between. */
export const CodexReplyArguments = lazy(() =>
  z.strictObject({
    prompt: z.string().check(z.describe('The next message to the thread.')),
    threadId: text(
      'The thread to continue, as returned by `codex`. Without any id: the newest thread of this connection.',
    ),
    conversationId: text('Older name of `threadId`.'),
    sessionId: text('Oldest name of `threadId`.'),
    cwd: text('Folder the agent works in from now on.'),
    config: z.optional(
      z
        .strictObject({ environment_id: z.string() })
        .check(z.describe('Where the agent works from now on: `{"environment_id": "box"}`. Its files are not moved.')),
    ),
  }),
);
