/** What a user sends to a thread: texts and images. */

/** `url` of an image may be a data URL; `path` is absolute, or relative to the folder of the thread. */
export type UserInput =
  | { type: 'text'; text: string }
  | { type: 'image'; url: string }
  | { type: 'localImage'; path: string };

/** A prompt as input. */
export const toInput = (prompt: string): UserInput[] => [{ type: 'text', text: prompt }];

/** The texts of an input, one per line, without its images. */
export const textOf = (input: readonly UserInput[]): string =>
  input.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n');
