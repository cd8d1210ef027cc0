/** The folder of the project, and the one copy of rxjs that every bundle holds. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The ESM entries, so that unused code is left out of a bundle. */
export const rxjs = path.join(root, 'node_modules/rxjs/dist/esm/index.js');
export const rxjsTesting = path.join(root, 'node_modules/rxjs/dist/esm/testing/index.js');

/** Its entry for Node loads its parts in a way that no bundler can follow. */
export const jsoncParser = path.join(root, 'node_modules/jsonc-parser/lib/esm/main.js');
