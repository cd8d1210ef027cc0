#!/usr/bin/env node
/** Stands in for an installed Codex: the few words of `codex app-server` that specs of real processes need. */
const { writeFileSync } = require('node:fs');
const { createInterface } = require('node:readline');

const args = process.argv.slice(2);
const threads = new Map();
const asked = [];
let turns = 0;

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const account = { account: process.env.STAND_IN_ACCOUNT ? { type: 'apiKey' } : null, requiresOpenaiAuth: true };

/** What a turn does, by its prompt; the rest never ends by itself. */
const turn = {
  hi: ({ threadId, turnId }) => {
    const text = JSON.stringify({ args, pid: process.pid, asked, params: threads.get(threadId) });
    say({ method: 'item/completed', params: { threadId, turnId, item: { id: 'm', type: 'agentMessage', text } } });
    say({ method: 'turn/completed', params: { threadId, turn: { id: turnId, status: 'completed' } } });
  },
  retry: (at) => say({ method: 'error', params: { ...at, willRetry: true, error: { message: 'no route to host' } } }),
  die: () => {
    process.stderr.write('out of luck\n');
    process.exitCode = 3;
    process.stdin.destroy();
  },
};

const answer = {
  initialize: () => ({ userAgent: 'stand-in' }),
  'account/read': () => account,
  'thread/start': (params) => {
    const id = `00000000-0000-7000-${8000 + threads.size}-${String(process.pid).padStart(12, '0')}`;
    threads.set(id, params);
    return { thread: { id }, model: 'stand-in', modelProvider: 'p', approvalPolicy: 'never', cwd: params.cwd };
  },
  'thread/resume': ({ threadId, ...params }) => {
    threads.set(threadId, params);
    return { thread: { id: threadId } };
  },
  'turn/start': ({ threadId, input }) => {
    const turnId = `turn-${++turns}`;
    setImmediate(() => {
      say({ method: 'turn/started', params: { threadId, turn: { id: turnId } } });
      turn[input[0].text]?.({ threadId, turnId });
    });
    return { turn: { id: turnId } };
  },
  'turn/interrupt': ({ threadId, turnId }) => {
    say({ method: 'turn/completed', params: { threadId, turn: { id: turnId, status: 'interrupted' } } });
    return {};
  },
};

/** It ends a moment after its input, as one that has processes of its own to end. */
const leave = () => setTimeout(() => writeFileSync(process.env.STAND_IN_FAREWELL, ''), 200);

process.stderr.write('WARNING: proceeding, even though we could not create PATH aliases\n');
const input = createInterface({ input: process.stdin });
if (process.env.STAND_IN_FAREWELL) input.on('close', leave);
input.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  asked.push(method);
  if (id !== undefined && answer[method]) say({ id, result: answer[method](params) });
});
