/** Patches in 0.153: an item, which begins before the question about it and ends also where it was declined. Source: tapes v142-patch-*. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { FileChanges } from '../../protocol/codex/fileChange';
import type { PatchStatus, TurnItem } from '../../protocol/codex/laterMsg';
import { type AddDeps, type Added, type Turn0153, withEntry } from './turn0153';

type Of<T extends EventMsg['type']> = Extract<EventMsg, { type: T }>;

/** What the original wrote for the model. */
const REJECTED = 'patch rejected by user';

const begin = (deps: AddDeps, msg: Of<'patch_apply_begin'>): EventMsg[] => {
  const { call_id: id, changes, auto_approved } = msg;
  const item: TurnItem = { type: 'FileChange', id, changes, auto_approved };
  return [{ type: 'item_started', item, started_at_ms: deps.now() }, msg];
};

type End = { call_id: string; changes: FileChanges; status: PatchStatus; stdout: string; stderr: string };

const end = (deps: AddDeps, { call_id, changes, status, stdout, stderr }: End): EventMsg[] => {
  const item: TurnItem = { type: 'FileChange', id: call_id, changes, status, stdout, stderr };
  const success = status === 'completed';
  return [
    { type: 'item_completed', item, completed_at_ms: deps.now() },
    { type: 'patch_apply_end', call_id, stdout, stderr, success, changes, status },
  ];
};

/** A question about a patch: the patch begins before it. */
export const addPatchQuestion = (
  deps: AddDeps,
  turn: Turn0153,
  { msg, question }: { msg: Of<'apply_patch_approval_request'>; question?: number },
): Added => {
  const { call_id, changes } = msg;
  const patches = withEntry(turn.patches, call_id, { changes, question });
  const begun = turn.patches.has(call_id)
    ? []
    : begin(deps, { type: 'patch_apply_begin', call_id, auto_approved: false, changes });
  return { turn: { ...turn, patches }, msgs: [...begun, msg] };
};

/** The begin of a patch, unless the client was shown it before the question. */
export const addPatchBegin = (deps: AddDeps, turn: Turn0153, msg: Of<'patch_apply_begin'>): Added => {
  const { call_id, changes } = msg;
  const patches = withEntry(turn.patches, call_id, { changes });
  return { turn: { ...turn, patches }, msgs: turn.patches.has(call_id) ? [] : begin(deps, msg) };
};

/** The end of a patch, with what it was and what became of it. */
export const addPatchEnd = (deps: AddDeps, turn: Turn0153, msg: Of<'patch_apply_end'>): Added => {
  const { call_id, stdout, stderr, success } = msg;
  const changes = turn.patches.get(call_id)?.changes ?? {};
  const status = success ? 'completed' : 'failed';
  return {
    turn: { ...turn, patches: withEntry(turn.patches, call_id, undefined) },
    msgs: end(deps, { call_id, changes, status, stdout, stderr }),
  };
};

/** The end of a patch whose question was declined; nothing for any other question. */
export const addDeclined = (deps: AddDeps, turn: Turn0153, question: number | undefined): Added => {
  const entry = [...turn.patches].find(([, patch]) => question !== undefined && patch.question === question);
  if (entry === undefined) return { turn, msgs: [] };
  const [call_id, { changes }] = entry;
  return {
    turn: { ...turn, patches: withEntry(turn.patches, call_id, undefined) },
    msgs: end(deps, { call_id, changes, status: 'declined', stdout: '', stderr: REJECTED }),
  };
};
