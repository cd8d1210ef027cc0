#!/usr/bin/env node
require('../dist/codex-rx.cjs').main(process.argv.slice(2));
