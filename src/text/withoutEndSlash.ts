/** Addresses and paths that are compared. */

/** The text without the slashes at its end. The time is linear: somebody else wrote it, and may have written a million slashes. */
export const withoutEndSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
