/** Recognizes a command that is a patch. */
import { resolve } from 'node:path';
import { readHereDocument } from './readHereDocument';

/** `folder`: the absolute folder to which the paths of the patch are relative. */
export type FoundPatch = { text: string; folder: string };

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
