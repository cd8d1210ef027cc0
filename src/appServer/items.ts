/** Owns what the items of a turn are in the words of `codex/event`. */
import type { Duration, FileChange, FileChanges, ParsedCommand, ToolInvocation } from '../protocol/codex';
import type { JsonObject } from '../protocol/jsonrpc';
import { splitCommand } from './splitCommand';
import { numberOf, objectOf, textOf } from './wire';

/** The command of an item or of a request for approval, as words. */
export const commandOf = ({ command }: JsonObject): string[] => splitCommand(textOf(command));

const actionOf = (action: unknown): ParsedCommand => {
  const { type, command, name, path, query } = objectOf(action);
  const cmd = textOf(command);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  if (type === 'read') return { type, cmd, name: textOf(name) };
  if (type === 'listFiles') return { type: 'list_files', cmd, path: text(path) };
  if (type === 'search') return { type, cmd, query: text(query), path: text(path) };
  return { type: 'unknown', cmd };
};

export const parsedOf = ({ commandActions }: JsonObject): ParsedCommand[] =>
  Array.isArray(commandActions) ? commandActions.map(actionOf) : [];

const toChange = ({ kind, diff }: JsonObject): FileChange => {
  const { type, move_path, movePath } = objectOf(kind);
  if (type === 'add') return { add: { content: textOf(diff) } };
  if (type === 'delete') return { delete: { content: textOf(diff) } };
  const moved = textOf(move_path) || textOf(movePath);
  // The text of a move has its destination glued to the end.
  const unified_diff = moved ? textOf(diff).replace(/\n*Moved to: .*\s*$/, '\n') : textOf(diff);
  return { update: { unified_diff, move_path: moved || null } };
};

export const changesOf = ({ changes }: JsonObject): FileChanges =>
  Object.fromEntries(
    (Array.isArray(changes) ? changes : []).map((each) => [textOf(objectOf(each).path), toChange(objectOf(each))]),
  );

export const invocationOf = ({ server, tool, arguments: given }: JsonObject): ToolInvocation => ({
  server: textOf(server),
  tool: textOf(tool),
  arguments: given ?? null,
});

export const durationOf = ({ durationMs }: JsonObject): Duration => {
  const ms = numberOf(durationMs);
  return { secs: Math.floor(ms / 1000), nanos: Math.round((ms % 1000) * 1e6) };
};

const LETTER = { add: 'A', delete: 'D', update: 'M' } as const;

/** What a patch that was applied says for itself. */
export const summaryOf = (changes: FileChanges): string =>
  [
    'Success. Updated the following files:',
    ...Object.entries(changes).map(
      ([path, change]) => `${LETTER[Object.keys(change)[0] as keyof typeof LETTER]} ${path}`,
    ),
    '',
  ].join('\n');
