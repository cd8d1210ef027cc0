/** What is known of a client, and the revision family that it speaks. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { McpLogLevel } from '../../protocol/mcp/mcp';

/** How a client names itself. */
export type ClientInfo = { name: string; version: string };

/** The revision family of one request, with what that family says about the client. */
export type Era = {
  modern: boolean;
  capabilities: JsonObject;
  /** Absent before the handshake. */
  revision?: string;
  /** Absent before the handshake; a client of 2026-07-28 need not name itself. */
  client?: ClientInfo;
  logLevel?: McpLogLevel;
};
