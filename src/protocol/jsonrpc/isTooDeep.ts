/** Whether a value from outside is nested too deeply to be processed. */

/** Source: serde_json, with which Codex reads, stops at 128 levels; JSON.stringify overflows the stack at some 5,000. */
export const MAX_LEVELS = 256;

/** True for JSON whose value may be too deep: each level takes at least two characters. */
export const mayBeTooDeep = (text: string): boolean => text.length > 2 * MAX_LEVELS;

/** True for a value of more than 256 levels, such as `[[…]]`: walking through it would overflow the stack and end the server. */
export const isTooDeep = (value: unknown, levels = MAX_LEVELS): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((part) => isTooDeep(part, levels - 1));
  for (const name in value) if (isTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
};
