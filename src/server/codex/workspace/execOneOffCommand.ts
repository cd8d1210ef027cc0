/** `execOneOffCommand`: one command, outside of any conversation. */
import { map } from 'rxjs';
import { toSandboxPolicy } from '../../../protocol/codex/sandboxPolicy';
import { withTurnSettings } from '../../../protocol/codex/settings';
import type { CodexHost } from '../../../protocol/methods/host';
import { OneOffCommandParams } from '../../../protocol/methods/workspaceParams';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { badRequest, type CodexMethod, readParams, withFaults } from '../../method';

/** Source: Codex 0.28.0, CORE 6.2, for commands of a model. */
const TIMEOUT_MS = 10_000;

/**
 * Runs a command in the sandbox of `sandboxPolicy`, or as configured; the ceiling of the operator counts. Nobody is asked, and nothing
 * leads out of the sandbox. A cancelled request ends the command and all it started.
 * Source: the app-server protocol of the releases after 0.28.0.
 */
export const execOneOffCommand =
  ({ runOneOff }: Pick<CodexHost, 'runOneOff'>): CodexMethod =>
  (request) => {
    const { command, timeoutMs = TIMEOUT_MS, cwd, sandboxPolicy } = readParams(OneOffCommandParams(), request);
    const settings = withTurnSettings({}, { cwd, sandbox: sandboxPolicy && toSandboxPolicy(sandboxPolicy) });
    return withFaults(badRequest('the command cannot run: '), () =>
      runOneOff({ argv: command, timeoutMs, settings }).pipe(
        map(({ exitCode, stdout, stderr }) => toResult({ exitCode, stdout, stderr })),
      ),
    );
  };
