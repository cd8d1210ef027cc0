const { availableParallelism } = require('node:os');

const swc = '@swc/jest';

// Jest would name a script `npx` as what updates snapshots; so it names its option `-u`.
if (process.env.npm_lifecycle_event === 'npx') delete process.env.npm_lifecycle_event;

/** @type {import('jest').Config} */
module.exports = {
  maxWorkers: 2 * availableParallelism(), // the longest specs wait for processes most of their time
  testSequencer: '<rootDir>/spec/support/longFirst.js',
  testTimeout: 60_000, // a busy machine takes its time; a spec that hangs still fails
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: process.env.PEERS ? [] : ['<rootDir>/spec/peers/'],
  globalSetup: '<rootDir>/spec/support/needs/setup.ts',
  globalTeardown: '<rootDir>/spec/support/needs/teardown.ts',
  reporters: ['default', '<rootDir>/spec/support/needs/reporter.js'],
  testEnvironment: '<rootDir>/spec/support/loading/environment.ts',
  transform: {
    '/spec/support/loading/rxjs\\.ts$': '<rootDir>/spec/support/loading/bundled.js',
    '\\.ts$': [swc, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
    '/yargs-parser/.*\\.js$': [swc, { jsc: { target: 'es2022' }, module: { type: 'commonjs' } }], // an ES module only
  },
  transformIgnorePatterns: ['/node_modules/(?!yargs-parser/)'],
  moduleNameMapper: {
    '^rxjs(/testing|/internal/scheduler/dateTimestampProvider)?$': '<rootDir>/spec/support/loading/rxjs.ts',
    '^\\.\\./locales/index\\.cjs$': '<rootDir>/node_modules/zod/v4/locales/en.cjs', // of zod, which loads sixty languages
    '^zod/v4/locales/en.js$': '<rootDir>/node_modules/zod/v4/locales/en.cjs',
  },
  collectCoverageFrom: ['src/**/*.ts', '!src/tapes/page/browser/**'], // that part runs in a browser: spec/peers/tapes/page.spec.ts
  coverageThreshold: { global: { lines: 90 } },
};
