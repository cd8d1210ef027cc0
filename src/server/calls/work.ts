/** What a turn has done so far, from its events: the tokens that it used, the files that it changed, the commands that it ran. */
import type { EventMsg, FileChange, FileChanges } from '../../protocol/codex/eventMsg';
import { addUsageOf, type Usage } from '../../protocol/codex/usage';

/** What became of a file. */
type ChangeKind = 'add' | 'delete' | 'update';

/** What a turn has done. */
export type Work = {
  usage: Usage;
  /** What became of each file, by its path: what patches changed. A file that was moved was deleted and added. */
  changes: ReadonlyMap<string, ChangeKind>;
  /** The patches that have begun and not ended, by the id of their call. */
  patches: ReadonlyMap<string, FileChanges>;
  /** How many commands began. */
  commands: number;
};

/** Before the first event. */
export const NO_WORK: Work = { usage: {}, changes: new Map(), patches: new Map(), commands: 0 };

/** What was done after an event; the same object if that changes nothing, as for most events. */
export const addWork = (work: Work, msg: EventMsg): Work => {
  switch (msg.type) {
    case 'task_started':
    case 'token_count': {
      const usage = addUsageOf(work.usage, msg);
      return usage === work.usage ? work : { ...work, usage };
    }
    case 'exec_command_begin':
      return { ...work, commands: work.commands + 1 };
    case 'patch_apply_begin':
      return { ...work, patches: new Map(work.patches).set(msg.call_id, msg.changes) };
    case 'patch_apply_end':
      return endPatch(work, msg);
    default:
      return work;
  }
};

const endPatch = (work: Work, { call_id, success, changes }: Extract<EventMsg, { type: 'patch_apply_end' }>): Work => {
  const applied = success ? (changes ?? work.patches.get(call_id) ?? {}) : {};
  const patches = new Map(work.patches);
  patches.delete(call_id);
  return { ...work, patches, changes: Object.entries(applied).flatMap(toKinds).reduce(addChange, work.changes) };
};

type PathChange = readonly [path: string, kind: ChangeKind];

const toKinds = ([path, change]: [string, FileChange]): PathChange[] => {
  if ('add' in change) return [[path, 'add']];
  if ('delete' in change) return [[path, 'delete']];
  const { move_path } = change.update;
  return move_path === null || move_path === undefined
    ? [[path, 'update']]
    : [
        [path, 'delete'],
        [move_path, 'add'],
      ];
};

/** What became of the file since the turn began: a file that was added and deleted again has not changed, and a file that was there is updated, not added. */
const addChange = (changes: Work['changes'], [path, kind]: PathChange): Work['changes'] => {
  const before = changes.get(path);
  const next = new Map(changes);
  if (before === 'add' && kind === 'delete') next.delete(path);
  else if (before === 'add') next.set(path, 'add');
  else next.set(path, before !== undefined && kind === 'add' ? 'update' : kind);
  return next;
};
