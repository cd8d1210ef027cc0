/** The result of a tool as a model reads it. */
import type { JsonObject } from '../protocol/jsonrpc';
import type { CallEvent } from './toolServer';

type Done = Extract<CallEvent, { kind: 'done' }>;

/**
 * The structured content, else the list of contents, as JSON. An error that the tool reports stays one.
 * Source: Codex 0.28.0, CORE 9; there the error was not passed on.
 */
export const toDone = (result: JsonObject): Done => {
  const { structuredContent, content = [], isError } = result;
  const text = JSON.stringify(structuredContent ?? content);
  return { kind: 'done', result: { Ok: result }, text: isError === true ? `tool call error: ${text}` : text };
};

/** A call that came to nothing, and why. */
export const failed = (why: string): Done => ({
  kind: 'done',
  result: { Err: why },
  text: `tool call error: ${why}`,
});
