/** Recognises a command that is a patch. */
import { resolve } from 'node:path';
import { readHereDocument } from './readHereDocument';

/** `folder`: what its paths are relative to, itself relative to the folder of the command. */
export type FoundPatch = { text: string; folder: string };

const NAMES = ['apply_patch', 'applypatch'];

/**
 * The patch of a command, else undefined: `apply_patch PATCH`, or `bash -lc` with a script that is
 * nothing but `apply_patch` and a here-document, after `cd DIR &&` or not.
 * Source: Codex 0.28.0, cases `apply_patch_argv`: other shells, other options, paths and quoted arguments are ordinary commands.
 */
export const findPatch = (argv: readonly string[], cwd: string): FoundPatch | undefined => {
  const [program = '', argument = '', script = ''] = argv;
  if (argv.length === 2 && NAMES.includes(program)) return { text: argument, folder: cwd };
  if (argv.length !== 3 || program !== 'bash' || argument !== '-lc') return undefined;
  const found = readHereDocument(script, NAMES);
  return found && { text: found.body, folder: resolve(cwd, found.folder ?? '.') };
};
