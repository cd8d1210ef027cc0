/** The calls of the agent as tool calls of ACP: what they do, and what came of them. */
import { resolve } from 'node:path';
import type { ContentBlock, ToolCallContent, ToolCallFields, ToolKind } from '../../protocol/acp/acp';
import type { EventMsg, FileChange, FileChanges, ParsedCommand, ToolInvocation } from '../../protocol/codex/eventMsg';
import { isObject, textOf, toObject } from '../../protocol/jsonrpc/json';
import { clip } from '../../streams/text/trim';
import { toVisible } from '../../streams/text/visible';
import { joinWords } from '../../streams/text/words';

type Msg<T> = Extract<EventMsg, { type: T }>;

/** A line that a person reads. */
const MAX_TITLE = 200;
/** Characters of an output that a client gets. */
const MAX_OUTPUT = 65_536;

/** A text of others as a title: one line, with what is unseen made visible. */
export const toTitle = (text: string): string => clip(toVisible(text), MAX_TITLE);

/** A text as the content of a tool call. */
export const textContent = (text: string): ToolCallContent => ({ type: 'content', content: { type: 'text', text } });

/** A command before it runs. */
export const ofCommand = ({
  command,
  cwd,
  parsed_cmd: parsed = [],
}: Pick<Msg<'exec_command_begin'>, 'command' | 'cwd'> & { parsed_cmd?: ParsedCommand[] }): ToolCallFields => ({
  title: toTitle(scriptOf(command)),
  kind: kindOf(parsed),
  locations: parsed.flatMap((one) => ('path' in one && one.path !== null ? [{ path: resolve(cwd, one.path) }] : [])),
  rawInput: { command, cwd },
});

/** Models give most commands to a shell. */
const scriptOf = (command: readonly string[]): string => {
  const [, flag = '', script] = command;
  return command.length === 3 && /^-l?c$/.test(flag) && script !== undefined ? script : joinWords(command);
};

const KINDS: Record<ParsedCommand['type'], ToolKind> = {
  read: 'read',
  list_files: 'search',
  search: 'search',
  unknown: 'execute',
};

/** A command that reads and then does something else is shown as what it does. */
const kindOf = (parsed: readonly ParsedCommand[]): ToolKind => {
  const [kind = 'execute', ...others] = new Set(parsed.map(({ type }) => KINDS[type]));
  return others.length === 0 ? kind : 'execute';
};

/** The output of a command so far. Clients show it as Markdown, so it stands between fences that it does not have itself. */
export const ofOutput = (output: string): readonly ToolCallContent[] => {
  const longest = Math.max(2, ...[...output.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return output === '' ? [] : [textContent(`${fence}\n${output.replace(/\n$/, '')}\n${fence}`)];
};

/**
 * A command that has ended. The exit code is a text too: a client that gets `rawOutput` shows it in place of the content, or
 * before it. Source: `@mcpc-tech/acp-ai-provider` 0.2.9, acpx 0.19.1.
 */
export const ofCommandEnd = (msg: Msg<'exec_command_end'>): ToolCallFields => ({
  status: msg.exit_code === 0 && msg.status !== 'failed' ? 'completed' : 'failed',
  content: [
    ...ofOutput(clip(msg.aggregated_output || msg.stdout + msg.stderr, MAX_OUTPUT)),
    ...(msg.exit_code > 0 ? [textContent(`Exit code ${msg.exit_code}`)] : []),
  ],
});

/** A patch before it is applied. */
export const ofChanges = (changes: FileChanges, cwd: string): ToolCallFields => {
  const paths = Object.entries(changes).flatMap(([path, change]) => [path, movedTo(change)].filter(isGiven));
  return {
    title: toTitle(`Edit ${paths.join(', ')}`),
    kind: kindOfChanges(Object.values(changes)),
    locations: paths.map((path) => ({ path: resolve(cwd, path) })),
    content: Object.entries(changes).flatMap(([path, change]) => toDiffs(resolve(cwd, path), change, cwd)),
  };
};

const isGiven = (path: string | null): path is string => path !== null;

const movedTo = (change: FileChange): string | null => ('update' in change ? change.update.move_path : null);

const kindOfChanges = (changes: readonly FileChange[]): ToolKind => {
  if (changes.every((change) => 'delete' in change)) return 'delete';
  return changes.every((change) => movedTo(change) !== null) ? 'move' : 'edit';
};

/** A diff for each hunk, as the texts before and after it are not known as a whole. */
const toDiffs = (path: string, change: FileChange, cwd: string): ToolCallContent[] => {
  if ('add' in change) return [{ type: 'diff', path, oldText: null, newText: change.add.content }];
  if ('delete' in change) return [{ type: 'diff', path, oldText: change.delete.content, newText: '' }];
  const { unified_diff: diff, move_path: moved } = change.update;
  const at = moved === null ? path : resolve(cwd, moved);
  return hunksOf(diff).map((lines) => ({
    type: 'diff',
    path: at,
    oldText: sideOf(lines, ' -'),
    newText: sideOf(lines, ' +'),
  }));
};

/** The lines of each hunk, without its header. A line ends by a line feed only: a person sees whatever else is in it. */
const hunksOf = (diff: string): string[][] => {
  const hunks: string[][] = [[]];
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    if (line.startsWith('@@')) hunks.push([]);
    else hunks.at(-1)?.push(line);
  }
  return hunks.filter((lines) => lines.some((line) => /^[+-]/.test(line)));
};

const sideOf = (lines: readonly string[], marks: string): string =>
  lines
    .flatMap((line, i) => {
      if (line.startsWith('\\') || !marks.includes(line[0] ?? ' ')) return [];
      return [line.slice(1) + (lines[i + 1]?.startsWith('\\') ? '' : '\n')];
    })
    .join('');

/** A patch that has ended. Its diffs stay as they are. */
export const ofChangesEnd = ({ success, stdout, stderr }: Msg<'patch_apply_end'>): ToolCallFields =>
  success ? { status: 'completed' } : { status: 'failed', content: ofOutput(clip(stderr || stdout, MAX_OUTPUT)) };

/** A call of a tool of an MCP server. */
export const ofInvocation = ({ server, tool, arguments: given }: ToolInvocation): ToolCallFields => ({
  title: toTitle(`${server}.${tool}`),
  kind: 'other',
  rawInput: given ?? {},
});

/** Such a call that has ended. The content blocks of MCP are those of ACP. */
export const ofInvocationEnd = ({ result }: Msg<'mcp_tool_call_end'>): ToolCallFields => {
  if ('Err' in result) return { status: 'failed', content: [textContent(clip(result.Err, MAX_OUTPUT))] };
  const { content, isError } = toObject(result.Ok);
  return {
    status: isError === true ? 'failed' : 'completed',
    content: (Array.isArray(content) ? content : []).flatMap(toBlock).map((block) => ({
      type: 'content',
      content: block,
    })),
  };
};

/** A part of a result with the members that ACP demands; any other part is left out. */
const toBlock = (part: unknown): ContentBlock[] => {
  const { type, text, data, mimeType, uri, name, resource } = toObject(part);
  if (type === 'text') return [{ type, text: clip(textOf(text), MAX_OUTPUT) }];
  if (type === 'image' || type === 'audio') return [{ type, data: textOf(data), mimeType: textOf(mimeType) }];
  if (type === 'resource_link') return [{ type, uri: textOf(uri), name: textOf(name) }];
  return type === 'resource' && isObject(resource) ? toResource(resource) : [];
};

const toResource = ({ uri, text, blob, mimeType }: Record<string, unknown>): ContentBlock[] => {
  const about = { uri: textOf(uri), ...(typeof mimeType === 'string' && { mimeType }) };
  if (typeof text === 'string') return [{ type: 'resource', resource: { ...about, text } }];
  return typeof blob === 'string' ? [{ type: 'resource', resource: { ...about, blob } }] : [];
};
