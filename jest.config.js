/** @type {import('jest').Config} */
module.exports = {
  roots: ['<rootDir>/spec'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: process.env.PEERS ? [] : ['<rootDir>/spec/peers/'],
  transform: { '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }] },
  collectCoverageFrom: ['src/**/*.ts'],
  coverageThreshold: { global: { lines: 90 } },
};
