/** Finds the file that a program's name means. Own code: `which` looks in all of PATH; here only trusted folders are looked in. */

/** `isProgram`: path => a file that this user may run. */
export type FindProgramDeps = { isProgram: (path: string) => boolean };

/** The first file of that name in the folders, undefined where there is none. `folders` are absolute: see trustedFolders. */
export const findProgram = (
  { isProgram }: FindProgramDeps,
  name: string,
  folders: readonly string[],
): string | undefined => folders.map((folder) => `${folder.replace(/\/+$/, '')}/${name}`).find(isProgram);
