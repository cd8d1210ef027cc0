/** Input fields of a tool whose description is about as long as an agent's. */
export const fields = (z) =>
  Object.fromEntries(
    ['prompt', 'model', 'profile', 'cwd', 'sandbox', 'config'].map((name) => [
      name,
      z
        .string()
        .describe(`What the ${name} of a new session is; the server's configuration decides where it is absent.`),
    ]),
  );
