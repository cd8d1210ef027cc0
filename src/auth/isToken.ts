/** What a token consists of. */

/** Whether a value can be sent as a token: visible characters of ASCII, so that it is one header and nothing else. Source: RFC 6749 A.12, A.17. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
