/** `codex-rx mcp-server`: serves the tools codex and codex-reply on the standard streams. */
import { defineCommand } from '../command';
import { problemOfServer, SERVE_OPTIONS } from '../serve/options';
import { serveProcess } from '../serve/serveProcess';

export const mcpServer = defineCommand({
  usage: '$0 mcp-server [OPTIONS]',
  positionals: {},
  options: SERVE_OPTIONS,
  afterDashes: 'nothing',
  examples: [
    ['$0 mcp-server', 'what an MCP client runs'],
    ['$0 mcp-server -m gpt-5 -c approval_policy=untrusted', 'another model; ask before each command'],
    ['$0 mcp-server -p careful --events none', 'a profile of config.toml; no codex/event notifications'],
  ],
  problem: (given) => {
    const { 'task-after': taskAfter } = given;
    if (taskAfter !== 'never' && !(Number(taskAfter) >= 0)) return '--task-after must be a number from 0, or never';
    return problemOfServer(given);
  },
  run: (given) => serveProcess(given),
});
