/** Where the installed Codex is, and whether it may be logged in: asked before any of its engine is loaded. */
import { delimiter, join } from 'node:path';
import { trustDeps } from '../../executor/sandbox/belongsToSystem';
import { isFile, isFolder, realPathOf } from '../../io/paths/look';
import { type Found, findCodex } from '../../io/processes/findCodex';
import { trustedFolders } from '../../io/processes/trustedFolders';
import { readIfPossible } from '../wiring/disk';
import type { Wiring } from '../wiring/wiring';

const realpath = (path: string): string => realPathOf(path) ?? path;

/** Finds Codex, but not in folders of the workspace, such as the `node_modules/.bin` that npx puts first; one there is only named. */
export const installedCodex =
  ({ processInfo, options }: Pick<Wiring, 'processInfo' | 'options'>) =>
  (): Found => {
    const { platform, arch, node, cwd } = processInfo;
    const path = processInfo.env.PATH;
    const trusted = trustedFolders(trustDeps(processInfo), path, [cwd]);
    const env = { ...processInfo.env, PATH: trusted.join(delimiter) };
    const machine = { platform, arch, node, isFile, isFolder, realpath };
    const found = findCodex({ ...machine, env, option: options.codex });
    if (!('looked' in found) || found.isNamed) return found;
    const ofWorkspace = findCodex({ ...machine, env: processInfo.env });
    return 'looked' in ofWorkspace ? found : { ...found, leftOut: ofWorkspace.path };
  };

/** A login is a file, unless the configuration names another store, or a key stands in the environment. */
export const mayBeLoggedIn = ({ processInfo: { env, codexHome } }: Pick<Wiring, 'processInfo'>): boolean =>
  isFile(join(codexHome, 'auth.json')) ||
  Boolean(env.CODEX_API_KEY || env.CODEX_ACCESS_TOKEN) ||
  /cli_auth_credentials_store/.test(readIfPossible(join(codexHome, 'config.toml')) ?? '');
