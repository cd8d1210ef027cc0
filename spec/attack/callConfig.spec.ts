/** Attacks the promise that a call sets no key in `config` but those of one list, however it spells them. */
import * as fc from 'fast-check';
import { CALL_KEYS } from '../../src/settings/limits/callKeys';
import { refusal } from '../settings/deps';

const REFUSED =
  /^argument config, key .*: (?:a call may not set .*; the server's flag --allow-call-config .* lets calls|it is no key of the configuration)/s;

/** The same key as one dotted path, as nested tables, and half and half. */
const spellings = (path: readonly string[], value: unknown): Record<string, unknown>[] =>
  path.map((_, at) => ({
    [path.slice(0, at + 1).join('.')]: path
      .slice(at + 1)
      .reduceRight<unknown>((inner, key) => ({ [key]: inner }), value),
  }));

describe('the config of a call', () => {
  it.each([
    ['mcp_servers.x.command', 'sh'],
    ['model_providers.openai.base_url', 'https://example.com'],
    ['notify', ['sh', '-c', 'true']],
    ['shell_environment_policy.set.BASH_ENV', '/w/evil'],
    ['shell_environment_policy.experimental_use_profile', true],
    ['projects./w.trust_level', 'trusted'],
    ['profiles.default.sandbox_mode', 'danger-full-access'],
    ['permissions.p.network.enabled', true],
    ['features.hooks', true],
    ['features.exec_permission_approvals', false],
    ['sandbox_workspace_write.whatever_comes_next', true],
    ['experimental_compact_prompt_file', '/etc/hostname'],
    ['project_doc_fallback_filenames', ['../../.netrc']],
    ['history.max_bytes', 1],
    ['log_dir', '/tmp/x'],
    ['thread_store', 'nats://example.com'],
  ])('cannot set %s', (key, value) => {
    for (const config of spellings(key.split('.'), value)) expect(refusal({}, { config })).toMatch(REFUSED);
  });

  it('cannot hide such a key behind one that is allowed', () => {
    expect(refusal({}, { config: { model: 'm', 'tools.web_search': false, notify: ['sh'] } })).toMatch(REFUSED);
  });

  it('cannot set an unknown key', () => {
    const names = fc.array(fc.stringMatching(/^[a-z][a-z_]{2,15}$/), { minLength: 1, maxLength: 4 });
    const isKnown = (path: readonly string[]) => CALL_KEYS.some((key) => `${path.join('.')}.`.startsWith(`${key}.`));
    fc.assert(
      fc.property(names, fc.constantFrom(true, false, 1, 'x', {}, []), (path, value) => {
        fc.pre(!isKnown(path));
        for (const config of spellings(path, value)) expect(refusal({}, { config })).toMatch(REFUSED);
      }),
      { numRuns: 200 },
    );
  });

  it.each([501, 50_000])('cannot set %d values, however they are nested', (count) => {
    const keys = Array.from({ length: count }, (_, i) => `k${i}`);
    const below = (prefix: string) => Object.fromEntries(keys.map((key) => [prefix + key, 1]));
    const configs = [
      below(''),
      below('tools.view_image.'),
      { mcp_servers: below('') },
      { shell_environment_policy: { exclude: keys } },
    ];
    for (const config of configs) expect(refusal({}, { config })).toBe(TOO_MANY);
  });
});

const TOO_MANY = 'argument config: it has more than 500 values; put settings that stay into config.toml';
