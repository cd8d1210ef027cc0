/** A call of `codex` that goes on with a stored thread, by the key of Codex 0.28.0 that names its file. */
import type { ThreadRef } from '../../../protocol/codex/operations';
import type { ThreadSettings, TurnSettings } from '../../../protocol/codex/settings';

/** The name of a session file ends with the id of its thread; the folder does not matter, as threads are found by their ids. */
const NAME = /(?:^|[\\/])rollout-[\dT-]+-(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i;

/** The thread, and the settings of the call that count for it from now on. */
export type Resumed = { thread: ThreadRef; lasting?: TurnSettings };

/**
 * The thread whose file `experimental_resume` in the `config` of a call names; undefined without that key, or where it names no session file.
 * No file is read: the thread is looked for as `codex-reply` does.
 * Source: Codex 0.28.0, CORE 8.2; it read any path.
 */
export const resumedThread = ({ config = {}, ...settings }: ThreadSettings): Resumed | undefined => {
  const { experimental_resume: path, environment_id: environmentId } = config;
  const id = typeof path === 'string' ? NAME.exec(path)?.groups?.id : undefined;
  if (id === undefined) return undefined;
  const { cwd, model, approvalPolicy, sandbox } = settings;
  const lasting: TurnSettings = {
    ...(cwd !== undefined && { cwd }),
    ...(model !== undefined && { model }),
    ...(approvalPolicy !== undefined && { approvalPolicy }),
    ...(sandbox !== undefined && { sandbox: { mode: sandbox } }),
    ...(typeof environmentId === 'string' && { environmentId }),
  };
  return { thread: { id }, ...(Object.keys(lasting).length > 0 && { lasting }) };
};
