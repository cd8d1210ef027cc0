import type { EventMsg, FileChange } from '../../../src/protocol/codex/eventMsg';
import { addWork, NO_WORK } from '../../../src/server/calls/work';

const workAfter = (...msgs: EventMsg[]) => msgs.reduce(addWork, NO_WORK);

const add: FileChange = { add: { content: 'x' } };
const remove: FileChange = { delete: { content: 'x' } };
const update: FileChange = { update: { unified_diff: '', move_path: null } };
const move: FileChange = { update: { unified_diff: '', move_path: '/b' } };

/** A patch of one file, and its end. */
const patch = (path: string, change: FileChange, success = true): EventMsg[] => [
  { type: 'patch_apply_begin', call_id: 'p', auto_approved: true, changes: { [path]: change } },
  { type: 'patch_apply_end', call_id: 'p', stdout: '', stderr: '', success },
];

const changesAfter = (...patches: EventMsg[][]) => [...workAfter(...patches.flat()).changes];

describe('addWork', () => {
  it('counts commands, and changes nothing at events that are no work', () => {
    const command: EventMsg = { type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '/', parsed_cmd: [] };
    expect(workAfter(command, command).commands).toBe(2);
    expect(addWork(NO_WORK, { type: 'agent_message', message: 'hi' })).toBe(NO_WORK);
  });

  it('has the usage that was reported', () => {
    expect(workAfter({ type: 'task_started', model_context_window: 7 }).usage).toEqual({ contextWindow: 7 });
    expect(addWork(NO_WORK, { type: 'task_started', model_context_window: null })).toBe(NO_WORK);
  });

  it.each([
    ['that is added', [patch('/a', add)], [['/a', 'add']]],
    ['that is changed twice', [patch('/a', update), patch('/a', update)], [['/a', 'update']]],
    ['that is added and changed', [patch('/a', add), patch('/a', update)], [['/a', 'add']]],
    ['that is added and deleted', [patch('/a', add), patch('/a', remove)], []],
    ['that is deleted and added', [patch('/a', remove), patch('/a', add)], [['/a', 'update']]],
    ['that is changed and deleted', [patch('/a', update), patch('/a', remove)], [['/a', 'delete']]],
    [
      'that is changed and replaced by one that is moved there',
      [patch('/b', update), patch('/a', move)],
      [
        ['/b', 'update'],
        ['/a', 'delete'],
      ],
    ],
    [
      'that is moved',
      [patch('/a', move)],
      [
        ['/a', 'delete'],
        ['/b', 'add'],
      ],
    ],
    ['whose patch fails', [patch('/a', add, false)], []],
  ])('has what became of a file %s', (_, patches, expected) => {
    expect(changesAfter(...patches)).toEqual(expected);
  });

  it('keeps nothing of a patch that has ended, and takes the changes that its end names', () => {
    const end: EventMsg = {
      type: 'patch_apply_end',
      call_id: 'p',
      stdout: '',
      stderr: '',
      success: true,
      changes: { '/c': add },
    };
    expect(workAfter(end)).toEqual({ ...NO_WORK, changes: new Map([['/c', 'add']]) });
    expect(workAfter(...patch('/a', add)).patches.size).toBe(0);
  });
});
