import { NEVER } from 'rxjs';
import type { OpenedThread } from '../../../../src/agent/appServer/threads/openThread';
import { toItems, withSettings } from '../../../../src/agent/appServer/turns/turnParams';
import type { TurnOp } from '../../../../src/protocol/codex/operations';
import type { ThreadSettings } from '../../../../src/protocol/codex/settings';
import { ConfigError } from '../../../../src/settings/faults/configError';
import { linkDouble } from '../connection/link';
import { turn } from '../support';

const base = { model: 'gpt-5', approvalPolicy: 'untrusted', cwd: '/w', sandboxPolicy: { type: 'readOnly' } };
const { link } = linkDouble(NEVER);
const opened = (more: Partial<OpenedThread['thread']> = {}): OpenedThread => ({
  thread: { id: 't1', settings: { model: 'gpt-5' }, loadedBy: link, turnId: '', base, once: [], ...more },
  msgs: [],
  turnParams: {},
  isLoaded: true,
});
const op = (own: Partial<TurnOp>) => ({ ...turn('a', 'go'), ...own }) as TurnOp;
const seen: ThreadSettings[] = [];
const deps = {
  paramsOf: (settings: ThreadSettings) => {
    seen.push(settings);
    if (settings.sandbox === 'danger-full-access') throw new ConfigError('looser than allowed');
    return { cwd: `/abs/${settings.cwd}`, approvalPolicy: settings.approvalPolicy };
  },
};

describe('withSettings', () => {
  it('leaves a turn without settings as it is', () => {
    expect(withSettings(deps, opened(), op({}))).toEqual(opened());
  });

  it('sends what a turn sets for good, and starts the thread so where another server loads it', () => {
    const lasting = { model: 'o3', effort: 'low', cwd: 'x', approvalPolicy: 'never' } as const;
    const params = { model: 'o3', effort: 'low', cwd: '/abs/x', approvalPolicy: 'never' };
    const { thread, turnParams } = withSettings(deps, opened(), op({ lasting }));
    expect({ turnParams, thread }).toEqual({
      turnParams: params,
      thread: { ...opened().thread, settings: lasting, base: { ...base, ...params } },
    });
  });

  it('sends what a turn sets for itself, and sets it back for the next', () => {
    const sandbox = { mode: 'workspace-write', writableRoots: ['/r'], networkAccess: true } as const;
    const once = withSettings(deps, opened(), op({ settings: { model: 'o3', sandbox } }));
    const sandboxPolicy = { type: 'workspaceWrite', writableRoots: ['/r'], networkAccess: true };
    expect(once.turnParams).toEqual({ model: 'o3', sandboxPolicy });
    expect(seen.at(-1)).toEqual({
      model: 'o3',
      sandbox: 'workspace-write',
      config: {
        'sandbox_workspace_write.writable_roots': ['/r'],
        'sandbox_workspace_write.network_access': true,
      },
    });
    const next = withSettings(deps, { ...once, turnParams: {} }, op({}));
    expect(next.turnParams).toEqual({ model: 'gpt-5', sandboxPolicy: { type: 'readOnly' } });
    expect(next.thread).toEqual(opened().thread);
  });

  it('sets reasoning back to the default where the thread names none', () => {
    const once = withSettings(deps, opened(), op({ settings: { effort: 'low', summary: 'none' } }));
    const next = withSettings(deps, { ...once, turnParams: {} }, op({}));
    expect(next.turnParams).toEqual({ effort: 'medium', summary: 'auto' });
  });

  it('sends what a profile of the call sets, and keeps the rest for when the thread is loaded again', () => {
    const paramsOf = ({ profile }: ThreadSettings) =>
      profile === undefined
        ? { cwd: '/w', approvalPolicy: 'untrusted' }
        : {
            cwd: '/w',
            approvalPolicy: 'never',
            model: 'o3',
            sandbox: 'workspace-write',
            config: { model_reasoning_effort: 'low' },
          };
    const lasting = { profile: 'p', compactPrompt: 'c', config: { environment_id: 'box' } };
    const before = opened({ settings: undefined, added: { compactPrompt: 'b', baseInstructions: 'b' } });
    const { thread, turnParams } = withSettings({ paramsOf }, before, op({ lasting }));
    expect(turnParams).toEqual({
      model: 'o3',
      approvalPolicy: 'never',
      effort: 'low',
      sandboxPolicy: { type: 'workspaceWrite' },
    });
    expect(thread).toEqual({
      ...before.thread,
      added: { profile: 'p', compactPrompt: 'c', baseInstructions: 'b' },
      base: { ...base, ...turnParams },
    });
  });

  it('throws where the operator does not allow a setting', () => {
    const settings = { sandbox: { mode: 'danger-full-access' } } as const;
    expect(() => withSettings(deps, opened(), op({ settings }))).toThrow('looser than allowed');
  });
});

describe('toItems', () => {
  it('makes the paths of pictures absolute', () => {
    const input = [
      { type: 'image', url: 'https://h/p' },
      { type: 'localImage', path: 'p.png' },
    ] as const;
    expect(toItems(input, '/w')).toEqual([input[0], { type: 'localImage', path: '/w/p.png' }]);
  });
});
