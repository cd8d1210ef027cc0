/** What other tools read about the package: valid by their schemas, true to `package.json`, and free of the placeholder of the host. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { safeLoad } from 'js-yaml';

const ROOT = join(__dirname, '../..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const json = (path: string) => JSON.parse(textOf(path));

type Made = {
  manifest: Record<string, unknown>;
  server: Record<string, unknown>;
  links: { vscode: string; cursor: string };
};

const made: Made = JSON.parse(
  execFileSync(process.execPath, [join(ROOT, 'packaging/make.mjs'), '--print'], { encoding: 'utf8' }),
);
const own = json('package.json');

/** Says what is wrong with a value by an official schema. */
const checkerOf = (schema: string): ((value: unknown) => string[]) => {
  const validate = addFormats(new Ajv({ strict: false })).compile(json(`spec/support/schemas/${schema}.schema.json`));
  return (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
};

const PLUGIN = 'packaging/plugin';
const MANIFESTS = ['plugin.json', '.claude-plugin/plugin.json', 'gemini-extension.json'] as const;
const [agentPlugin, claudePlugin, geminiExtension] = MANIFESTS.map((name) => json(`${PLUGIN}/${name}`));

const FILES: [path: string, schema: string, value: unknown][] = [
  ['server.json', 'server', made.server],
  ['manifest.json of the bundle', 'mcpb-manifest', made.manifest],
  ['plugin.json', 'agent-plugin', agentPlugin],
  ['mcp.json', 'agent-plugin-mcp', json(`${PLUGIN}/mcp.json`)],
  ['plugin.json of Claude Code', 'claude-code-plugin-manifest', claudePlugin],
  ['marketplace.json', 'claude-code-marketplace', json('.claude-plugin/marketplace.json')],
  ...readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).map((name): [string, string, unknown] => {
    const schema = name === 'config.yml' ? 'github-issue-config' : 'github-issue-forms';
    return [name, schema, safeLoad(textOf(`.github/ISSUE_TEMPLATE/${name}`))];
  }),
  ...readdirSync(join(ROOT, '.github/workflows')).map((name): [string, string, unknown] => [
    name,
    'github-workflow',
    safeLoad(textOf(`.github/workflows/${name}`)),
  ]),
];

describe('packaging', () => {
  it.each(FILES)('has a valid %s, by a schema that refuses another', (_, schema, value) => {
    const faultsOf = checkerOf(schema);
    expect(faultsOf(value)).toEqual([]);
    expect(faultsOf({ version: 1, plugins: 1, jobs: 1, blank_issues_enabled: 'maybe' })).not.toEqual([]);
  });

  it('has one version and one licence', () => {
    const { name, version, license } = own;
    expect([made.server.version, made.manifest.version]).toEqual([version, version]);
    expect([agentPlugin, claudePlugin]).toEqual(Array(2).fill(expect.objectContaining({ name, version, license })));
    expect(geminiExtension).toMatchObject({ name, version, description: agentPlugin.description }); // it has no schema
  });

  it('starts the command of the package, or a file of the bundle', () => {
    const entries = [json(`${PLUGIN}/.mcp.json`), json(`${PLUGIN}/mcp.json`), geminiExtension];
    const [command] = Object.keys(own.bin) as [string];
    expect(entries.map(({ mcpServers }) => mcpServers)).toEqual(
      entries.map(() => ({ codex: expect.objectContaining({ command, args: ['mcp-server'] }) })),
    );
    expect(made.manifest.server).toMatchObject({ entry_point: own.bin[command] });
  });

  it('has a skill that a model can choose', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(textOf(`${PLUGIN}/skills/hand-over/SKILL.md`)) ?? [];
    const skill = safeLoad(head) as { name: string; description: string };
    expect(skill.name).toBe('hand-over');
    expect(skill.description).toMatch(/^.{50,1024}$/);
  });

  it('offers its links on the page about clients', () => {
    const page = textOf('docs/clients.md');
    expect(Object.values(made.links).filter((link) => !page.includes(`(${link})`))).toEqual([]);
    const config = new URL(made.links.cursor).searchParams.get('config') ?? '';
    expect(JSON.parse(atob(config))).toEqual({ command: 'codex-rx', args: ['mcp-server'] });
  });

  it('copies files of the checkout into the image', () => {
    const copies = [...textOf('packaging/Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
    const sources = copies.flatMap(([, words = '']) => words.split(' '));
    expect(sources.length).toBeGreaterThan(5);
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('calls .ci/run in its workflow', () => {
    expect(textOf('.github/workflows/ci.yml')).toContain('- run: .ci/run\n');
  });

  it('attests the files of a release, and its notes have the command that verifies them', () => {
    const release = textOf('.github/workflows/release.yml');
    expect(release).toMatch(/attest-build-provenance@v\d+\n +with:\n +subject-path: out\/codex-rx\*\n/);
    expect(release).toMatch(/Provenance: `gh attestation verify FILE[\s\S]*gh release create .* out\/\* --notes-file/);
  });
});

const SKIPPED = /^(?:node_modules|dist|coverage|\.git)$/;

const filesBelow = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !SKIPPED.test(name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });

describe('the placeholder of the host', () => {
  it('stands in package.json only', () => {
    const { hostname } = new URL(own.homepage);
    const text = filesBelow('.').filter((path) => /\.(?:md|json|ya?ml|mjs|ts)$|Dockerfile$/.test(path));
    expect(text.filter((path) => textOf(path).includes(hostname))).toEqual(['package.json']);
  });
});
