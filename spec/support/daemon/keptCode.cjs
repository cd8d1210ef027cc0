/**
 * Loaded before the program under Node 20, which keeps no compiled code itself (`src/cli/start/start.ts`): the specs start the program so often
 * that compiling it took a seventh of their time. The first process of a build that ends leaves what it compiled to the next ones, in a folder beside
 * the packages; the scripts are the same. Without that folder the program starts as well, only slower. Under a newer Node the program starts as it is.
 */
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire, enableCompileCache, Module } = require('node:module');
const { basename, dirname, join } = require('node:path');
const { Script } = require('node:vm');

const FOLDER = join(__dirname, '../../../node_modules/.cache/codex-rx-specs', process.version);
const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/** The end of a script, which names its build. */
const BUILD = /\/\/([0-9a-f]{12})\n$/;

const orUndefined = (action) => {
  try {
    return action();
  } catch {
    return undefined; // another user's folder, a full disk, no such file: nothing is kept
  }
};

const keep = (name, build, data) => {
  mkdirSync(FOLDER, { recursive: true });
  const partial = join(FOLDER, `${name}.${process.pid}`);
  writeFileSync(partial, data);
  renameSync(partial, join(FOLDER, name));
  for (const other of readdirSync(FOLDER)) if (!other.includes(build)) rmSync(join(FOLDER, other));
};

const run = (module, text, file, build) => {
  const name = `${build}-${basename(file)}`;
  const cachedData = orUndefined(() => readFileSync(join(FOLDER, name)));
  const script = new Script(`${HEAD}${text}\n})`, { filename: file, columnOffset: -HEAD.length, cachedData });
  if (cachedData === undefined)
    process.once('exit', () => orUndefined(() => keep(name, build, script.createCachedData())));
  return script
    .runInThisContext()
    .call(module.exports, module.exports, createRequire(file), module, file, dirname(file));
};

if (enableCompileCache === undefined) {
  const { _compile: compile } = Module.prototype;
  Module.prototype._compile = function (text, file, ...more) {
    const build = BUILD.exec(text.slice(-20))?.[1];
    return build === undefined ? compile.call(this, text, file, ...more) : run(this, text, file, build);
  };
}
