/**
 * Runs codex-rx on Windows: `node driver.cjs JOBS RESULTS`. Each job is a command with its input, or a session of a client. This runs there too, as
 * wine gives a program of Linux no pipes to a program of Windows.
 */
const { spawn, spawnSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const [jobsPath, resultsPath] = process.argv.slice(2);
const { program, path, jobs } = JSON.parse(readFileSync(jobsPath, 'utf8'));
const env = { ...process.env, PATH: `${path};${join(process.execPath, '..')};${process.env.PATH}` };

const run = ({ args, cwd }) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    input: '',
  });
  return { status, stdout, stderr };
};

const alive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** A client that says yes to each question, and cancels the call in which `cancelAt` is written, a file with the id of a process. */
const session = ({ args, cwd, calls, cancelAt }) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { cwd, env });
    const seen = { questions: [], results: [], stderr: '' };
    const left = [...calls];
    const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const next = () => {
      const call = left.shift();
      if (call === undefined) return child.stdin.end();
      const threadId = seen.results.at(-1)?.structuredContent?.threadId;
      const [name, given] = threadId === undefined ? ['codex', call] : ['codex-reply', { ...call, threadId }];
      send({ id: calls.length - left.length, method: 'tools/call', params: { name, arguments: given } });
    };
    const watch =
      cancelAt &&
      setInterval(() => {
        seen.pid = Number(textOf(cancelAt));
        if (!seen.pid || !alive(seen.pid)) return;
        clearInterval(watch);
        send({ method: 'notifications/cancelled', params: { requestId: 1 } });
        const began = Date.now();
        const gone = setInterval(() => {
          if (alive(seen.pid) && Date.now() - began < 10_000) return;
          clearInterval(gone);
          seen.ended = !alive(seen.pid);
          child.stdin.end();
        }, 50);
      }, 50);
    const take = (message) => {
      if (message.method === 'elicitation/create') {
        seen.questions.push(message.params.message);
        send({ id: message.id, result: { action: 'accept', content: { decision: 'approved' } } });
      } else if (message.result !== undefined) {
        if (message.id === 0) send({ method: 'notifications/initialized' });
        else seen.results.push(message.result);
        next();
      }
    };
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) take(JSON.parse(line));
    });
    child.stderr.setEncoding('utf8').on('data', (text) => (seen.stderr += text));
    child.on('close', (code) => resolve({ ...seen, code }));
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'spec', version: '1' },
    };
    send({ id: 0, method: 'initialize', params });
  });

const main = async () => {
  const results = [];
  for (const job of jobs) results.push(job.calls ? await session(job) : run(job));
  writeFileSync(resultsPath, JSON.stringify(results));
};
main();
