/** Owns the surroundings of a real server process: a home nobody used before, a folder to work in, six variables. */
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { removeFolder } from './files';

/** `path` is HOME, `work` an empty folder; `write` puts a file under HOME and returns its path. */
export type Home = {
  path: string;
  work: string;
  env: Record<string, string>;
  write: (name: string, content: string | object) => string;
};

/** What official clients pass to a server. Source: `getDefaultEnvironment` of @modelcontextprotocol/sdk 1.32.2. */
const PASSED_ON = ['LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

const made: string[] = [];

/** Makes a home. Commands find the Node that runs the specs. */
export const openHome = (): Home => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'codex-rx-')));
  made.push(path);
  const work = join(path, 'work');
  mkdirSync(work);
  const passedOn = PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    path,
    work,
    env: { ...Object.fromEntries(passedOn), HOME: path },
    write: (name, content) => {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return file;
    },
  };
};

/**
 * A home that Codex can run sandboxed commands from: not below the folder that it takes for the temporary one.
 * Source: codex 0.142.0 to 0.169.0, whose sandbox finds no helper there.
 */
export const openHomeForCodex = (): Home => {
  const home = openHome();
  const temporary = join(home.path, 'tmp');
  mkdirSync(temporary);
  return { ...home, env: { ...home.env, TMPDIR: temporary } };
};

/** Removes every home that was made. */
export const removeHomes = async (): Promise<void> => {
  for (const path of made.splice(0)) await removeFolder(path);
};
