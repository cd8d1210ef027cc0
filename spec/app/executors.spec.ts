import { firstValueFrom } from 'rxjs';
import { executorsOf } from '../../src/app/executors';
import { withExecutors } from '../../src/app/withExecutors';
import { wired } from '../agent/wiring/wiring';
import { removeHomes } from '../support/home';

afterAll(removeHomes);

const ENVIRONMENTS = `
[[environments]]
id = "box"
url = "ws://127.0.0.1:1"

[[environments]]
id = "program"
program = "/no/program"

[[environments]]
id = "member"
url = "nats://127.0.0.1:1"
executor = "m"

[[environments]]
id = "pool"
url = "nats://127.0.0.1:1"
pool = "p"
`;

const opened = (own: Partial<Parameters<typeof executorsOf>[0]> = {}) => {
  const { home, wiring } = wired();
  home.write('.codex/environments.toml', ENVIRONMENTS);
  return executorsOf({ ...wiring, ...own });
};
const reached = (executors: ReturnType<typeof opened>, id: string, member?: string) =>
  firstValueFrom(executors.reach(id, member));

describe('executorsOf', () => {
  it.each(['box', 'program', 'member'])('has one executor for %s, for processes and for threads', async (id) => {
    const executors = opened();
    const backend = executors.backendOf(id);
    const first = await reached(executors, id);
    expect(first).toEqual({ executor: backend });
    expect(first.executor).toBe(backend);
    expect((await reached(executors, id)).executor).toBe(backend);
    expect(executors.backendOf(id)).toBe(backend);
  });

  it('has one pool for all its processes, and reaches the member that a thread was on', async () => {
    const executors = opened();
    expect(executors.backendOf('pool')).toBe(executors.backendOf('pool'));
    const { executor, member } = await reached(executors, 'pool', 'm');
    expect(member).toBe('m');
    expect(executor).toBe(executors.backendOf('member')); // which lies at the same address
  });

  it('has an executor of its own for each environment', () => {
    const executors = opened();
    expect(executors.backendOf('box')).not.toBe(executors.backendOf('program'));
  });

  it('refuses an environment that is not configured, at each use', () => {
    const executors = opened();
    for (const act of [() => executors.backendOf('moon'), () => executors.reach('moon', undefined)])
      expect(act).toThrow(/environment `moon` not found/);
  });

  it('has no executor for this machine', () => {
    const executors = opened();
    expect(() => executors.backendOf('local')).toThrow(/without an executor/);
    expect(() => executors.reach('local', undefined)).toThrow(/without an executor/);
  });
});

describe('withExecutors', () => {
  it('makes one registry of them, at its first use', () => {
    const { executors } = withExecutors(wired().wiring);
    expect(executors()).toBe(executors());
  });
});
