/**
 * The specs of `npm run test:core`: operators, reducers and codecs, most of them in virtual time. They need Node and nothing else, so nothing is
 * looked for before the first of them, and none is left out.
 */
const { readdirSync, readFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const base = require('../../../jest.config');

const SPEC = join(__dirname, '../..');

/** The other wings, `io` and `cli`, are the edges of the process. */
const WINGS = [
  'streams',
  'protocol',
  'threads',
  'executor',
  'settings',
  'tapes',
  'agent',
  'server',
  'fleet',
  'testing',
];

/** In the text of a spec that meets the machine: a process, a port, a folder. `nothingReal.ts` refuses them to all other specs. */
const MEETS_MACHINE =
  /needs\(|node:(child_process|net|http)'|mkdtemp|\/files'|support\/(home|sockets|processes|daemon|exec|servers|nats)\b/;

const meetsMachine = (path) => path.endsWith('.spec.ts') && MEETS_MACHINE.test(readFileSync(join(SPEC, path), 'utf8'));

const pathsOf = (wing) => readdirSync(join(SPEC, wing), { recursive: true }).map((path) => join(wing, path));

const patternOf = (path) => `/spec/${path.split(sep).join('/')}$`;

/** @type {import('jest').Config} */
module.exports = {
  ...base,
  rootDir: '../../..',
  roots: WINGS.map((wing) => `<rootDir>/spec/${wing}`),
  testPathIgnorePatterns: WINGS.flatMap(pathsOf).filter(meetsMachine).map(patternOf),
  maxWorkers: '100%', // these specs wait for nothing
  globalSetup: undefined,
  globalTeardown: undefined,
  setupFilesAfterEnv: ['<rootDir>/spec/support/core/nothingReal.ts'],
  reporters: ['<rootDir>/spec/support/byWing.js'],
};
