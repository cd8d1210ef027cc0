/**
 * Loaded before the program, which itself keeps compiled code for the server alone, in the home of its user, and only from Node 22.1 on
 * (`src/cli/start/start.ts`): each spec has a new home, and compiling took up to half of the time of a process. The first processes of a build that end leave
 * what they compiled to the next ones, each what it had from those before it and its own functions besides, in a folder beside the packages; the scripts
 * are the same. Without that folder the program starts as well, only slower. `spec/cli/start` starts it as it is.
 */
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, Module } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8');
const { Script } = require('node:vm');

/** V8 takes code only under the flags that it was kept under: see `IMPLIED`. */
const FLAGS = cachedDataVersionTag();

/** What `--liftoff-only` implies stays off in V8 of Node 20 and 22 after `compiledOnce` of `src/agent/native/bashHere.ts`, until the process ends. */
const IMPLIED = ['--wasm-tier-up', '--wasm-dynamic-tiering'];

const FOLDER = join(__dirname, '../../../node_modules/.cache/codex-rx-specs', process.version);
const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/** The end of a script, which names its build. */
const BUILD = /\/\/([0-9a-f]{12})\n$/;

/** How many processes, one after another, add to what is kept: servers, executors, replays. After them nearly all is there. */
const MAX_ADDED = 24;

/** Before the code stands how many have added to it. V8 wants the code at a multiple of 8. */
const COUNT_BYTES = 8;

const orUndefined = (action) => {
  try {
    return action();
  } catch {
    return undefined; // another user's folder, a full disk, no such file: nothing is kept
  }
};

const read = (name) => {
  const bytes = orUndefined(() => readFileSync(join(FOLDER, name)));
  return bytes && { added: bytes.readUInt32LE(0), code: bytes.subarray(COUNT_BYTES) };
};

const keep = (name, build, { added, script }) => {
  if (read(name)?.added >= added) return; // a process that ran longer has less than those after it
  for (const flag of IMPLIED) setFlagsFromString(flag);
  if (cachedDataVersionTag() !== FLAGS) return;
  const code = script.createCachedData();
  mkdirSync(FOLDER, { recursive: true });
  const partial = join(FOLDER, `${name}.${process.pid}`);
  const count = Buffer.alloc(COUNT_BYTES);
  count.writeUInt32LE(added);
  writeFileSync(partial, Buffer.concat([count, code]));
  renameSync(partial, join(FOLDER, name));
  for (const other of readdirSync(FOLDER)) if (!other.includes(build)) rmSync(join(FOLDER, other));
};

const run = (module, text, file, build) => {
  const name = `${build}-${FLAGS}-${basename(file)}`;
  const kept = read(name);
  const added = (kept?.added ?? 0) + 1;
  const script = new Script(`${HEAD}${text}\n})`, {
    filename: file,
    columnOffset: -HEAD.length,
    cachedData: kept?.code,
  });
  if (added <= MAX_ADDED) process.once('exit', () => orUndefined(() => keep(name, build, { added, script })));
  return script
    .runInThisContext()
    .call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
};

const { _compile: compile } = Module.prototype;
Module.prototype._compile = function (text, file, ...more) {
  const build = BUILD.exec(text.slice(-20))?.[1];
  return build === undefined ? compile.call(this, text, file, ...more) : run(this, text, file, build);
};
