/** Runs Jest for `npm test`, which may install what specs need. All arguments are those of Jest but `--no-install`, which forbids it. */
const { accessSync, constants } = require('node:fs');
const { tmpdir } = require('node:os');

const FORBIDS = '--no-install';

const forbidden = process.argv.includes(FORBIDS) || process.env.npm_config_install === ''; // npm takes it if `--` is missing
if (!forbidden) process.env.SPECS_INSTALL = 'yes';
process.argv = process.argv.filter((argument) => argument !== FORBIDS);

/** `su` and `sudo -E` keep the TMPDIR of a user who lets nobody else in. Jest does not start there. */
try {
  accessSync(tmpdir(), constants.W_OK | constants.X_OK);
} catch {
  process.env.TMPDIR = '/tmp';
}

require('jest/bin/jest');
