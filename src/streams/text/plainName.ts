/** Names that become parts of others, such as of NATS subjects, streams and buckets, in which a dot, a space, `*`, `>` or `/` has another meaning. */

const PLAIN = /^[\w-]{1,64}$/;

/** What such a name consists of, for an error. */
export const PLAIN_NAME = 'letters, digits, - and _, up to 64 of them';

/** True for a name of 1 to 64 letters, digits, `-` and `_`. */
export const isPlainName = (name: string): boolean => PLAIN.test(name);
