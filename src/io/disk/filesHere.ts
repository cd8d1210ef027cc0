/** Wires the private files of this program to this machine. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { join } from 'node:path';
import { memoize } from '../../streams/lazy';
import type { Owners } from '../files/owner';
import { type PrivateFiles, privateFiles } from '../files/privateFiles';
import { type OwnersPlace, ownersHere } from './ownersHere';

/** The private files below a root, and the owners of their locks. */
type FilesHere = { files: PrivateFiles; owners: Owners };

/** The private files of a home, an absolute path: all that this process owns there has one owner. */
export const filesHere = (home: string): FilesHere => filesOf(home, ownersOf(home));

/** The private files of a folder of the user, which gets no socket: only processes of this namespace are known there. */
export const filesBeside = (folder: string): FilesHere => filesOf(folder, ownersHere({ folder }));

/** One owner for each home, so that this process has one socket in it. */
const ownersOf = memoize((home) => ownersHere(placeOf(home)));

const placeOf = (home: string): OwnersPlace => ({ folder: home, sockets: join(home, 'codex-rx', 'alive') });

/** Some people keep their threads on another disk. Source: Codex 0.171.0 follows such a link. */
const THREADS = ['sessions', 'archived_sessions'];

const filesOf = (root: string, owners: Owners): FilesHere => {
  const newName = () => randomUUID().slice(-12); // all of it random
  const deps = { fs, root, owners, newName, now: Date.now, linkable: THREADS };
  return { files: privateFiles(deps), owners };
};
