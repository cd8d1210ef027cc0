/** Properties of models, known by name. */

/** Whether requests to a family may have the field `reasoning`. The first match applies. */
const families: readonly (readonly [prefix: string, reasons: boolean])[] = [
  ['o3', true],
  ['o4-mini', true],
  ['codex-', true],
  ['gpt-4.1', false],
  ['gpt-oss', false],
  ['gpt-4o', false],
  ['gpt-3.5', false],
  ['gpt-5', true],
];

const windows: ReadonlyMap<string, number> = new Map([
  ['gpt-5', 400_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['codex-mini-latest', 200_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-4.1-2025-04-14', 1_047_576],
  ['gpt-4o', 128_000],
  ['gpt-4o-2024-05-13', 128_000],
  ['gpt-4o-2024-08-06', 128_000],
  ['gpt-4o-2024-11-20', 128_000],
  ['gpt-3.5-turbo', 16_385],
  ['gpt-oss-20b', 96_000],
  ['gpt-oss-120b', 96_000],
]);

/** The context window of a model in tokens, by its exact name; null where unknown. Source: Codex 0.28.0, `task_started`. */
export const contextWindowOf = (model: string): number | null =>
  windows.get(model) ?? (model.startsWith('codex-') ? 400_000 : null);

/** Whether a request to this model may have the field `reasoning`; undefined for an unknown family. Source: Codex 0.28.0, requests. */
export const familyReasons = (model: string): boolean | undefined =>
  families.find(([prefix]) => model.startsWith(prefix))?.[1];

/**
 * Whether a request to this model may have the field `text.verbosity`. Source: Codex 0.28.0, requests; 0.142.0, models for code take
 * none.
 */
export const hasVerbosity = (model: string): boolean => model.startsWith('gpt-5') && !model.includes('-codex');
