import { acp } from '../../../src/cli/commands/acp';
import { SERVE_OPTIONS } from '../../../src/cli/serve/options';
import { givenBy, problemBy } from '../reading';

describe('acp', () => {
  it('takes the options of the server that are not about MCP', () => {
    const own = Object.keys(givenBy(acp));
    const left = Object.keys(SERVE_OPTIONS).filter((name) => !own.includes(name));
    expect(left).toEqual(['face', 'events', 'thread-id-in-text', 'task-after', 'offer-tapes', 'tasks-outlive']);
    expect(givenBy(acp, '--lock', '-s', 'read-only')).toMatchObject({ lock: true, sandbox: 'read-only', login: false });
  });

  it('names what is wrong', () => {
    expect(problemBy(acp, '--engine', 'tape')).toMatch(/--tape FILE/);
    expect(problemBy(acp, '--tape-speed', '0')).toMatch(/--tape-speed/);
    expect(problemBy(acp, '--events', 'none')).toMatch(/events is not an option/);
  });
});
