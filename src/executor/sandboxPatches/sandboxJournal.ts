/** The journal of a patch that an exec-server in a sandbox applies. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { type Owner, readOwner } from '../../io/files/owner';
import { ApplyChangesParams } from '../../protocol/exec/changeParams';
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import { isObject } from '../../protocol/jsonrpc/json';
import { parseJson } from '../../protocol/jsonrpc/parseJson';
import { type Journal, readJournal, toEntry } from '../applying/journal';
import { changedFiles } from '../applying/transact';
import { toPlan } from '../localPatch/toPlan';
import type { FilePlan } from '../patch/plan';
import type { Permissions } from '../sandbox/permissions';
import { toChange } from '../server/toChange';

/** `permissions`: the sandbox in which the patch is applied, and ended; undefined where that is the ceiling. `holder`: the process that keeps the journal. */
export type SandboxJournal = { journal: Journal; permissions?: Permissions; holder: Owner };

/** @param id a name that no other patch has; @param isThere whether something is at a path */
export type SandboxJournalDeps = {
  id: string;
  holder: Owner;
  permissions: Permissions | undefined;
  isThere: (path: string) => Promise<boolean>;
};

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The journal for the params of fs/applyChanges. Rejects with RpcError where they are invalid. */
export const toSandboxJournal = async (
  { id, holder, permissions, isThere }: SandboxJournalDeps,
  params: unknown,
): Promise<SandboxJournal> => {
  const { changes } = checkExecParams(ApplyChangesParams(), params);
  const files = changedFiles(changes.map(toChange).map(toPlan));
  const entries = files.map((plan, index) => toEntry(id, digest, { plan, index }));
  const folders = await missingFolders(isThere, files);
  return { journal: { ...holder, version: 1, id, folders, entries }, holder, ...(permissions && { permissions }) };
};

/** The folders that are not there yet, outermost first: rolling the patch back removes them. */
const missingFolders = async (
  isThere: SandboxJournalDeps['isThere'],
  files: readonly FilePlan[],
): Promise<string[]> => {
  const missing = new Set<string>();
  for (const { real } of files) {
    for (let at = dirname(real); at !== dirname(at) && !(await isThere(at)); at = dirname(at)) missing.add(at);
  }
  return [...missing].sort((a, b) => a.length - b.length);
};

/** Reads a journal; undefined for any other text. */
export const readSandboxJournal = (text: string): SandboxJournal | undefined => {
  const value = parseJson(text);
  if (!isObject(value) || !isObject(value.holder)) return undefined;
  const journal = readJournal(JSON.stringify(value.journal));
  return journal && ({ ...value, journal, holder: readOwner(value.holder) } as SandboxJournal);
};
