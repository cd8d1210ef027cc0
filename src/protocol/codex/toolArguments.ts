/** The zod schemas of the arguments of `codex` and `codex-reply`, each made when it is first needed; the JSON Schemas are made from them. */
import * as z from 'zod/mini';
import { lazy } from '../../streams/lazy';
import type { SettingType, ValueOf } from './settingRow';
import { BOUNDS, fromRows, type SettingName, THREAD_SETTINGS, type ThreadSettings } from './settings';

/** The zod schema of a setting. */
export type SettingSchema<N extends SettingName> = z.ZodMiniOptional<
  z.ZodMiniType<NonNullable<ThreadSettings[N]>, NonNullable<ThreadSettings[N]>>
>;

/** The zod schema of the values of a type. */
export const schemaOf = (type: SettingType): z.ZodMiniType<ValueOf<SettingType>> => {
  if (typeof type === 'object') return z.enum(type);
  return { text: z.string(), flag: z.boolean(), whole: z.int(), table: z.record(z.string(), z.unknown()) }[type];
};

/** The setting that each argument of `codex` sets. */
type Settings = {
  [N in SettingName as (typeof THREAD_SETTINGS)[N]['argument'] extends { name: infer A extends string } ? A : never]: N;
};

type ArgumentSchemas = { [A in keyof Settings]: SettingSchema<Settings[A]> };

/** The union of what 0.28.0 and 0.153.4 accept, with their kebab-case names. Source: tools/list of Codex 0.28.0, 0.142.0 and 0.153.4. */
export const CodexArguments = lazy(() =>
  z.strictObject({
    prompt: z.string().check(z.describe('What the agent is to do, in plain words: the first message of a new thread.')),
    ...fromRows<ArgumentSchemas>(
      ({ argument, type }) => argument && [argument.name, z.optional(schemaOf(type).check(z.describe(argument.about)))],
    ),
  }),
);

/** The settings that the arguments of `codex` ask for. Bounds in `config` are settings too, so that they are kept with the thread. */
export const settingsOf = (args: Partial<Record<string, unknown>>): ThreadSettings => {
  const settings = fromRows<ThreadSettings>(({ argument }, name) => {
    const value = argument && args[argument.name];
    return value == null ? null : [name, value];
  });
  const { config = {} } = settings;
  const bounds = BOUNDS.map((name) => [name, config[THREAD_SETTINGS[name].key.name]] as const);
  return { ...settings, ...Object.fromEntries(bounds.filter(([, value]) => isBound(value))) };
};

/** Any other value is left to the configuration, which refuses it. */
const isBound = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** The arguments of codex-wait and codex-interrupt. */
export const ThreadArguments = lazy(() =>
  z.strictObject({ threadId: z.string().check(z.describe('The thread, as a result of `codex` named it.')) }),
);

/** The arguments of codex-threads. */
export const ThreadsArguments = lazy(() =>
  z.strictObject({ limit: z.optional(z.int().check(z.gte(1), z.lte(100), z.describe('How many. Default: 20.'))) }),
);

const text = (about: string) => z.optional(z.string().check(z.describe(about)));

/** Source: as CodexArguments; `cwd` and `config` are ours, 0.28.0 has `sessionId`, the releases after it `conversationId`. */
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
