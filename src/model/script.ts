/** Owns the file format of a scripted model; docs/scripted-models.md tells it to users. */
import { lazy } from '../lazy';
import { ModelError } from '../protocol/model';

/** The check needs zod, which is slow to load: a model that is no script does without. */
const schema = lazy(() => require('./scriptSchema') as typeof import('./scriptSchema'));

/** Deltas: into how many pieces a text is cut, or the pieces. */
export type ScriptItem =
  | { text: string; deltas?: number | string[] }
  | { reasoning: string[]; deltas?: number }
  | { call: string; args: string | Record<string, unknown>; id?: string }
  | { delayMs: number };

/** Tokens to report; what is left out is null, or the sum. */
export type ScriptUsage = {
  input_tokens: number;
  output_tokens: number;
  cached_input_tokens?: number | null;
  reasoning_output_tokens?: number | null;
  total_tokens?: number;
};

/** How an answer ends instead of well: broken off, silent, or with an error. */
export type Fault = 'cut' | 'hang' | { error: string; retryable?: boolean };

/** One answer of the model; the fault, where there is one, comes after the items. */
export type Step = {
  items: ScriptItem[];
  usage?: ScriptUsage | null;
  delayMs?: number;
  deltaDelayMs?: number;
  fault?: Fault;
  faultTimes?: number;
};

/** The answers to a user message that the pattern `when` fits, one per tool round. */
export type Scene = { when: string; answers: Step[] };

/** A whole document; `otherwise` answers what no scene does. */
export type Script = { scenes?: Scene[]; otherwise?: Step };

/**
 * Reads a script. Throws ModelError, not retryable, that says where in the document what is wrong.
 * @param path only for the texts of errors
 */
export const parseScript = (path: string, text: string): Script => {
  const read = schema().checkScript(toValue(path, text));
  if ('script' in read) return read.script;
  const faults = read.faults.map((fault) => `${toPlace(fault.path)}: ${fault.message}`);
  throw new ModelError(`The script ${path} cannot be used: ${faults.join('; ')}`, false);
};

const toValue = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ModelError(`The script ${path} is not JSON: ${(error as Error).message}`, false);
  }
};

/** ['scenes', 0, 'when'] as scenes[0].when */
const toPlace = (path: PropertyKey[]): string =>
  path.reduce<string>((place, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '') || 'the document';
