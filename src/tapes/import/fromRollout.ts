/** Imports a rollout of Codex: the messages of its user become calls of the tools `codex` and `codex-reply`. */
import { isObject, type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import { type RolloutItem, readRolloutLine } from '../../threads/lines/readRolloutLine';
import { toSessionStart } from '../../threads/lines/sessionStart';
import { type Importer, type Report, type SourceLine, toMs } from './importer';
import { itemReader } from './itemReader';

/**
 * Reads a rollout as a session on MCP: `codex` for the first message of the user, `codex-reply` for each later one,
 * the events of the turn as `codex/event`. An entry has the time of its line, or comes 1 ms after the previous entry.
 */
export const fromRollout = (report: Report): Importer => {
  let head: SourceLine | undefined;
  const named = new Set<string>();
  const items = itemReader((value) => readWithMissing(value, named), report);
  return {
    learn: (line) => {
      if (head === undefined) head = line;
      else {
        for (const item of readRolloutLine(line.value) ?? []) named.add(kindOf(item));
        items.learn(line);
      }
    },
    begin: () => {
      const { threadId, timestamp, cliVersion } = toSessionStart(head?.value ?? {});
      const startedMs = toMs(timestamp) ?? 0;
      const server = cliVersion === undefined ? {} : { server: { name: 'codex', version: cliVersion } };
      const meta = { started: new Date(startedMs).toISOString(), thread: threadId, ...server };
      return { meta, entries: items.begin({ threadId, startedMs }) };
    },
    read: (line) => (line.lineNumber === head?.lineNumber ? [] : items.read(line)),
    end: items.end,
  };
};

/** Some programs write the items of a session without its events: then a message, a prompt or a thought is read from its item. */
const readWithMissing = (value: JsonObject, named: ReadonlySet<string>): RolloutItem[] | undefined => {
  const { type, payload } = value;
  if (type !== 'response_item' || !isObject(payload) || !/^(message|reasoning)$/.test(wordOf(payload.type)))
    return readRolloutLine(value);
  return (readRolloutLine(payload) ?? []).filter((item) => !named.has(kindOf(item)));
};

const kindOf = (item: RolloutItem): string => (item.kind === 'event' ? wordOf(item.msg.type) : item.kind);
