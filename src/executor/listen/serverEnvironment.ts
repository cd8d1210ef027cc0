/** What clients of the exec-server ask about its machine. */
import { basename } from 'node:path';
import { temporaryFolder } from '../../io/disk/temporaryFolders';
import type { ProcessInfo } from '../../io/processInfo';
import type { ServerEnvironment } from '../server/environmentMethods';

/** The names that Codex has for operating systems. */
const PLATFORMS: Record<string, string> = { darwin: 'macos', win32: 'windows' };

type Machine = Pick<ProcessInfo, 'env' | 'cwd' | 'home' | 'platform' | 'version'>;

/** The shell, folders and platform of this process. */
export const serverEnvironment = ({ env, cwd, home, platform, version }: Machine): ServerEnvironment => {
  const shell = env.SHELL || '/bin/sh';
  return {
    shell: { name: basename(shell), path: shell },
    version,
    cwd,
    home,
    tempDir: temporaryFolder(),
    platform: PLATFORMS[platform] ?? platform,
  };
};
