/** How long a response that nobody reads may take to end before its connection is closed instead of kept, in ms. */
export const LINGER_MS = 100;
