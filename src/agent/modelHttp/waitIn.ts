/** How long a server asks to wait, in the words of its error. */

/** A server that asks for a longer wait is not asked again: it would refuse every remaining attempt. */
export const PATIENCE_MS = 300_000;

const WAIT = /\b(?:try again|retry) (?:in|after)((?:\s*(?:and )?\d+(?:\.\d+)?\s*[a-z]+)+)/i;

const PART = /(\d+(?:\.\d+)?)\s*([a-z]+)/gi;

const UNITS: readonly (readonly [name: RegExp, ms: number])[] = [
  [/^(?:ms|milli)/i, 1],
  [/^s/i, 1_000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
  [/^d/i, 86_400_000],
];

/**
 * The wait in ms; undefined if the text asks for none.
 *   Please try again in 7m12.5s  →  432500
 * Source: OpenAI, Azure, Groq, Gemini, which send no header then; Codex 0.171.0 waits so after an answer that failed.
 */
export const waitIn = (text: string): number | undefined => {
  const [, wait = ''] = WAIT.exec(text) ?? [];
  const parts = [...wait.matchAll(PART)].map(([, count, unit = '']) => {
    const ms = UNITS.find(([name]) => name.test(unit))?.[1];
    return ms === undefined ? Number.NaN : Number(count) * ms;
  });
  const waitMs = parts.reduce((sum, ms) => sum + ms, 0);
  return waitMs > 0 ? Math.ceil(waitMs) : undefined;
};
