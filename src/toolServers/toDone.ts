/** The result of a tool as a model reads it. */
import type { JsonObject } from '../protocol/jsonrpc';
import { MAX_OUTPUT_BYTES } from '../tools';
import type { CallEvent } from './toolServer';
import { toShortJson } from './toShortJson';

const FAILED = 'tool call error: ';

type Done = Extract<CallEvent, { kind: 'done' }>;

/**
 * The structured content, else the list of contents, as JSON whose long texts are cut. An error that the tool reports stays one.
 * Source: Codex 0.28.0, CORE 9; there the error was not passed on.
 */
export const toDone = (result: JsonObject): Done => {
  const { structuredContent, content = [], isError } = result;
  const value = structuredContent ?? content;
  const text =
    isError === true ? `${FAILED}${toShortJson(value, MAX_OUTPUT_BYTES - FAILED.length)}` : toShortJson(value);
  return { kind: 'done', result: { Ok: result }, text };
};

/** A call that came to nothing, and why. */
export const failed = (why: string): Done => ({
  kind: 'done',
  result: { Err: why },
  text: `${FAILED}${why}`,
});
