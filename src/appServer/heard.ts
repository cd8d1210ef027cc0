/** Owns what is remembered of one turn while it is told. */
import type { EventMsg } from '../protocol/codex';
import type { JsonObject } from '../protocol/jsonrpc';

/**
 * What one turn has said so far. `open` are the items that have begun in the server, by id; `held` those of them whose
 * beginning was not told yet; `asked` those that somebody was asked about; `said` is the last message of the agent; `diff`
 * the last difference that was told.
 */
export type Heard = {
  open: Map<string, JsonObject>;
  held: Set<string>;
  asked: Set<string>;
  said: string | null;
  diff: string;
};

export const nothingHeard = (): Heard => ({ open: new Map(), held: new Set(), asked: new Set(), said: null, diff: '' });

/** What the params of a notification say; `heard` is changed by it. */
export type ToMsgs = (heard: Heard, params: JsonObject) => EventMsg[];
