/** What a server's command runs, for people. */
import { basename } from 'node:path';
import { redactText } from '../../io/log/redactText';
import { withoutLogin } from '../../streams/text/trim';

/** Programs that run others. Their options that take no value, and the word before what they run. */
const LAUNCHERS: Readonly<Record<string, readonly string[]>> = {
  npx: ['-y', '--yes', '-q', '--quiet', '--'],
  bunx: ['-y', '--bun'],
  pnpm: ['dlx', 'exec'],
  uvx: ['-q', '--quiet'],
  uv: ['run', 'tool', '-q'],
  pipx: ['run', '-q'],
  node: ['--'],
  bun: ['run', 'x'],
  deno: ['run', '-A', '--allow-all'],
  tsx: [],
  java: ['-jar'],
  dotnet: ['run', 'exec'],
  python: ['-m', '-u'],
  python3: ['-m', '-u'],
  ruby: [],
  sh: [],
  bash: [],
  docker: ['run', '-i', '--rm'],
  podman: ['run', '-i', '--rm'],
};

/**
 * The program, and what it runs if it is a launcher: `node /srv/mcp.js`, `npx -y some-mcp`. Further arguments are left out:
 * they may hold secrets, and a word after an option that is not known may be its value.
 */
export const toPlace = (command: string, args: readonly string[]): string => {
  const options = LAUNCHERS[basename(command).replace(/\.(?:exe|cmd)$/i, '')];
  if (options === undefined) return command;
  const at = args.findIndex((word) => !options.includes(word));
  const target = args[at];
  if (target === undefined || target.startsWith('-')) return command;
  return hide([command, ...args.slice(0, at), withoutLogin(target)].join(' '));
};

const hide = redactText({ secrets: [], maxChars: 200 });
