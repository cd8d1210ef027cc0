/** The settings that the pages show can be used: TOML as a configuration, or as a list of environments, and JSON as JSON. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromRows } from '../../src/protocol/codex/settings';
import { isObject, toObject } from '../../src/protocol/jsonrpc/json';
import { CALL_KEYS } from '../../src/settings/limits/callKeys';
import { configJsonSchema } from '../../src/settings/schema/schema';
import { loaded } from '../settings/deps';

const ROOT = join(__dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (/\.md$/.test(name) ? [`docs/${name}`] : [])),
];

type Block = [place: string, text: string];

const blocksOf = (language: string): Block[] =>
  PAGES.flatMap((page) =>
    [
      ...readFileSync(join(ROOT, page), 'utf8').matchAll(
        new RegExp(`^ *\`\`\`${language}\n([\\s\\S]*?)^ *\`\`\``, 'gm'),
      ),
    ].map(([, text = ''], at): Block => [`${page}, block ${at + 1}`, text.replace(/^ +/gm, '')]),
  );

/** The files of a block: `# ~/.codex/NAME` begins one, without it all is `config.toml`. */
const filesOf = (text: string): Record<string, string> => {
  const parts = text.split(/^# ~\/\.codex\/(\S+).*\n/m);
  const named = parts.slice(1).flatMap((name, at, all) => (at % 2 === 0 ? [[`/home/${name}`, all[at + 1] ?? '']] : []));
  return { '/home/config.toml': parts[0] ?? '', ...Object.fromEntries(named) };
};

/** What a page assumes beside a block. */
const AROUND = {
  '/home/nats.password': 'p',
  '/home/answers.json': '{"otherwise":{"items":[]}}',
};

const problemOf = (text: string): string | undefined => {
  const { '/home/config.toml': toml = '', ...files } = filesOf(text);
  try {
    loaded({ toml, files: { ...AROUND, ...files } });
    return undefined;
  } catch (error) {
    return String(error);
  }
};

/** What a part of a page names. */
const namesIn = (page: string, part: RegExp, name: RegExp): string[] =>
  part.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1]?.match(name) ?? [];

/** The keys of a JSON Schema, and of the tables in it. */
const keysIn = (schema: unknown): string[] => {
  const { properties, additionalProperties } = toObject(schema);
  const tables = [...Object.values(toObject(properties)), additionalProperties];
  return [...Object.keys(toObject(properties)), ...tables.flatMap((table) => (isObject(table) ? keysIn(table) : []))];
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('the settings of the pages', () => {
  it('are understood', () => {
    const blocks = blocksOf('toml');
    expect(blocks.length).toBeGreaterThan(15);
    expect(blocks.map(([place, text]) => [place, problemOf(text)]).filter(([, problem]) => problem)).toEqual([]);
  });

  it('would be caught if they were not', () => {
    expect(problemOf('approval_policy = 3')).toContain('approval_policy is 3');
    expect(problemOf('# ~/.codex/config.toml\napproval_policy = 3')).toContain('approval_policy is 3');
  });

  it('are all arguments of codex, and all params of newConversation, in the order of the table of thread settings', () => {
    const args = fromRows<object>(({ argument }) => argument && [argument.name, true]);
    const params = fromRows<object>(({ inConversation }, name) => (inConversation ? [`${name}?`, true] : null));
    expect(namesIn('README.md', /argument of `codex`(.*?)\n\n/s, /(?<=^\|[^|]*`)[\w-]+(?=`)/gm).sort()).toEqual(
      ['prompt', ...Object.keys(args)].sort(),
    );
    expect(namesIn('docs/codex-methods.md', /`newConversation` \| `\{(.*?)\}`/, /\w+\?/g)).toEqual(Object.keys(params));
  });

  it('are all keys of config.toml, and of the tables in it', () => {
    const text = PAGES.map((page) => readFileSync(join(ROOT, page), 'utf8')).join();
    const keys = [...new Set(keysIn(configJsonSchema()))];
    expect(
      keys.filter((key) => !new RegExp(`\\b${key}\\b`).test(text)).map((key) => `no page describes ${key}`),
    ).toEqual([]);
  });

  it('are all keys that a call may set', () => {
    const shown = namesIn('docs/configuration.md', /keys that a call may set(.*?)\n\n/s, /[a-z_]+/g);
    const missing = CALL_KEYS.filter((key) => !key.split('.').some((name) => shown.includes(name)));
    expect(missing.map((key) => `docs/configuration.md, table of what a call may set: no ${key}`)).toEqual([]);
  });

  it('are JSON, if they are whole', () => {
    const blocks = blocksOf('json').filter(([, text]) => !text.includes('…'));
    expect(blocks.length).toBeGreaterThan(3);
    expect(blocks.filter(([, text]) => !isJson(text) && !text.trim().split('\n').every(isJson))).toEqual([]);
  });
});
