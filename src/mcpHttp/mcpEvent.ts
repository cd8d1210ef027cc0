/** What a client of an MCP server over HTTP emits. */

/**
 * A line of the server, with its HTTP status where that is an error; `log` is for people, about a message that failed; `ended`: the server cannot be reached,
 * for the cause `trouble`.
 */
export type McpEvent =
  | { kind: 'line'; line: string; status?: number }
  | { kind: 'log'; line: string; status?: number }
  | { kind: 'ended'; trouble: string };
