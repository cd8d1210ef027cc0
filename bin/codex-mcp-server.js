#!/usr/bin/env node
require('../dist/codex-rx.cjs').main(['mcp-server', ...process.argv.slice(2)]);
