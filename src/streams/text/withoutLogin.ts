/** Addresses in a form for people. */

/** An address without the user, the password or the token before its host; any other text unchanged. */
export const withoutLogin = (address: string): string => address.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1');
