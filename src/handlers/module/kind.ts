import { type HandlerKind, moduleIn, moduleWords } from '../../core/handler-kind.ts'

export const kind: HandlerKind = {
  timeoutMs: 2_000,
  section: 'hooks',
  namesCode: () => true,
  starts: (run) => moduleIn(run, 'module'),
  verb: 'runs',
  describe: moduleWords,
  written: {
    description: 'A function in a separate process.',
    // One word that ends like a script. If it ran as a program, a policy would only define itself, print nothing and
    // pass everything. A program that is loaded as a module fails with an error.
    short: /^\S+\.[cm]?[jt]s$/,
    keys: {
      module: {
        kind: 'line',
        accepted: 'a script file or a package',
        description:
          'A TypeScript or JavaScript file, or a package, that exports a function or a hook made by `defineHook`.',
      },
      export: {
        kind: 'text',
        accepted: 'the name of an export',
        description: 'Which export to run. Default: the default export.',
      },
    },
  },
}
