/**
 * Gives this process, and those that it starts, a temporary folder that it can use: `su` and `sudo -E` keep the TMPDIR of a user who lets nobody else in.
 * Jest does not start there, nor does the build end.
 */
const { accessSync, constants } = require('node:fs');
const { tmpdir } = require('node:os');

try {
  accessSync(tmpdir(), constants.W_OK | constants.X_OK);
} catch {
  process.env.TMPDIR = '/tmp';
}
