/** An MCP server that keeps notes. It asks before it deletes one, and tells its progress when it exports them. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';

/** @typedef {{ id?: string | number, method?: string, params?: any, result?: any }} Message */

/** @type {Map<string, { id: string, text: string, createdAt: string }>} */
const notes = new Map();
/** What happens with the answer to a question of ours, by its id. @type {Map<unknown, (result: any) => void>} */
const questions = new Map();

/** @param {object} message */
const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
/** @param {string} text */
const text = (text) => ({ content: [{ type: 'text', text }] });

/** @type {Record<string, (id: unknown, args: any, token: unknown) => void>} */
const tools = {
  add(id, args) {
    const note = { id: randomUUID(), text: args.text, createdAt: new Date().toISOString() };
    notes.set(note.id, note);
    say({ id, result: { ...text(`Noted as ${note.id}.`), structuredContent: note } });
  },

  delete(id, args) {
    const note = notes.get(args.id);
    if (!note) return say({ id, error: { code: -32602, message: `There is no note ${args.id}` } });
    const schema = { type: 'object', properties: {} };
    questions.set('delete', (result) => {
      const yes = result.action === 'accept';
      if (yes) notes.delete(note.id);
      say({ id, result: text(yes ? 'Deleted.' : 'Kept.') });
    });
    say({ id: 'delete', method: 'elicitation/create', params: { message: `Delete "${note.text}"?`, requestedSchema: schema } });
  },

  async export(id, args, token) {
    for (const progress of [1, 2]) {
      await new Promise((resolve) => setTimeout(resolve, args.ms));
      say({ method: 'notifications/progress', params: { progressToken: token, progress, total: 2 } });
    }
    say({ id, result: text(`${notes.size} notes.`) });
  },
};

/** @param {string} name @param {string} type */
const object = (name, type) => ({ type: 'object', properties: { [name]: { type } }, required: [name] });
/** @type {Record<string, object>} */
const schemas = { add: object('text', 'string'), delete: object('id', 'string'), export: object('ms', 'number') };

/** @param {Message} message */
const hear = ({ id, method, params, result }) => {
  if (method === 'initialize') {
    const serverInfo = { name: 'notes', version: '1.0.0' };
    say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === 'tools/list') {
    say({ id, result: { tools: Object.keys(tools).map((name) => ({ name, inputSchema: schemas[name] })) } });
  } else if (method === 'tools/call') tools[params.name]?.(id, params.arguments, params._meta?.progressToken);
  else if (method === undefined && result) questions.get(id)?.(result);
  else if (method !== undefined && id !== undefined) say({ id, error: { code: -32601, message: `Method not found: ${method}` } });
};

createInterface({ input: process.stdin }).on('line', (line) => hear(JSON.parse(line)));
