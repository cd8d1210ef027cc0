/** How a client names itself. */
export type ClientInfo = { name: string; version: string };
