/** Hides what an address may carry as a credential: values of its query, and parts of its path that no person would choose. */
import { REDACTED } from './redactText';

const ADDRESS = /^([a-z][\w+.-]*:\/\/[^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;

/** Words of a path are short, or of one case and without digits: `mcp`, `v1`, `code-search`. */
const MIN_CHARS = 12;
const MAX_WORD_CHARS = 23;
const isChosen = (part: string): boolean =>
  part.length < MIN_CHARS ||
  (/^(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)$/.test(part) ? part.length <= MAX_WORD_CHARS : part === REDACTED);

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A name of several words is one if each word is; a word with digits counts as part of a token unless it is short. */
const isPlain = (segment: string): boolean => {
  if (UUID.test(segment)) return false;
  const words = segment.split(/[-_.~]/);
  const digits = segment.replace(/\D/g, '').length;
  return words.every(isChosen) && (segment.length < MIN_CHARS || digits <= 2);
};

const maskQuery = (query: string): string => query.replace(/=[^&]+/g, `=${REDACTED}`);

/**
 * An address with its credentials masked; any other text as it is.
 *   https://host/s/0a1b2c3d4e5f6a7b/mcp?key=x  →  https://host/s/[redacted]/mcp?key=[redacted]
 */
export const maskAddress = (text: string): string => {
  const [whole, origin, path = '', query = '', fragment = ''] = ADDRESS.exec(text) ?? [];
  if (whole === undefined) return text;
  const segments = path.split('/').map((segment) => (isPlain(segment) ? segment : REDACTED));
  const isBare = query !== '' && !query.includes('=');
  return origin + segments.join('/') + (isBare ? `?${REDACTED}` : maskQuery(query)) + maskQuery(fragment);
};
