/** The order of core specs: wing after wing as in `roots`, so that the reporter can say when a wing is done. Inside a wing Jest's own order holds. */
const { default: Sequencer } = require('@jest/test-sequencer');

const rootOf = ({ path, context }) => context.config.roots.findIndex((root) => path.startsWith(root));

module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => rootOf(a) - rootOf(b));
  }
};
