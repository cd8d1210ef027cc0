/** The characters of a token. */

/** Whether a value can be sent as a token: printable ASCII characters, so that it is one header and nothing else. Source: RFC 6749 A.12, A.17. */
export const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
