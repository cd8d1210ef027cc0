/** Recognizes a command that is a patch. */
import { resolve } from 'node:path';

type FoundPatch = {
  text: string;
  /** The absolute folder to which the paths of the patch are relative. */
  folder: string;
  /** Commands of the script besides the patch, which nothing runs. */
  rest?: string;
};

const NAMES = ['apply_patch', 'applypatch'];

/**
 * The patch of a command, otherwise undefined: `apply_patch PATCH`, or `bash -lc` with a script that begins with
 * `apply_patch` and a here-document, with or without `set -e` and `cd DIR &&` before it. There is no program of this name that bash could run.
 * Source: Codex 0.28.0, cases `apply_patch_argv`: other shells, other options, paths and quoted arguments are ordinary commands.
 */
export const findPatch = (argv: readonly string[], cwd: string): FoundPatch | undefined => {
  const [program = '', argument = '', script = ''] = argv;
  if (argv.length === 2 && NAMES.includes(program)) return { text: argument, folder: cwd };
  if (argv.length !== 3 || program !== 'bash' || argument !== '-lc') return undefined;
  const found = readHereDocument(script, NAMES);
  if (found === undefined) return undefined;
  const { body: text, folder = '.', rest } = found;
  return { text, folder: resolve(cwd, folder), ...(rest !== undefined && { rest }) };
};

type HereDocument = {
  /** The folder of a `cd` before the program. */
  folder?: string;
  /** Without line feeds at its end, and as written: nothing in it is expanded. */
  body: string;
  /** The commands that follow the document, or the program on its line. */
  rest?: string;
};

/** A word without anything that bash would expand, plain or in quotes. */
const PLAIN = '[^\\s\'"`$\\\\|&;<>(){}\\[\\]*?~!#]+';
const QUOTED = '\'[^\'\\n]*\'|"[^"`$\\\\!\\n]*"';

/** Settings of the shell before it, such as that it ends at an error. */
const SETS = '(?:set[ \\t]+[-+]\\w[\\w \\t+-]*(?:&&|;|\\n)\\s*)*';

/** Source: bash(1), here documents; any quoting of the word that ends them is removed. */
const HEAD = new RegExp(
  `^\\s*${SETS}(?:cd[ \\t]+(?<folder>${PLAIN}|${QUOTED})[ \\t]*&&\\s*)?(?<program>\\w+)[ \\t]*<<(?<dash>-?)[ \\t]*(?<end>\\\\?${PLAIN}|${QUOTED})[ \\t]*(?<after>(?:&&|[|;])[^\\n]*)?\\r?\\n`,
);

/** The document comes from `cat`, and the program reads it. */
const PIPED = /^\|[ \t]*(?<program>\w+)[ \t]*(?<after>(?:&&|[|;]).*)?$/;

/**
 * The document of `[cd DIR &&] PROGRAM <<WORD`, if PROGRAM is named, and DIR is a name; otherwise
 * undefined. A document without its last line extends to the end of the script, as in bash; blanks after its last word do no harm.
 */
export const readHereDocument = (script: string, programs: readonly string[]): HereDocument | undefined => {
  const head = HEAD.exec(script);
  const { folder, dash, end = '' } = head?.groups ?? {};
  const { program = '', after } = calledIn(head?.groups ?? {});
  if (!head || !programs.includes(program)) return undefined;
  const name = folder && withoutQuotes(folder);
  if (name === '' || name?.startsWith('-')) return undefined; // an option, or the folder before
  const { body, next } = bodyOf(script.slice(head[0].length), {
    end: withoutQuotes(end),
    tabs: dash === '-' ? 'dropped' : 'kept',
  });
  const rest = [after?.trim() ?? '', next].filter((part) => part !== '').join('\n');
  return { ...(name !== undefined && { folder: name }), body, ...(rest !== '' && { rest }) };
};

const calledIn = ({ program, after }: Record<string, string | undefined>): Record<string, string | undefined> =>
  program === 'cat' ? (PIPED.exec(after?.trim() ?? '')?.groups ?? {}) : { program, after };

const withoutQuotes = (word: string): string => (/^['"]/.test(word) ? word.slice(1, -1) : word.replace(/^\\/, ''));

type Body = { body: string; next: string };

const bodyOf = (text: string, { end, tabs }: { end: string; tabs: 'kept' | 'dropped' }): Body => {
  const lines = tabs === 'dropped' ? text.split('\n').map((line) => line.replace(/^\t+/, '')) : text.split('\n');
  const last = lines.findIndex((line) => line.trimEnd() === end);
  const body = withoutLastLineFeeds((last < 0 ? lines : lines.slice(0, last)).join('\n'));
  return {
    body,
    next:
      last < 0
        ? ''
        : lines
            .slice(last + 1)
            .join('\n')
            .trim(),
  };
};

const withoutLastLineFeeds = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
};
