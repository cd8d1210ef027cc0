/** Whether this Node can run the program: an old one fails in the middle of its code, with a text that helps nobody. */

/**
 * What to say under a Node before 20.19, the oldest that the specs run on. It names that Node, as the `PATH` of a client may
 * have another one than that of a terminal.
 */
export const oldNodeText = (version: string, path: string): string | undefined => {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return (
    `codex-rx needs Node 20.19 or newer; ${path} is ${version}.\n` +
    'Install a newer one, or name it by its path: it is the command of the entry in your MCP client.\n'
  );
};
