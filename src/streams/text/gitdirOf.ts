/** The file `.git` of a worktree or a submodule. */
import { withoutEndBreaks } from './withoutEndBreaks';

const BEGIN = 'gitdir: ';

/** The path that the text of a gitfile names, blanks included; undefined for any other text. Source: git 2.39, setup.c. */
export const gitdirOf = (text: string | undefined): string | undefined =>
  text?.startsWith(BEGIN) ? withoutEndBreaks(text.slice(BEGIN.length)) : undefined;
