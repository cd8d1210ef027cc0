// Written from tape.jsonl by codex-rx 0.1.0.
// It starts this program, as the tape names it: node server.js
// Small letters are the client, capitals the server; a column is a message, and only the order counts.
import { test } from 'node:test';
import { answer, notification, request, session, stdio } from 'codex-rx/testing';

const server = stdio(['node', 'server.js']);

const values = {
  i: request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'editor', version: '1.0.0' },
  }),
  I: answer('i', {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  n: notification('notifications/initialized'),
  a: request('tools/call', { name: 'add', arguments: { text: 'Buy milk' } }),
  A: answer('a', {
    content: [{ type: 'text', text: 'Noted as <uuid 1>.' }],
    structuredContent: { id: '<uuid 1>', text: 'Buy milk', createdAt: '<time>' },
  }),
  e: request('tools/call', { name: 'export', arguments: { ms: 5 }, _meta: { progressToken: 2 } }),
  P: notification('notifications/progress', { progressToken: 2, progress: 1, total: 2 }),
  R: notification('notifications/progress', { progressToken: 2, progress: 2, total: 2 }),
  E: answer('e', { content: [{ type: 'text', text: '1 notes.' }] }),
  d: request('tools/call', { name: 'delete', arguments: { id: '<uuid 1>' } }),
  C: request('elicitation/create', {
    message: 'Delete "Buy milk"?',
    requestedSchema: { type: 'object', properties: {} },
  }),
  c: answer('C', { action: 'accept', content: {} }),
  D: answer('d', { content: [{ type: 'text', text: 'Deleted.' }] }),
};

test('tape.jsonl: the server responds as recorded', () =>
  session(server, { compare: 'asReplay', limitMs: 30_000 }).plays({
    client: 'i-na-e---d-c-|',
    server: '-I--A-PRE-C-D-|',
    values,
  }));
