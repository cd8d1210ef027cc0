/** The file format of a scripted model; docs/scripted-models.md describes it for users. */

/** Deltas: into how many pieces a text is cut, or the pieces. */
export type ScriptItem =
  | { text: string; deltas?: number | string[] }
  | { reasoning: string[]; deltas?: number }
  | { call: string; args: string | Record<string, unknown>; id?: string }
  | { delayMs: number };

/** Tokens to report; what is left out is reported as null, or for `total_tokens` as the sum. */
export type ScriptUsage = {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens?: number | null;
  reasoning_output_tokens?: number | null;
  total_tokens?: number;
};

/** How an answer fails: broken off, silent, or with an error. */
export type Fault = 'cut' | 'hang' | { error: string; retryable?: boolean };

/** One answer of the model, times in milliseconds; the fault, where there is one, comes after the items. */
export type ScriptStep = {
  items: ScriptItem[];
  usage?: ScriptUsage | null;
  delayMs?: number;
  deltaDelayMs?: number;
  fault?: Fault;
  faultTimes?: number;
};

/** The answers to a user message that matches the pattern `when`, one per round of tool calls. */
export type Scene = { when: string; answers: ScriptStep[] };

/** A whole document; `otherwise` answers what no scene does. */
export type Script = { scenes?: Scene[]; otherwise?: ScriptStep };
