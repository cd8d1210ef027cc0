/** Separates what a person wrote from what Codex, or this program, writes in the role of the user. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { ResponseItem } from '../../protocol/model/items';
import { clip } from '../../streams/text/trim';

/** How the summary of a conversation begins. */
export const SUMMARY_MARK = 'Summary of the conversation so far, which stands in its place:';

/** How the note begins that is sent to the model after an answer with neither a message nor a call. */
export const EMPTY_ANSWER_MARK = 'Your answer had neither a message nor a call of a tool';

const STOPPED = 'turn_aborted';

/**
 * The note to the model after a turn that was not done. Source: Codex 0.153.4, which writes the same element.
 * @param fault why the turn ended; undefined if the user stopped it
 */
export const stoppedNote = (fault?: string): string => {
  const why =
    fault === undefined
      ? 'The user stopped the previous turn before it was done.'
      : `${BEFORE_DONE}: ${clip(fault, 500)}`;
  return `<${STOPPED}>\n${why}\nIts commands and tool calls that were running have ended; they may have done a part of their work.\n</${STOPPED}>`;
};

const BEFORE_DONE = 'The previous turn ended before it was done';

const OWN_MARKS = [SUMMARY_MARK, EMPTY_ANSWER_MARK];

/** True for the text of a message that no person wrote. Source of the pattern: codex 0.28.0 to 0.169.0. */
export const isContext = (text: string): boolean =>
  OWN_MARKS.some((mark) => text.startsWith(mark)) ||
  /^(<(environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command)>|# AGENTS\.md instructions for |Another language model started to solve this problem and produced a summary)/.test(
    text.trimStart(),
  );

type Message = Extract<ResponseItem, { type: 'message' }>;

/** True for a message that a person wrote, and not Codex in the role of the user. */
export const isPrompt = (item: ResponseItem): item is Message & { role: 'user' } =>
  item.type === 'message' && item.role === 'user' && !isContext(textOf(item));

const textOf = ({ content }: Message): string => content.map((part) => ('text' in part ? part.text : '')).join('');

/** The texts of a list of parts, in order; none of a value that is no list. */
export const textsOf = (parts: unknown): string[] =>
  Array.isArray(parts)
    ? parts.flatMap((part) => (isObject(part) && typeof part.text === 'string' ? [part.text] : []))
    : [];
