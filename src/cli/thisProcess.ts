/** The facts of this process that the wiring needs. */
import { join, resolve } from 'node:path';
import { version } from '../../package.json';
import type { ProcessInfo } from '../app';
import { lazy } from '../lazy';
import { startFolder } from './startFolder';

const system = lazy(() => require('node:os') as typeof import('node:os'));

/** @param cd the working folder, where it is not the one the process was started in */
export const thisProcess = (cd?: string): ProcessInfo => {
  const { env, execPath, platform, arch } = process;
  const cwd = resolve(startFolder(process), cd ?? '');
  return {
    env,
    cwd,
    codexHome: resolve(cwd, env.CODEX_HOME || join(env.HOME || system().homedir(), '.codex')),
    dist: __dirname,
    node: execPath,
    platform,
    arch,
    version,
  };
};
