/** Owns the life of a server process inside a metric: started, initialised, used, ended, however it went. */
import { connect } from './client.mjs';

/** A metric that takes longer than this on one server hangs. */
const DEADLINE_MS = 240_000;

const within = (work, client) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => {
      client.kill();
      reject(new Error(`hangs: not done in ${DEADLINE_MS / 1000} s`));
    }, DEADLINE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/**
 * Gives `use(body, { freshHome })`: body gets the client with { pid, startupMs, codexHome, call }.
 * A fresh home is started once beforehand: the first start of a home may install things.
 */
export const useServer = ({ server, homes, model, note }) => {
  const once = async (home, body) => {
    const tools = server.name === 'floor' && server.tools ? { TOOLS: server.tools } : {};
    const client = connect(server.argv, { ...home.env, ...tools });
    try {
      const facts = await client.initialize();
      const call = (prompt, waitMs = 120_000) => client.request('tools/call', server.call(prompt, home.cwd), waitMs);
      return await within(body(Object.assign(client, facts, { call, codexHome: home.env.CODEX_HOME })), client);
    } finally {
      await client.close();
      if (client.counts.badLines > 0) note('start', `${client.counts.badLines} lines on stdout are not JSON`);
      for (const [method, count] of client.counts.questions)
        note('start', `${count} questions ${method} of the server`);
    }
  };
  return async (body, { freshHome = false } = {}) => {
    if (!freshHome) return once(server.home, body);
    const home = homes();
    await once(home, async () => {});
    await model.take();
    return once(home, body);
  };
};
