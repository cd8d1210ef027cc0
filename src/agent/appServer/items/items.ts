/** The items of a turn in the shapes of `codex/event`. */
import type {
  Duration,
  FileChange,
  FileChanges,
  ParsedCommand,
  ToolInvocation,
} from '../../../protocol/codex/eventMsg';
import { splitWords } from '../../../streams/text/words';
import type { Action, Change, Item } from '../shapes';

/** The command of an item or of an approval request, as words. */
export const commandOf = ({ command }: Pick<Item, 'command'>): string[] => splitCommand(command);

const toParsed = ({ type, command: cmd, name, path, query }: Action): ParsedCommand => {
  if (type === 'read') return { type, cmd, name };
  if (type === 'listFiles') return { type: 'list_files', cmd, path };
  if (type === 'search') return { type, cmd, query, path };
  return { type: 'unknown', cmd };
};

export const parsedOf = ({ commandActions }: Item): ParsedCommand[] => commandActions.map(toParsed);

const toFileChange = ({ kind, diff }: Change): FileChange => {
  if (kind.type === 'add') return { add: { content: diff } };
  if (kind.type === 'delete') return { delete: { content: diff } };
  const movePath = kind.move_path || kind.movePath;
  const unified_diff = movePath ? withoutDestination(diff) : diff;
  return { update: { unified_diff, move_path: movePath || null } };
};

/** The text of a move has its destination glued to the end. */
const withoutDestination = (diff: string): string => {
  const at = diff.indexOf('Moved to: ', diff.trimEnd().lastIndexOf('\n') + 1);
  return at < 0 ? diff : `${diff.slice(0, at).replace(/(?<!\n)\n+$/, '')}\n`;
};

export const changesOf = ({ changes }: Pick<Item, 'changes'>): FileChanges =>
  Object.fromEntries(changes.map((change) => [change.path, toFileChange(change)]));

export const invocationOf = ({ server, tool, arguments: args }: Item): ToolInvocation => ({
  server,
  tool,
  arguments: args ?? null,
});

export const durationOf = ({ durationMs }: Item): Duration => ({
  secs: Math.floor(durationMs / 1000),
  nanos: Math.round((durationMs % 1000) * 1e6),
});

const LETTER = { add: 'A', delete: 'D', update: 'M' } as const;

/** The output of a patch that was applied. */
export const summaryOf = (changes: FileChanges): string =>
  [
    'Success. Updated the following files:',
    ...Object.entries(changes).map(
      ([path, change]) => `${LETTER[Object.keys(change)[0] as keyof typeof LETTER]} ${path}`,
    ),
    '',
  ].join('\n');

/** Splits a command line as a POSIX shell would; if it ends within quotes, at white space. */
export const splitCommand = (line: string): string[] => splitWords(line) ?? line.split(/\s+/).filter(Boolean);
