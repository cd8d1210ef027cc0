/** How long a response that nobody reads may take to end, so that its connection can be used again, in ms. */
export const LINGER_MS = 100;
