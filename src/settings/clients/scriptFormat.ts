/**
 * Scripts of editors that are set up by code. A script is written as a whole: its first line has the entries in a comment, the code below is made of them.
 * The editor loads it by a line that a person adds, as no program can know where that belongs.
 */
import { isObject, type JsonObject, parseObject, textOf, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Format } from './formats';

/** How an editor learns of one server. */
type Script = {
  /** Begins a comment. */
  comment: string;
  /** The code for an entry: its command line, and its variables. */
  toCode: (argv: readonly string[], env: JsonObject) => string;
};

const scriptFormat = ({ comment, toCode }: Script): Format => {
  const mark = `${comment} codex-rx init: `;
  const read = (text: string): JsonObject => {
    if (text.trim() === '') return {};
    const found = text.startsWith(mark) ? parseObject(text.slice(mark.length).split('\n')[0] ?? '') : undefined;
    if (found === undefined) throw new Error('it was not written by codex-rx init');
    return found;
  };
  const write = (tables: JsonObject): string => {
    const entries = Object.values(tables).flatMap((table) => Object.values(toObject(table)));
    const code = entries.map((entry) => {
      const { command, args, env } = toObject(entry);
      return toCode([command, ...(Array.isArray(args) ? args : [])].map(textOf), toObject(env));
    });
    return code.length === 0 ? '' : `${mark}${JSON.stringify(tables)}\n${code.join('\n')}`;
  };
  return { read, set: (text, path, value) => write(withValue(read(text), path, value)) };
};

/** The object with a value at a path; undefined removes what is there. */
const withValue = (object: JsonObject, [key = '', ...path]: readonly string[], value: unknown): JsonObject => {
  const { [key]: old, ...rest } = object;
  const next = path.length === 0 ? value : withValue(isObject(old) ? old : {}, path, value);
  return next === undefined ? rest : { ...rest, [key]: next };
};

/** A text in quotes. Source: Lua 5.1, 2.1, which has decimal escapes and no `\u`. */
const inLua = (text: string): string =>
  JSON.stringify(text).replace(/\\(?:u[\da-f]{4}|.)/g, (part) =>
    /^\\[bfu]/.test(part) ? `\\${String(JSON.parse(`"${part}"`).charCodeAt(0)).padStart(3, '0')}` : part,
  );

/** A module for CodeCompanion, whose adapter `codex` it extends. Source: CodeCompanion 19, its documentation of ACP adapters. */
export const luaFormat = scriptFormat({
  comment: '--',
  toCode: (argv, env) => {
    const variables = Object.entries(env).map(([name, value]) => `[${inLua(name)}] = ${inLua(wordOf(value))}`);
    return [
      'return {',
      '  adapter = function()',
      '    return require("codecompanion.adapters").extend("codex", {',
      `      commands = { default = { ${argv.map(inLua).join(', ')} } },`,
      '      defaults = { auth_method = "present" },',
      ...(variables.length > 0 ? [`      env = { ${variables.join(', ')} },`] : []),
      '    })',
      '  end,',
      '}\n',
    ].join('\n');
  },
});

/** A file for agent-shell. Variables are set by the program `env`. Source: agent-shell 0.50, `agent-shell-openai-codex-acp-command`. */
export const elispFormat = scriptFormat({
  comment: ';;',
  toCode: (argv, env) => {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${wordOf(value)}`);
    const words = [...(variables.length > 0 ? ['env', ...variables] : []), ...argv];
    return `(setq agent-shell-openai-codex-acp-command '(${words.map((word) => JSON.stringify(word)).join(' ')}))\n`;
  },
});
