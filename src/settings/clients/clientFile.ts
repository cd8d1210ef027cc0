/** The file of a client on this machine: found, read, and replaced as a whole. */
import { dirname } from 'node:path';
import { createNamed, makeNamedFolder, removeEmpty, removeNamed, replaceNamed } from '../../io/disk/namedHere';
import { isThere, linkFactsAt, readIfThere, realPathOf } from '../../io/paths/look';
import { foldersBetween } from '../../io/paths/relations';
import { reasonOf } from '../../streams/text/reasons';
import { CLIENTS, type Client, type Machine, placeOf } from './clients';
import { argvOf, EntryError, entriesOf, serverIn, type Texts } from './planEntry';

/** The file of a client. */
export type ClientFile = Texts & {
  /** Where the file is, or would be. */
  path: string;
  /** The text before this program changed it first. */
  backupPath: string;
  /** Whether the client seems to be installed. */
  isInstalled: boolean;
  /** Of the user; absolute. */
  home: string;
};

const ENDING = '.before-codex-rx';

/** Throws EntryError for a file that is not to be changed. */
export const readClientFile = (machine: Machine, client: Client): ClientFile => {
  const { files, signs } = placeOf(machine, client);
  const path = files.find((one) => linkFactsAt(one) !== undefined) ?? files.at(-1) ?? '';
  const target = realPathOf(path) ?? path;
  const backupPath = `${target}${ENDING}`;
  try {
    const text = readIfThere(target);
    if (linkFactsAt(target)?.isSymbolicLink()) throw new Error('it is a link that leads nowhere; remove it');
    if (text?.includes('\ufffd')) throw new Error('it is not UTF-8');
    return {
      path,
      backupPath,
      text,
      backup: readIfThere(backupPath),
      isInstalled: text !== undefined || signs.some(isThere),
      home: machine.home,
    };
  } catch (error) {
    throw new EntryError(`${path} cannot be used: ${reasonOf(error)}`);
  }
};

/**
 * Writes the new text, private to its user; undefined removes the file. A link stays, and the file that it leads to is replaced. The backup is the file before
 * anything of this program was in it, and goes when the file is so again. With a file its folders go, if they are in the user's home and empty, as they would
 * show the client as installed. Throws an error of the file.
 */
export const writeClientFile = (client: Client, file: ClientFile, next: string | undefined): void => {
  const { path, backupPath, text, backup, home } = file;
  const target = backupPath.slice(0, -ENDING.length);
  if (readIfThere(target) !== text) throw new EntryError(`${path} was changed meanwhile; run the command again`);
  if (text !== undefined && !hasOwn(client, text)) {
    if (backup === undefined) createNamed(backupPath, text);
    else replaceNamed(backupPath, text);
  }
  if (next === undefined) removeNamed(target);
  else {
    makeNamedFolder(dirname(target));
    replaceNamed(target, next);
  }
  if (next === undefined || next === backup) removeNamed(backupPath);
  if (next === undefined) removeEmpty(foldersBetween(home, target).reverse());
};

const hasOwn = (client: Client, text: string): boolean =>
  Object.values(entriesOf(client, text)).some((entry) =>
    argvOf(entry)?.some((word) => serverIn([word]) === 'codex-rx'),
  );

/** A client whose file is there, or that seems to be installed, with its entries or why they cannot be read. */
export type FoundClient = {
  name: string;
  client: Client;
  path: string;
  entries: Record<string, unknown>;
  fault?: string;
};

/** The clients of this machine. Never throws. */
export const findClients = (machine: Machine): FoundClient[] =>
  Object.entries(CLIENTS).flatMap(([name, client]) => {
    const path = placeOf(machine, client).files.at(-1) ?? '';
    try {
      const file = readClientFile(machine, client);
      if (!file.isInstalled) return [];
      return [{ name, client, path: file.path, entries: entriesOf(client, file.text) }];
    } catch (error) {
      return [{ name, client, path, entries: {}, fault: reasonOf(error) }];
    }
  });
