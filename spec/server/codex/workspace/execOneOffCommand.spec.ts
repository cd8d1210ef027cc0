import { throwError } from 'rxjs';
import type { OneOffCommand } from '../../../../src/protocol/methods/host';
import { execOneOffCommand } from '../../../../src/server/codex/codexMethods';
import { ConfigError } from '../../../../src/settings/faults/configError';
import { asked } from '../../../protocol/methods/host';
import { marbles } from '../../../support/marbles';

const end = { exitCode: 3, stdout: 'o', stderr: 'e', isCut: false };
const command = (params: object) => asked('execOneOffCommand', { command: ['ls'], ...params });

describe('execOneOffCommand', () => {
  it(
    'answers when the command has ended; unsubscribing ends it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const end$ = cold('--(e|)', { e: end });
      const run = execOneOffCommand({ runOneOff: () => end$ });
      expectObservable(run(command({}))).toBe('--(R|)', {
        R: { kind: 'result', result: { exitCode: 3, stdout: 'o', stderr: 'e' } },
      });
      expectObservable(run(command({})), '^!').toBe('');
      expectSubscriptions(end$.subscriptions).toBe(['^-!', '^!']);
    }),
  );

  it('passes the sandbox on as settings, which the ceiling limits', () => {
    const commands: OneOffCommand[] = [];
    const run = execOneOffCommand({
      runOneOff: (command) => {
        commands.push(command);
        return throwError(() => new ConfigError('looser than allowed'));
      },
    });
    const errors: unknown[] = [];
    const sandboxPolicy = { mode: 'workspace-write', network_access: true };
    run(command({ cwd: '/w', timeoutMs: 5, sandboxPolicy })).subscribe({ error: (error) => errors.push(error) });
    expect(commands).toEqual([
      {
        argv: ['ls'],
        timeoutMs: 5,
        settings: {
          cwd: '/w',
          sandbox: 'workspace-write',
          config: { 'sandbox_workspace_write.network_access': true },
        },
      },
    ]);
    expect(errors).toMatchObject([{ code: -32600, message: 'the command cannot run: looser than allowed' }]);
  });
});
