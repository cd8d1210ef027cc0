/** What happens in one HTTP request and its response, as MCP's transports over HTTP use them. */

/**
 * `id` numbers the request. `opened`: its head came; `path` includes the query, `session` is the value of `Mcp-Session-Id`.
 * `message`: a line of the client (`in`) or of the server (`out`); `eventId` is that of its event, for resumption. `answered`: the head
 * of the response. `endpoint`: where the older transport takes the client's messages. `closed` comes last; `isWhole` is false if the client
 * did not wait for the end of the response.
 */
export type ExchangeEvent =
  | { kind: 'opened'; id: number; method: string; path: string; session?: string }
  | { kind: 'message'; id: number; dir: 'in' | 'out'; line: string; eventId?: string }
  | { kind: 'answered'; id: number; status: number; session?: string }
  | { kind: 'endpoint'; id: number; path: string }
  | { kind: 'closed'; id: number; isWhole: boolean; trouble?: string };
