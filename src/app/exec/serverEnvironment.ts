/** What clients of the exec-server ask about its machine. */
import { basename } from 'node:path';
import type { ServerEnvironment } from '../../executor/server/environmentMethods';
import type { ProcessInfo } from '../processInfo';
import { temporaryFolder } from '../temporaryFolders';

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
