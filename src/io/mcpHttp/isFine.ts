/** The status of an HTTP response. */

/** Whether a status means success. */
export const isFine = (status: number): boolean => status >= 200 && status < 300;
