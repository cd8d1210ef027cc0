/** Tells apart what a person wrote from what Codex writes in the role of the user. */

/** How the engine begins what it tells a model whose answer leads nowhere. */
export const EMPTY_ANSWER = 'Your answer had neither a message nor a call of a tool';

/** True for the text of a message that no person wrote. Source: codex 0.28.0 to 0.169.0. */
export const isContext = (text: string): boolean =>
  text.startsWith(EMPTY_ANSWER) ||
  /^(<(environment_context|user_instructions|permissions instructions|turn_aborted|user_shell_command)>|# AGENTS\.md instructions for )/.test(
    text.trimStart(),
  );
