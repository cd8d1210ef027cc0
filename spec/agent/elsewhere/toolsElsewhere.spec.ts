import { of, throwError } from 'rxjs';
import { toolsElsewhere } from '../../../src/agent/elsewhere/toolsElsewhere';
import { builtInTools } from '../../../src/agent/tools/builtInTools';
import type { RunMode } from '../../../src/agent/tools/tool';
import type { Executor } from '../../../src/executor/backend';
import type { ProcessEvent, ProcessSpec } from '../../../src/protocol/exec/process';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { removeHomes } from '../../support/home';
import { config } from '../support';
import { wired } from '../wiring/wiring';

afterAll(removeHomes);

/** The tools of a thread in /srv, and what of them reached the executor. */
const placed = (own: Partial<ReturnType<typeof config>> = {}) => {
  const specs: ProcessSpec[] = [];
  const executor: Executor = {
    request: (method, { path }) =>
      method === 'fs/canonicalize' ? of({ path }) : throwError(() => new RpcError(-32600, 'nothing is there')),
    start: (spec) => {
      specs.push(spec);
      return of<ProcessEvent[]>({ kind: 'exited', seq: 1, exitCode: 0 }, { kind: 'closed', seq: 2 });
    },
  };
  const settings = config({ environmentId: 'box', cwd: '/srv', sandboxMode: 'workspace-write', ...own });
  const sight = { cwd: '/srv', writableRoots: [], folders: {}, repository: undefined, facts: {} };
  const deps = toolsElsewhere(wired({}).wiring)({ executor, plain: executor.request, config: settings, sight });
  const [shell] = builtInTools(deps)(settings);
  const assess = (...command: string[]) =>
    new Promise<{ verdict: string; run: (mode: RunMode) => void }>((resolve) => {
      shell?.assess({ callId: 'c', args: JSON.stringify({ command }), isApproved: () => false }).subscribe((assessed) =>
        resolve({
          verdict: assessed.verdict,
          run: (mode) => 'run' in assessed && void assessed.run(mode).subscribe(),
        }),
      );
    });
  return { assess, specs };
};
const sandboxOf = ({ elsewhere }: ProcessSpec) => JSON.stringify(elsewhere?.sandbox);

describe('toolsElsewhere', () => {
  it('lets a command that reads run unasked, in a sandbox there that lets nothing be written', async () => {
    const { assess, specs } = placed({ approvalPolicy: 'untrusted' });
    const { verdict, run } = await assess('cat', 'a.txt');
    expect(verdict).toBe('sandbox');
    specs.length = 0;
    run('sandboxed');
    expect(specs).toMatchObject([
      { argv: ['cat', 'a.txt'], cwd: '/srv', elsewhere: { envPolicy: { inherit: 'all' } } },
    ]);
    expect(sandboxOf(specs[0] as ProcessSpec)).not.toContain('write');
    expect(specs[0]?.env).not.toHaveProperty('PATH');
    expect(specs[0]?.env).not.toHaveProperty('HOME');
  });

  it('runs git that only reads in the sandbox, which holds what a repository there names', async () => {
    expect((await placed({ approvalPolicy: 'untrusted' }).assess('git', 'status')).verdict).toBe('sandbox');
    expect((await placed({ approvalPolicy: 'on-request' }).assess('git', 'status')).verdict).toBe('sandbox');
  });

  it('asks about a reader that would run without a sandbox under the policy untrusted', async () => {
    const own = { approvalPolicy: 'untrusted', sandboxMode: 'danger-full-access' } as const;
    expect((await placed(own).assess('cat', 'a.txt')).verdict).toBe('ask');
  });

  it('runs what is approved there without a sandbox, and without a variable of this machine', async () => {
    const { assess, specs } = placed({ sandboxMode: 'danger-full-access' });
    const { verdict, run } = await assess('make');
    expect(verdict).toBe('run');
    run('direct');
    expect(specs).toMatchObject([{ argv: ['make'], env: {} }]);
    expect(specs[0]?.elsewhere).not.toHaveProperty('sandbox');
  });
});
