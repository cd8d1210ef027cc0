/** The real `codex mcp-server` of release 0.142.0, whose tools and results are those of the last release that had it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { codexCall, greet } from '../../support/daemon/legacy';
import { attach, commandLine, type Json } from '../../support/daemon/peer';
import { openHome, removeHomes } from '../../support/home';
import { closeModels, message, startModel } from '../../support/servers/modelServer';
import { INSTALL_MS, installed } from '../installed';
import { masked } from '../masked';

let real: string;
beforeAll(() => {
  real = join(installed('codex-0.142.0'), 'codex');
}, INSTALL_MS);
afterEach(closeModels);
afterEach(removeHomes);

/** What a program answers to `tools/list` and to a call, and the events of the call. */
const played = async ([program, args]: [string, string[]]) => {
  const home = openHome();
  home.write('.codex/config.toml', (await startModel(({ say }) => say(message('Hello.')))).toml);
  const peer = attach(spawn(program, args, { cwd: home.work, env: home.env, stdio: 'pipe' }), home);
  try {
    await greet(peer);
    const { tools } = (await peer.request('tools/list')).result;
    await peer.request('tools/call', codexCall(peer, 'hi', { 'approval-policy': 'never' }), 2);
    const [result, ...backwards] = masked(peer.messages, home).reverse();
    const events = backwards.filter(({ method }) => method === 'codex/event').reverse();
    return { tools: tools.map(outline), result, events: events.map(({ params }): Json => params) };
  } finally {
    await peer.end();
    peer.child.kill('SIGKILL');
  }
};

/** A tool without the words that describe it. */
const outline = ({ name, title, inputSchema, outputSchema }: Json): Json => ({
  name,
  title,
  takes: Object.keys(inputSchema.properties).sort(),
  needs: inputSchema.required,
  open: inputSchema.additionalProperties !== false,
  gives: [Object.keys(outputSchema.properties), outputSchema.required],
});

const bothPlay = async () => ({
  theirs: await played([real, ['mcp-server']]),
  ours: await played(commandLine('mcp-server', '--face', '0.153')),
});

const typesOf = (events: Json[]): string[] => events.map(({ msg }) => msg.type);

describe('codex 0.142.0 and this server with the face of 0.153', () => {
  it('agree on the tools, on the result, and on the order of the events that both send', async () => {
    const { theirs, ours } = await bothPlay();
    expect(ours.tools).toEqual(theirs.tools);
    expect(ours.result).toEqual(theirs.result);
    const shared = new Set(typesOf(ours.events));
    expect(typesOf(ours.events)).toEqual(typesOf(theirs.events).filter((type) => shared.has(type)));
    for (const { _meta } of ours.events) expect(_meta).toEqual(theirs.events[0]?._meta);
  });
});
