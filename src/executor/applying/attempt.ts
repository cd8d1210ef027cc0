/** Turns a rejection into a value. */
import { systemText } from './systemText';

/** Why something could not be done, in the system's error text; undefined if it was done. */
export const attempt = async (run: () => Promise<void>): Promise<string | undefined> => {
  try {
    await run();
    return undefined;
  } catch (error) {
    return systemText(error);
  }
};
