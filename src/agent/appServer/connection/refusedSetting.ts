/** What to do when Codex refuses a setting. */

/** How the reason begins, at the end of its process and in a response; the key may stand on a line of its own, a few lines further. */
const REASON =
  /(?:^|\n)(?:Error: |failed to load configuration: )(?:error loading default config after config error: )?((?:.+\n){1,4}?in `[\w.-]+`|.+)/;

/** How the reason names the key. Source: codex 0.142.0, 0.153.4, 0.169.0 and 0.171.0, in runs with faulty settings. */
const KEYS = [
  / in `([\w.-]+)`/,
  /(?:^|: )(?:legacy )?`?([\w.]+) = /,
  /^(Model provider) `/,
  /failed to read (model instructions file)/,
];

/** The names of keys that Codex calls by other words. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'Model provider': 'model_provider',
  'model instructions file': 'model_instructions_file',
};

/** The flags that set a key besides `-c`. */
const FLAGS: Readonly<Record<string, string>> = {
  approval_policy: '-a',
  sandbox_mode: '-s',
  model_provider: '--oss',
};

/** A text with the key and the remedy for `Error: … in `model_verbosity``; undefined if the message is not a refusal of a setting. */
export const refusedSetting = (message: string): string | undefined => {
  const line = REASON.exec(message)?.[1]?.replace(/\s+/g, ' ').trim();
  const word = line && KEYS.map((key) => key.exec(line)?.[1]).find((found) => found !== undefined);
  if (line === undefined || word === undefined) return undefined;
  const key = OTHER_WORDS[word] ?? word;
  const flags = ['-c', ...(FLAGS[key] === undefined ? [] : [FLAGS[key]])].join(' or ');
  return `The installed Codex refuses the setting ${key} (${line}). Change it or leave it out: by ${flags} of this server, in config.toml of Codex, in that of the project, or in the config of the call. The engine native (--engine native) does without Codex.`;
};
