/** The texts of a ChatGPT plan's limits. Source: Codex 0.28.0, cases mh08 to mh11. */
import type { JsonObject } from '../../protocol/jsonrpc/json';

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration for people, such as `3 hours 32 minutes`. */
export const toDuration = (seconds: number): string => {
  const parts = UNITS.map(([unit, size], at) => {
    const whole = UNITS[at - 1]?.[1] ?? Number.POSITIVE_INFINITY;
    const count = Math.floor((seconds % whole) / size);
    return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
  }).filter((part) => part !== '');
  return parts.length === 0 ? 'less than a minute' : parts.join(' ');
};

const isWait = (seconds: unknown): seconds is number => Number.isFinite(seconds) && Number(seconds) >= 0;

const toLimitText = ({ plan_type, resets_in_seconds }: JsonObject): string => {
  const when = isWait(resets_in_seconds) ? `in ${toDuration(resets_in_seconds)}` : 'later';
  return plan_type === 'plus'
    ? `You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again ${when}.`
    : `You've hit your usage limit. Try again ${when}.`;
};

/** Explains to the user what a plan's limit means; undefined when `error` is not about one. */
export const toUsageText = (error: JsonObject): string | undefined => {
  switch (error.type) {
    case 'usage_limit_reached':
      return toLimitText(error);
    case 'usage_not_included':
      return 'To use Codex with your ChatGPT plan, upgrade to Plus: https://openai.com/chatgpt/pricing.';
    default:
      return undefined;
  }
};
