/** Owns the surroundings of a server: an empty HOME, and a CODEX_HOME whose configuration points to the mock model. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const config = (url) => `model = "mock-model"
model_provider = "mock"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.mock]
name = "mock"
base_url = "${url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`;

/** Variables of the one who runs the bench that would change what is measured. */
const FOREIGN = /proxy$|^(CODEX|OPENAI|RUST|NODE_OPTIONS|NODE_V8)/i;

/** Gives a function that makes a fresh home: { env, cwd }; cwd is an empty folder. */
export const openHomes = (folder, url) => {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
  return () => {
    const home = mkdtempSync(path.join(folder, 'home-'));
    const [codexHome, cwd] = ['codex', 'work'].map((name) => path.join(home, name));
    for (const place of [codexHome, cwd]) mkdirSync(place);
    writeFileSync(path.join(codexHome, 'config.toml'), config(url));
    return { env: { ...inherited, HOME: home, CODEX_HOME: codexHome }, cwd };
  };
};
