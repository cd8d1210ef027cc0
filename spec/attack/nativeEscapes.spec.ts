/** What a model asks for that the settings do not allow, against the real server and the real sandbox. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codexCall, greet, textOf } from '../support/daemon/legacy';
import { endServers, type Json, type Launch, type Peer, startServer } from '../support/daemon/peer';
import { type Home, openHome, removeHomes } from '../support/home';
import { needs } from '../support/needs/needs';

afterAll(removeHomes);

type Call = { call: string; args: Json };
const shell = (command: string[], more: Json = {}): Call => ({ call: 'shell', args: { command, ...more } });
const bash = (script: string, more: Json = {}): Call => shell(['bash', '-lc', script], more);
const patch = (...lines: string[]): Call => ({
  call: 'apply_patch',
  args: { input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});

/** A workspace, and a folder next to it. */
type Place = { work: string; out: string };

/** What is temporary would be writable, and these folders are in it. */
const ARGS = ['exclude_slash_tmp', 'exclude_tmpdir_env_var'].flatMap((key) => [
  '-c',
  `sandbox_workspace_write.${key}=true`,
]);

/** A model that makes one call if the prompt fits; `/OUT` in the call is the folder next to the workspace. */
const sceneOf = (when: string, call: Call, { out }: Place) => {
  const text = JSON.stringify({ ...call, id: 'c1' }).replaceAll('/OUT', out);
  return { when, answers: [{ items: [JSON.parse(text)] }, { items: [{ text: 'It said: {{output}}' }] }] };
};

const placeIn = (folder: string): Place => {
  const place = { work: join(folder, 'work'), out: join(folder, 'outside') };
  for (const path of Object.values(place)) mkdirSync(path, { recursive: true });
  writeFileSync(join(place.out, 'kept.txt'), 'kept\n');
  return place;
};

/** What starts a server whose model makes one call. */
const around = (call: Call, prepare: (place: Place) => void = () => {}) => {
  const home = openHome();
  const place = placeIn(home.path);
  prepare(place);
  return { home, out: place.out, launch: { home, script: { scenes: [sceneOf('.', call, place)] }, args: ARGS } };
};

const run = async (peer: Peer, settings: Json): Promise<string> => {
  await greet(peer);
  return textOf(await peer.request('tools/call', codexCall(peer, 'go', settings), 1));
};
const NEVER = { 'approval-policy': 'never', sandbox: 'workspace-write' };
const READ_ONLY = { 'approval-policy': 'untrusted', sandbox: 'read-only' };

const untouched = (out: string): void => {
  expect(readdirSync(out)).toEqual(['kept.txt']);
  expect(readFileSync(join(out, 'kept.txt'), 'utf8')).toBe('kept\n');
};

/** The calls of several specs on one server; each has a place of its own. Makes a call, and resolves with its place and the text of its result. */
const callsOnOneServer = (calls: readonly Call[], settings: Json, launch: (home: Home) => Launch = () => ({})) => {
  const shared: { peer?: Peer; places: Place[] } = { places: [] };
  beforeAll(async () => {
    const home = openHome();
    shared.places = calls.map((_, at) => placeIn(join(home.path, `case${at}`)));
    const scenes = calls.map((call, at) => sceneOf(`^${at}$`, call, shared.places[at] as Place));
    shared.peer = startServer({ home, script: { scenes }, args: ARGS, ...launch(home) });
    await greet(shared.peer);
  });
  afterAll(endServers);
  return async (call: Call, prepare: (place: Place) => void = () => {}): Promise<Place & { text: string }> => {
    const at = calls.indexOf(call);
    const place = shared.places[at] as Place;
    prepare(place);
    const peer = shared.peer as Peer;
    const text = textOf(await peer.request('tools/call', codexCall(peer, `${at}`, { ...settings, cwd: place.work })));
    expect(text).toMatch(/^It said: /);
    return { ...place, text };
  };
};

needs('sandbox').describe('a model that may write to the workspace only', () => {
  const OUTSIDE: [string, Call][] = [
    ['a patch with ..', patch('*** Add File: ../outside/x', '+x')],
    ['a patch with an absolute path', patch('*** Add File: /OUT/x', '+x')],
    ['a patch through a link', patch('*** Add File: link/x', '+x')],
    ['a patch of a linked file', patch('*** Update File: linked.txt', '@@', '-kept', '+changed')],
    ['a patch that moves out', patch('*** Update File: in.txt', '*** Move to: ../outside/x', '@@', '-in', '+x')],
    [
      'a patch in a here-document',
      bash("cd ../outside && apply_patch <<'E'\n*** Begin Patch\n*** Add File: x\n+x\n*** End Patch\nE"),
    ],
    [
      'a patch from a workdir outside',
      shell(['apply_patch', '*** Begin Patch\n*** Add File: x\n+x\n*** End Patch'], { workdir: '/OUT' }),
    ],
    ['a command', shell(['touch', '/OUT/x'])],
    ['a command through a link', shell(['touch', 'link/x'])],
    ['a command with a workdir outside', shell(['touch', 'x'], { workdir: '/OUT' })],
    ['a redirection', bash('echo x > /OUT/x')],
    ['an expansion', bash('t=touch; $t /OUT/x')],
    ['a substitution', bash('ls $(touch /OUT/x)')],
    ['a here-document', bash('cat <<E\n$(touch /OUT/x)\nE')],
    ['an alias', bash('shopt -s expand_aliases\nalias ls=touch\nls /OUT/x')],
    ['an assignment before a trusted command', bash('GIT_EXTERNAL_DIFF="touch /OUT/x" git diff')],
    ['more rights under never', shell(['touch', '/OUT/x'], { with_escalated_permissions: true, justification: 'x' })],
    ['a process left behind', bash('(setsid sh -c "sleep 0.3; touch /OUT/x" &) ; sleep 0.6')],
  ];
  const PROTECTED: [string, Call][] = [
    ['a hook by a patch', patch('*** Add File: .git/hooks/pre-commit', '+#!/bin/sh')],
    ['a hook in other letters', patch('*** Add File: .GIT/hooks/pre-commit', '+#!/bin/sh')],
    ['settings of a nested repository', patch('*** Add File: lib/.git/config', '+[diff]')],
    ['settings of Codex', patch('*** Add File: .codex/config.toml', '+x')],
    ['a hook by a command', bash('mkdir -p .git/hooks && touch .git/hooks/pre-commit')],
    ['settings of git by a command', bash('git config core.fsmonitor "touch x"')],
  ];
  const INSIDE = bash('echo x > made.txt');
  const make = callsOnOneServer(
    [...OUTSIDE.map(([, call]) => call), ...PROTECTED.map(([, call]) => call), INSIDE],
    NEVER,
  );

  it.each(OUTSIDE)('does not write outside by %s', async (_, call) => {
    const { out } = await make(call, ({ work, out }) => {
      symlinkSync(out, join(work, 'link'));
      symlinkSync(join(out, 'kept.txt'), join(work, 'linked.txt'));
      writeFileSync(join(work, 'in.txt'), 'in\n');
    });
    untouched(out);
  });

  it.each(PROTECTED)('does not write %s', async (_, call) => {
    const { work } = await make(call, ({ work }) => {
      mkdirSync(join(work, '.git'));
      writeFileSync(join(work, '.git/config'), '[core]\n');
    });
    expect(readdirSync(join(work, '.git'))).toEqual(['config']);
    expect(readFileSync(join(work, '.git/config'), 'utf8')).toBe('[core]\n');
    expect(['.GIT', 'lib', '.codex'].filter((name) => existsSync(join(work, name)))).toEqual([]);
  });

  it('writes inside, by patches and commands', async () => {
    const { work } = await make(INSIDE);
    expect(readFileSync(join(work, 'made.txt'), 'utf8')).toBe('x\n');
  });
});

needs('sandbox').describe('what runs unasked', () => {
  afterEach(endServers);

  const program = (path: string, out: string): void => {
    writeFileSync(
      path,
      `#!/bin/sh\necho "without a network: $CODEX_SANDBOX_NETWORK_DISABLED" >&2\ntouch ${out}/x made-by-it\n`,
    );
    chmodSync(path, 0o755);
  };

  it('takes no program from the workspace', async () => {
    const { home, out, launch } = around(shell(['ls']), ({ work, out }) => {
      mkdirSync(join(work, 'node_modules/.bin'), { recursive: true });
      program(join(work, 'node_modules/.bin/ls'), out);
      program(join(work, 'ls'), out);
    });
    const env = { PATH: `${home.work}/node_modules/.bin:.::${home.env.PATH}` };
    await run(startServer({ ...launch, env }), READ_ONLY);
    untouched(out);
    expect(existsSync(join(home.work, 'made-by-it'))).toBe(false);
  });

  it.each<[string, Call, string]>([
    ['a filter', shell(['git', 'diff']), '.'],
    ['a filter of a nested repository', bash('cd lib && git diff'), 'lib'],
  ])('keeps %s that git runs from changing anything, and from the network', async (_, call, folder) => {
    const { home, out, launch } = around(call, ({ work, out }) => {
      program(join(work, 'evil'), out);
      const cwd = join(work, folder);
      mkdirSync(cwd, { recursive: true });
      writeFileSync(join(cwd, 'a'), 'a\n');
      const git = (...args: string[]) => execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: out } });
      git('init', '-q');
      git('add', 'a');
      git('config', 'filter.evil.clean', join(work, 'evil'));
      writeFileSync(join(cwd, '.gitattributes'), 'a filter=evil\n');
      writeFileSync(join(cwd, 'a'), 'b\n');
    });
    expect(await run(startServer(launch), READ_ONLY)).toContain('without a network: 1');
    untouched(out);
    expect(existsSync(join(home.path, 'work', 'made-by-it'))).toBe(false);
  });

  it('does not give the model an AGENTS.md that leads out of the project', async () => {
    const { launch } = around(shell(['pwd']), ({ work, out }) => {
      symlinkSync(join(out, 'kept.txt'), join(work, 'AGENTS.md'));
    });
    const script = {
      scenes: [{ when: 'kept', answers: [{ items: [{ text: 'read' }] }] }],
      otherwise: { items: [{ text: 'not read' }] },
    };
    expect(await run(startServer({ ...launch, script }), READ_ONLY)).toBe('not read');
  });
});

needs('sandbox').describe('a command', () => {
  const SHOWING: [string, Call][] = [
    ['the login', bash('cat ~/.codex/auth.json')],
    ['a key of SSH', bash('cat ~/.ssh/id_test')],
    ['the environment of the server', bash('cat /proc/*/environ')],
  ];
  const make = callsOnOneServer(
    SHOWING.map(([, call]) => call),
    READ_ONLY,
    (home) => {
      home.write('.codex/auth.json', { OPENAI_API_KEY: 'sk-hidden-hidden' });
      home.write('.ssh/id_test', 'sk-hidden-hidden');
      return { env: { OPENAI_API_KEY: 'sk-hidden-hidden' } };
    },
  );

  it.each(SHOWING)('does not show %s', async (_, call) => {
    expect((await make(call)).text).not.toContain('sk-hidden');
  });
});

describe('a call above the ceiling', () => {
  const shared: { peer?: Peer } = {};
  beforeAll(async () => {
    const args = ['-a', 'untrusted', '-s', 'read-only'];
    shared.peer = startServer({ args, script: { otherwise: { items: [{ text: 'not refused' }] } } });
    await greet(shared.peer);
  });
  afterAll(endServers);

  it.each<[string, Json, string]>([
    ['a looser policy', { 'approval-policy': 'never' }, 'looser than "untrusted"'],
    ['a looser mode', { sandbox: 'danger-full-access' }, 'looser than "read-only"'],
    [
      'the address of a provider',
      { config: { 'model_providers.openai.base_url': 'http://x' } },
      '--allow-call-config model_providers',
    ],
    ['a program', { config: { 'mcp_servers.x.command': 'sh' } }, '--allow-call-config mcp_servers'],
    [
      'a variable',
      { config: { shell_environment_policy: { set: { BASH_ENV: 'x' } } } },
      '--allow-call-config shell_environment_policy.set',
    ],
  ])('is refused %s, with the flag that would allow it', async (_, settings, text) => {
    const peer = shared.peer as Peer;
    const answer = await peer.request('tools/call', codexCall(peer, 'go', { sandbox: 'read-only', ...settings }));
    expect(textOf(answer)).toContain(text);
  });
});
