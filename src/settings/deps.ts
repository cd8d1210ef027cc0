/** What a Config is made from: the home folder, the process's environment, the file system and the server's flags. */

/**
 * `lock`: config.toml is a ceiling too. `allowCallOverride`: there is no ceiling. `allowCallConfig`: keys that calls may set although they
 * could run programs or move credentials.
 */
export type CallLimits = { lock: boolean; allowCallOverride: boolean; allowCallConfig: readonly string[] };

/**
 * @param codexHome folder of `config.toml`; need not exist
 * @param cwd absolute; working folder of the server
 * @param env environment of the server; read, never changed
 * @param readFile path => text, undefined if there is no such file; throws otherwise
 * @param namesIn path => the names in a folder; none if there is no such folder, or it cannot be read
 * @param isDirectory path => an existing folder, links followed
 * @param realpath path => the same without links; the path itself if nothing is there
 * @param secretPlaces absolute paths of files and folders of keys and passwords, without links; resolved once, as there are dozens of them
 * @param overrides values of the server's `-c` flags, in order
 * @param model value of the server's `-m`
 * @param profile value of the server's `-p`
 * @param limits what the operator lets calls set
 */
export type ConfigDeps = {
  codexHome: string;
  cwd: string;
  env: Record<string, string | undefined>;
  readFile: (path: string) => string | undefined;
  namesIn: (folder: string) => readonly string[];
  isDirectory: (path: string) => boolean;
  realpath: (path: string) => string;
  secretPlaces: () => readonly string[];
  overrides: readonly string[];
  model?: string;
  profile?: string;
  limits?: CallLimits;
};
