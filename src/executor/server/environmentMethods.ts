/** The methods of family environment/: where processes would run. */
import { of } from 'rxjs';
import { toResult } from '../../protocol/rpc/answerOnce';
import { toUri } from '../toUri';
import type { Method } from './method';

/** The machine of the server. Absolute paths. */
export type ServerEnvironment = {
  shell: { name: string; path: string };
  version: string;
  cwd: string;
  /** Undefined if the user of the server has none. */
  home?: string;
  tempDir: string;
  /** linux, macos or windows. */
  platform: string;
};

export type EnvironmentMethodsDeps = { serverEnvironment: ServerEnvironment };

/** Source: codex exec-server 0.142.0 for `shell`, 0.169.0 for the rest and for environment/status. */
export const environmentMethods = ({ serverEnvironment }: EnvironmentMethodsDeps): Record<string, Method> => {
  const { shell, version, cwd, home, tempDir, platform } = serverEnvironment;
  const info = {
    shell,
    executorVersion: version,
    cwd: toUri(cwd),
    ...(home !== undefined && { userHomeDir: toUri(home) }),
    platformOs: platform,
    prependPathDirs: [],
    temporaryDirectories: [],
    tempDir: toUri(tempDir),
    capabilities: { fileWriteStreaming: true },
  };
  return {
    'environment/info': () => of(toResult(info)),
    'environment/status': () => of(toResult({ status: 'ready' })),
  };
};
