/** Owns the program under test: the package as npm packs and installs it, so that figures are those of a user, or the built checkout. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

let program = path.join(CHECKOUT, 'bin/codex-rx.js');

const npm = (...args) => execFileSync('npm', args, { cwd: CHECKOUT, stdio: ['ignore', 'ignore', 'inherit'] });

/** Packs the checkout, which builds it, and installs the tarball below `folder`; later command lines start the installed program. */
export const installPackage = (folder) => {
  npm('pack', '--silent', '--pack-destination', folder);
  const tarball = path.join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
  npm('install', '--silent', '--no-save', '--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder, tarball);
  program = path.join(folder, 'node_modules/codex-rx/bin/codex-rx.js');
};

/** The command line of the program under test. */
export const commandLine = (...args) => [process.execPath, program, ...args];
