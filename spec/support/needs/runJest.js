/** Runs Jest for `npm test`, which may install what specs need. All arguments are those of Jest but `--no-install`, which forbids it. */
require('../../../build/usableTmpdir.cjs');
const { tmpdir } = require('node:os');

if (/\s/.test(tmpdir())) process.env.TMPDIR = '/tmp'; // specs of commands write its path into scripts of a shell

const FORBIDS = '--no-install';

const forbidden = process.argv.includes(FORBIDS) || process.env.npm_config_install === ''; // npm takes it if `--` is missing
if (!forbidden) process.env.SPECS_INSTALL = 'yes';
process.argv = process.argv.filter((argument) => argument !== FORBIDS);
for (const reporter of ['byWing', 'needs/reporter'])
  process.argv.push(`--reporters=<rootDir>/spec/support/${reporter}.js`);
require('jest/bin/jest');
