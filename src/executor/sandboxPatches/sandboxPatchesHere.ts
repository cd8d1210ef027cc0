/** Wires the journals of patches in sandboxes to this machine; loaded by the first of them. */
import { createHash, randomBytes } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { firstValueFrom, from, type Observable } from 'rxjs';
import { filesHere } from '../../io/disk/filesHere';
import { isOwnFolder } from '../../io/disk/namedHere';
import { type Owner, type Owners, readOwner } from '../../io/files/owner';
import { checkExecParams } from '../../protocol/exec/checkExecParams';
import { ApplyChangesParams } from '../../protocol/exec/params';
import { isObject, type JsonObject, parseJson } from '../../protocol/jsonrpc/json';
import type { Log } from '../../protocol/log';
import { reasonOf } from '../../streams/text/reasons';
import type { Journals, StoredJournal } from '../applying/disk';
import { type Journal, readJournal, toEntry } from '../applying/journal';
import { changedFiles } from '../applying/transact';
import type { PatchToSettle } from '../files';
import { localJournals } from '../localPatch/localJournals';
import { toPlan } from '../localPatch/patchHere';
import type { FilePlan } from '../patch/plan';
import type { Permissions } from '../sandbox/permissions';
import type { ForwardFilesDeps } from '../server/forwardFiles';
import { toChange } from '../server/toChange';
import { NoAnswer } from './filesInside';

type SandboxPatchesHereDeps = {
  /** An absolute path. */
  codexHome: string;
  /** The folder of the journals. */
  folder: string;
  log: Log;
} & Pick<SandboxPatchesDeps, 'insideOf'>;

export const sandboxPatchesHere = ({ codexHome, folder, log, insideOf }: SandboxPatchesHereDeps): SandboxPatches => {
  const { files, owners } = filesHere(codexHome);
  return sandboxPatches({
    journals: localJournals({ files, isOwn: isOwnFolder }, folder),
    owners,
    newId: () => randomBytes(8).toString('hex'),
    isThere: (path) =>
      lstat(path).then(
        () => true,
        () => false, // whatever the reason: the patch makes it, or fails
      ),
    insideOf,
    log,
  });
};

/** A server in a sandbox with these permissions; undefined: in the sandbox of the ceiling. */
type Inside = { permissions: Permissions | undefined; request: ForwardFilesDeps['request'] };

type SandboxPatchesDeps = {
  /** Out of reach of the sandboxes. */
  journals: Journals;
  /** This process, and whether other processes that keep journals are alive. */
  owners: Pick<Owners, 'self' | 'stateOf'>;
  /** A name that no other patch has. */
  newId: () => string;
  /** Whether something is at a path. */
  isThere: (path: string) => Promise<boolean>;
  /** A server in the sandbox with these permissions. */
  insideOf: (permissions: Permissions | undefined) => Inside['request'];
  log: Log;
};

type SandboxPatches = {
  /** Settles what killed processes left half done. Never rejects. */
  recover: () => Promise<void>;
  /** The method fs/applyChanges in a sandbox, with a journal. */
  change: (inside: Inside, params: JsonObject) => Observable<unknown>;
};

/**
 * A journal names only files that a client named, so it is never acted on outside of the sandbox in which the patch was applied. Patches of one process follow
 * each other. After kill -9 of this process, or of the one in the sandbox, the next start or the next patch settles the patch. A patch for which no server
 * answers waits for the next start, so that it does not block other patches.
 */
export const sandboxPatches = (deps: SandboxPatchesDeps): SandboxPatches => {
  let last: Promise<unknown> = Promise.resolve(); // the patches of this process, one after another
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const result = last.then(run);
    last = result.catch(() => {}); // whoever asked gets the error
    return result;
  };
  const own = { ...deps, unanswered: new Set<string>() };
  return {
    recover: () => inTurn(() => recoverAll(own)),
    change: (inside, params) => from(inTurn(() => changeWithJournal(own, inside, params))),
  };
};

type Own = SandboxPatchesDeps & {
  /** Journals for which a server did not answer. */
  unanswered: Set<string>;
};

/** A patch that cannot be rolled back, as its sandbox can no longer be made, does not stop the others. */
const recoverAll = async (deps: Own): Promise<void> => {
  const fail = (error: unknown): void =>
    deps.log('error', 'a patch that was interrupted could not be settled', { reason: reasonOf(error) });
  try {
    const left = (await deps.journals.list()).filter(({ id }) => !deps.unanswered.has(id));
    for (const stored of left) {
      await recover(deps, stored).catch((error) => {
        if (error instanceof NoAnswer) deps.unanswered.add(stored.id);
        fail(error);
      });
    }
  } catch (error) {
    fail(error);
  }
};

/** Settles a patch whose process has ended. A journal of this process is a leftover too; it is rolled back, as its client gets an error. */
const recover = async (deps: SandboxPatchesDeps, { id, phase, text, writtenMs }: StoredJournal): Promise<void> => {
  const { journals, owners, insideOf, log } = deps;
  const patch = readSandboxJournal(text);
  if (patch !== undefined) {
    const state = owners.stateOf(patch.holder);
    if (state === 'lives' || state === 'unknown') return;
    const came = phase === 'open' && state === 'ended' ? 'interrupted' : phase;
    await settle(insideOf(patch.permissions), patch, { phase: came, sinceMs: writtenMs });
    if (phase === 'open') log('warning', 'a patch that was interrupted is settled', { id });
  }
  await journals.remove(id);
};

const settle = (
  request: Inside['request'],
  { journal }: SandboxJournal,
  how: { phase: PatchToSettle['phase']; sinceMs?: number },
): Promise<unknown> => firstValueFrom(request('fs/settleChanges', { journal, ...how }));

const changeWithJournal = async (deps: Own, inside: Inside, params: JsonObject): Promise<unknown> => {
  await recoverAll(deps);
  const patch = await toSandboxJournal({ id: deps.newId(), holder: deps.owners.self(), ...deps, ...inside }, params);
  await firstValueFrom(inside.request('environment/info', {})); // fails if no sandbox can be made: then no journal is needed
  const open = await openJournal(deps, patch);
  try {
    return await applied(deps, { request: inside.request, patch, open }, params);
  } catch (error) {
    await recoverAll(deps); // the server in the sandbox is gone: another server rolls the patch back
    throw error;
  }
};

type OpenJournal = { commit: () => Promise<void>; remove: () => Promise<void> };

type Begun = Pick<Inside, 'request'> & { patch: SandboxJournal; open: OpenJournal };

const applied = async (deps: Own, { request, patch, open }: Begun, { changes }: JsonObject): Promise<unknown> => {
  const outcome = await firstValueFrom(request('fs/applyChanges', { changes, journalId: patch.journal.id }));
  if (isObject(outcome) && outcome.kind === 'applied') {
    await open.commit();
    const isSettled = await settle(request, patch, { phase: 'committed' }).then(
      () => true,
      () => false, // all files are in place; another server removes what they replaced
    );
    if (!isSettled) {
      await recoverAll(deps);
      return outcome;
    }
  }
  await open.remove();
  return outcome;
};

/** Writes the journal; if that fails, the patch is applied without one. */
const openJournal = async ({ journals, log }: SandboxPatchesDeps, patch: SandboxJournal): Promise<OpenJournal> => {
  const { id } = patch.journal;
  try {
    await journals.write(id, JSON.stringify(patch));
    return { commit: () => journals.commit(id), remove: () => journals.remove(id) };
  } catch (error) {
    log('warning', 'a patch is applied without a journal, so a kill in the middle could leave it half done', {
      reason: reasonOf(error),
    });
    return { commit: async () => {}, remove: async () => {} };
  }
};

type SandboxJournal = {
  journal: Journal;
  /** The sandbox in which the patch is applied, and settled; undefined: the sandbox of the ceiling. */
  permissions?: Permissions;
  /** The process that keeps the journal. */
  holder: Owner;
};

type SandboxJournalDeps = {
  /** A name that no other patch has. */
  id: string;
  holder: Owner;
  permissions: Permissions | undefined;
  /** Whether something is at a path. */
  isThere: (path: string) => Promise<boolean>;
};

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The journal for the params of fs/applyChanges. Rejects with RpcError if they are invalid. */
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
