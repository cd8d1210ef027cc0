/** Names the tapes of several sessions. */

/** The path of the tape of a session, from 0: the first has the given one, `tape-2.jsonl` is beside `tape.jsonl`. */
export const sessionPath = (path: string, session: number): string => {
  if (session === 0) return path;
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]+)$/.exec(path) ?? [];
  return `${stem}-${session + 1}${extension}`;
};
