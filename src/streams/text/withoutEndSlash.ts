/** Addresses and paths in a form that can be compared. */

/** The text without the slashes at its end. The time is linear: somebody else wrote the text, and it may end with a million slashes. */
export const withoutEndSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
