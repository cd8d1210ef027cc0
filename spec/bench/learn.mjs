/** Owns what is asked of a server once, before anything is timed: which methods and tools it has. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { connect } from './client.mjs';

const asked = async (client, method) => (await client.request(method, undefined, 10_000).catch(() => ({}))).result;

/** Arguments that a tool knows, of those the bench would like to give. */
const fitting = (tool, wanted) => {
  const known = tool?.inputSchema?.properties ?? {};
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => name in known));
};

/** Starts a server once and gives { name, argv, home, can, call, replyKey, toolsFile }, or { name, problem }. */
export const learn = async ({ name, argv }, { homes, folder, tools }) => {
  const home = homes();
  const env = name === 'floor' && tools ? { ...home.env, TOOLS: tools } : home.env;
  const client = connect(argv, env);
  try {
    await client.initialize();
    const ping = await asked(client, 'ping');
    const list = (await asked(client, 'tools/list'))?.tools;
    const [codex, reply] = ['codex', 'codex-reply'].map((tool) => list?.find((one) => one.name === tool));
    const toolsFile = path.join(folder, `${name}.tools.json`);
    writeFileSync(toolsFile, JSON.stringify(list ?? []));
    const call = (prompt, cwd) => ({
      name: 'codex',
      arguments: { prompt, ...fitting(codex, { cwd, 'approval-policy': 'never', sandbox: 'danger-full-access' }) },
    });
    const replyKey = ['threadId', 'sessionId', 'conversationId'].find(
      (key) => key in (reply?.inputSchema?.properties ?? {}),
    );
    const can = { ping: ping !== undefined, 'tools/list': Array.isArray(list), codex: codex !== undefined };
    return { name, argv, home, tools, can, call, replyKey, toolsFile };
  } catch (error) {
    return { name, problem: error.message };
  } finally {
    await client.close();
  }
};
