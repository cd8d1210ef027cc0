/** Runs before each core spec: what starts a process, opens a port or makes a folder throws, so that the specs pass with Node alone. */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';

const refuse = (what: string) => (): never => {
  throw new Error(
    `A core spec ${what}. Use a port in memory, or add the import to MEETS_MACHINE in spec/support/core/jest.config.js`,
  );
};

/** Puts functions in the place of an object's own, until the specs of the file are over: a worker runs other files with the same object. */
const replace = (owner: object, functions: object): void => {
  const real = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(owner, name)]));
  Object.assign(owner, functions);
  afterAll(() => void Object.assign(owner, real));
};

const start = refuse('starts a process');
const make = refuse('makes a folder');

replace(childProcess, {
  spawn: start,
  spawnSync: start,
  exec: start,
  execSync: start,
  execFile: start,
  execFileSync: start,
  fork: start,
});
replace(fs, { mkdtemp: make, mkdtempSync: make });
replace(net.Server.prototype, { listen: refuse('opens a port') });
