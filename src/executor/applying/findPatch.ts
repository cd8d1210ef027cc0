/** Recognizes a command that is a patch. */
import { resolve } from 'node:path';

/** A patch in a command. */
type FoundPatch = {
  text: string;
  /** The absolute folder to which the paths of the patch are relative. */
  folder: string;
};

const NAMES = ['apply_patch', 'applypatch'];

/**
 * The patch of a command, otherwise undefined: `apply_patch PATCH`, or `bash -lc` with a script that is
 * nothing but `apply_patch` and a here-document, with or without `cd DIR &&` before it.
 * Source: Codex 0.28.0, cases `apply_patch_argv`: other shells, other options, paths and quoted arguments are ordinary commands.
 */
export const findPatch = (argv: readonly string[], cwd: string): FoundPatch | undefined => {
  const [program = '', argument = '', script = ''] = argv;
  if (argv.length === 2 && NAMES.includes(program)) return { text: argument, folder: cwd };
  if (argv.length !== 3 || program !== 'bash' || argument !== '-lc') return undefined;
  const found = readHereDocument(script, NAMES);
  return found && { text: found.body, folder: resolve(cwd, found.folder ?? '.') };
};

type HereDocument = {
  /** The folder of a `cd` before the program. */
  folder?: string;
  /** Without line feeds at its end, and as written: nothing in it is expanded. */
  body: string;
};

/** A word without anything that bash would expand, plain or in quotes. */
const PLAIN = '[^\\s\'"`$\\\\|&;<>(){}\\[\\]*?~!#]+';
const QUOTED = '\'[^\'\\n]*\'|"[^"`$\\\\!\\n]*"';

/** Source: bash(1), here documents; any quoting of the word that ends them is removed. */
const HEAD = new RegExp(
  `^\\s*(?:cd[ \\t]+(?<folder>${PLAIN}|${QUOTED})[ \\t]*&&\\s*)?(?<program>\\w+)[ \\t]*<<(?<dash>-?)[ \\t]*(?<end>\\\\?${PLAIN}|${QUOTED})[ \\t]*\\r?\\n`,
);

/**
 * The document of `[cd DIR &&] PROGRAM <<WORD`, if PROGRAM is named, nothing comes after the document, and DIR is a name; otherwise
 * undefined. A document without its last line extends to the end of the script, as in bash; blanks after its last word do no harm.
 */
export const readHereDocument = (script: string, programs: readonly string[]): HereDocument | undefined => {
  const head = HEAD.exec(script);
  const { program = '', folder, dash, end = '' } = head?.groups ?? {};
  if (!head || !programs.includes(program)) return undefined;
  const name = folder && withoutQuotes(folder);
  if (name === '' || name?.startsWith('-')) return undefined; // an option, or the folder before
  const body = bodyOf(script.slice(head[0].length), {
    end: withoutQuotes(end),
    tabs: dash === '-' ? 'dropped' : 'kept',
  });
  return body === undefined ? undefined : { ...(name !== undefined && { folder: name }), body };
};

const withoutQuotes = (word: string): string => (/^['"]/.test(word) ? word.slice(1, -1) : word.replace(/^\\/, ''));

const bodyOf = (text: string, { end, tabs }: { end: string; tabs: 'kept' | 'dropped' }): string | undefined => {
  const lines = tabs === 'dropped' ? text.split('\n').map((line) => line.replace(/^\t+/, '')) : text.split('\n');
  const last = lines.findIndex((line) => line.trimEnd() === end);
  const rest = last < 0 ? [] : lines.slice(last + 1);
  if (rest.some((line) => line.trim() !== '')) return undefined;
  return withoutLastLineFeeds((last < 0 ? lines : lines.slice(0, last)).join('\n'));
};

const withoutLastLineFeeds = (text: string): string => {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
};
