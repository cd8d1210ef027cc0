/** Tells apart what a person wrote from what Codex, or this program, writes in the role of the user. */

/** How the summary of a conversation begins. */
export const SUMMARY_MARK = 'Summary of the conversation so far, which stands in its place:';

/** How the note begins that is sent to the model after an answer with neither a message nor a call. */
export const EMPTY_ANSWER_MARK = 'Your answer had neither a message nor a call of a tool';

const OWN_MARKS = [SUMMARY_MARK, EMPTY_ANSWER_MARK];

/** True for the text of a message that no person wrote. Source of the pattern: codex 0.28.0 to 0.169.0. */
export const isContext = (text: string): boolean =>
  OWN_MARKS.some((mark) => text.startsWith(mark)) ||
  /^(<(environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command)>|# AGENTS\.md instructions for )/.test(
    text.trimStart(),
  );
