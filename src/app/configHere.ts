/** The configuration of this machine, to be shown. */
import { configDeps, type Wiring } from '../agent/wiring/wiring';
import { fillTo, widthOf } from '../io/terminal/width';
import { effectiveSettings } from '../settings/effectiveSettings';
import { configJsonSchema } from '../settings/schema/schema';
import { toVisible } from '../streams/text/visible';

/** Each effective setting as a line with its source, or all as JSON. Throws ConfigError. */
export const showConfig = (wiring: Pick<Wiring, 'processInfo' | 'options'>, form: 'text' | 'json'): string[] => {
  const { settings, ignored, warnings } = effectiveSettings(configDeps(wiring));
  if (form === 'json') {
    const byKey = Object.fromEntries(settings.map(({ key, ...rest }) => [key, rest]));
    return [JSON.stringify({ settings: byKey, ignored, warnings }, null, 2)];
  }
  const lines = settings.map(({ key, value, source }) => ({
    text: toVisible(`${key} = ${JSON.stringify(value)}`),
    source: toVisible(source),
  }));
  const width = Math.min(MAX_WIDTH, Math.max(...lines.map(({ text }) => widthOf(text))));
  return [
    ...lines.map(({ text, source }) => `${fillTo(text, width)}  # ${source}`),
    ...(ignored.length === 0 ? [] : [toVisible(`# without effect here: ${ignored.join(', ')}`)]),
    ...warnings.map((warning) => toVisible(`# warning: ${warning}`)),
  ];
};

/** The sources line up behind the settings, which are padded up to this width, in columns of a terminal. */
const MAX_WIDTH = 60;

/** The JSON Schema of config.toml, as text. */
export const showConfigSchema = (): string[] => [JSON.stringify(configJsonSchema(), null, 2)];
