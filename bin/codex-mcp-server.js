#!/usr/bin/env node
require('../dist/start.cjs').start(['mcp-server', ...process.argv.slice(2)]);
