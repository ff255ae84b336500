// Who may import whom, checked by `npm test -- layers`. CONTRIBUTING.md explains the rooms.

/** room of trainer/ -> the rooms that it may import. One way only: no room imports one that may import it. */
const ROOMS = {
  base: [],
  protocol: ['base'],
  model: ['base', 'protocol'],
  tools: ['base', 'protocol'],
  store: ['base', 'protocol', 'model', 'tools'],
  tasks: ['base', 'protocol', 'model', 'tools', 'store'],
  rollout: ['base', 'protocol', 'model', 'tools', 'store', 'tasks'],
  rewards: ['base', 'protocol', 'model', 'tools', 'store', 'tasks', 'rollout'],
  learning: ['base', 'protocol', 'model'],
  evaluation: ['base', 'protocol', 'model', 'tools', 'store', 'tasks', 'rollout', 'rewards'],
  recipes: ['base', 'protocol', 'model', 'tools', 'store', 'tasks', 'rollout', 'rewards', 'learning', 'evaluation'],
  app: ['.*'],
};

/** Imports that the rules would forbid: file -> what it imports all the same. Each with its reason. */
const EXCEPTIONS = {
  // A file that can't be written is a UserError, with the user's way out, and that shape crosses processes.
  '^trainer/base/storage\\.ts$': '^trainer/protocol/result\\.ts$',
};

/** The programs that made the embedded model: run by hand, they use every room, and no room uses them. */
const NANO_PROGRAMS = '^trainer/model/nano/';
const TYPE_ONLY = ['type-only', 'pre-compilation-only'];
const except = (files) => Object.keys(EXCEPTIONS).filter((file) => file.startsWith(`^${files}`));

const rooms = Object.entries(ROOMS).map(([room, may]) => ({
  name: `layer-${room}`,
  comment: `trainer/${room} may import ${may.join(', ') || 'no other room'}.`,
  severity: 'error',
  from: { path: `^trainer/${room}/`, pathNot: [NANO_PROGRAMS, ...except(`trainer/${room}/`)] },
  to: { path: '^(trainer|extension|webview)/', pathNot: `^trainer/(${[room, ...may].join('|')})/` },
}));

const exceptions = Object.entries(EXCEPTIONS).map(([file, target]) => {
  const room = file.split('/')[1];
  return {
    name: `layer-${room}`,
    comment: `Beside what trainer/${room} may import, this file may import ${target}.`,
    severity: 'error',
    from: { path: file },
    to: { path: '^(trainer|extension|webview)/', pathNot: [`^trainer/(${[room, ...ROOMS[room]].join('|')})/`, target] },
  };
});

export default {
  forbidden: [
    ...rooms,
    ...exceptions,
    {
      name: 'no-circle',
      comment: 'No file imports itself on a way round. Types may, inside a room.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: TYPE_ONLY } },
    },
    {
      name: 'tensors',
      comment: 'TensorFlow.js is for trainer/model and trainer/learning.',
      severity: 'error',
      from: {
        path: '^(trainer|extension|webview)/',
        pathNot: [
          '^trainer/(model|learning)/',
          // They still make the weights of their batches into tensors by themselves (withBatch).
          '^trainer/recipes/(dpo|sft|steps/grpoUpdate)\\.ts$',
        ],
      },
      to: { path: 'node_modules/@tensorflow/', dependencyTypesNot: TYPE_ONLY },
    },
    {
      name: 'door-rollout',
      comment: 'Token ids go to a network and come back by rollout/policy/local alone.',
      severity: 'error',
      from: {
        path: '^trainer/(rollout|rewards)/',
        // The local policy: its lanes, what each of them reads and samples, and who decodes with whom.
        pathNot: '^trainer/rollout/policy/(local|lanes|laneConversation|scheduler)\\.ts$',
      },
      to: { path: '^trainer/model/(engine|network|decoding)/', dependencyTypesNot: TYPE_ONLY },
    },
    {
      name: 'door-learning',
      comment: 'Traces become tensors in learning/batch alone.',
      severity: 'error',
      from: { path: '^trainer/learning/', pathNot: '^trainer/learning/batch\\.ts$' },
      to: { path: '^trainer/protocol/trace\\.ts$' },
    },
    {
      name: 'nano-programs',
      comment: 'The programs that made the embedded model are no part of the product.',
      severity: 'error',
      from: { pathNot: NANO_PROGRAMS },
      to: { path: `${NANO_PROGRAMS}.*\\.ts$` },
    },
    {
      name: 'entry-points',
      comment: 'What the build names lies in trainer/ itself; nothing imports it, but for what main and cli share.',
      severity: 'error',
      from: { pathNot: '^trainer/(main|cli)\\.ts$' },
      to: { path: '^trainer/[^/]+\\.ts$' },
    },
    {
      name: 'extension',
      comment: "The extension knows the panel's messages, what is shared with it, and the trainer's protocol.",
      severity: 'error',
      from: { path: '^extension/', pathNot: '^extension/build/' },
      to: { path: '^(trainer|webview)/', pathNot: ['^trainer/protocol/', '^webview/(messages\\.ts$|shared/)'] },
    },
    {
      name: 'webview',
      comment: "The panel knows the trainer's protocol.",
      severity: 'error',
      from: { path: '^webview/' },
      to: { path: '^(trainer|extension)/', pathNot: '^trainer/protocol/' },
    },
    {
      name: 'webview-shared',
      comment: 'What the extension shares with the panel needs nothing else of the panel.',
      severity: 'error',
      from: { path: '^webview/shared/' },
      to: { path: '^webview/', pathNot: '^webview/(messages\\.ts$|shared/)' },
    },
    {
      name: 'resolved',
      comment: 'Every file that is imported by its path is there.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, path: '^\\.' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: 'specify',
    enhancedResolveOptions: { extensions: ['.ts', '.mjs', '.js', '.cjs', '.json'] },
  },
};
