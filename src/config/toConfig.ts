/** Owns the names: from the keys of the file and the arguments of a call to the fields of a Config. */
import type { ThreadSettings } from '../protocol';
import type { Config, ShellEnvironment } from './config';
import { contextWindowOf, familyReasons } from './modelFamily';
import type { Checked } from './schema';

type Completed = Pick<Config, 'cwd' | 'provider' | 'baseInstructions'>;
type Texts = Pick<Config, 'baseInstructions' | 'developerInstructions' | 'compactPrompt'>;

/** Puts a Config together; an argument of the call beats its key. */
export const toConfig = (
  checked: Checked,
  settings: ThreadSettings,
  { cwd, provider, baseInstructions }: Completed,
): Config => ({
  ...ofModel(checked, settings.model ?? checked.model),
  provider,
  cwd,
  approvalPolicy: settings.approvalPolicy ?? checked.approval_policy,
  sandboxMode: settings.sandbox ?? checked.sandbox_mode,
  includePlanTool: settings.includePlanTool ?? false,
  disableResponseStorage: checked.disable_response_storage,
  showRawReasoning: checked.show_raw_agent_reasoning,
  projectDocMaxBytes: checked.project_doc_max_bytes,
  shellEnvironment: toShellEnvironment(checked.shell_environment_policy),
  ...given({
    baseInstructions: settings.baseInstructions ?? baseInstructions,
    developerInstructions: settings.developerInstructions ?? checked.developer_instructions,
    compactPrompt: settings.compactPrompt ?? checked.compact_prompt,
  }),
});

const ofModel = (checked: Checked, model: string) => ({
  model,
  reasoningEffort: checked.model_reasoning_effort,
  reasoningSummary: checked.model_reasoning_summary,
  supportsReasoningSummaries: familyReasons(model) ?? checked.model_supports_reasoning_summaries,
  contextWindow: checked.model_context_window ?? contextWindowOf(model),
  ...(checked.model_verbosity === undefined ? {} : { verbosity: checked.model_verbosity }),
});

// An absent text is an absent field, so that equal settings give equal objects.
const given = (texts: Record<keyof Texts, string | undefined>): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));

const toShellEnvironment = (policy: Checked['shell_environment_policy']): ShellEnvironment => ({
  inherit: policy.inherit,
  ignoreDefaultExcludes: policy.ignore_default_excludes,
  exclude: policy.exclude,
  set: policy.set,
  includeOnly: policy.include_only,
});
